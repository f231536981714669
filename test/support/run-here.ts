import { onTestFinished, vi } from 'vitest';
import { redriveQuarantined } from '../../cli/operate/redrive-quarantined.ts';
import { renormalise } from '../../cli/operate/renormalise.ts';
import { dynamoStores } from '../../functions/adapters/dynamo-stores.ts';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import { applyEnvironment, functionEnvironment } from '../../sandbox/function-environment.ts';
import { captureFunctionOutput, loadFunction } from '../../sandbox/functions.ts';
import { demoAccount } from '../../sandbox/sandbox-options.ts';
import type { deployment } from '../deployment/index.ts';
import { startHttpServer } from './local-servers.ts';
import { generousDeadline } from './memory-ports.ts';

/** What a program printed, and its exit code; undefined if it sets none. */
interface Ended {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in this process, which has loaded its modules. A process of its own takes seconds to load aws-cdk-lib. */
export const runHere = async (
  load: () => Promise<unknown>,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): Promise<Ended> => {
  const written = { stdout: '', stderr: '' };
  const { argv } = process;
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  for (const stream of ['stdout', 'stderr'] as const) {
    const write = (text: string | Uint8Array): boolean => {
      written[stream] += text;
      return true;
    };
    vi.spyOn(process[stream], 'write').mockImplementation(write);
    const methods = stream === 'stdout' ? (['log', 'info'] as const) : (['warn', 'error'] as const);
    for (const method of methods) vi.spyOn(console, method).mockImplementation(write);
  }
  const restore = (): void => {
    process.exitCode = undefined;
    process.argv = argv;
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  };
  onTestFinished(restore);

  try {
    process.argv = [process.execPath, 'program', ...args];
    vi.resetModules();
    await load();
    return { code: process.exitCode === undefined ? undefined : Number(process.exitCode), ...written };
  } finally {
    restore();
  }
};

const folder = new URL('../../functions/', import.meta.url);

/** The answer of AWS to a request for an operation, or undefined for an internal error. */
export type Aws = (operation: string, input: Record<string, unknown>) => object | undefined;

/**
 * A deployed function: its `index.ts` with an environment, and an AWS that answers as the test decides. `output` has
 * everything that it writes.
 */
export const deployedFunction = async (
  name: FunctionName,
  aws: Aws,
  environment: Readonly<Record<string, string | undefined>> = {},
) => {
  const { url } = await startHttpServer(async (request, response) => {
    // The function only opens its connection.
    if (request.method === 'GET') {
      response.end();
      return;
    }
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const answer = aws(operation, JSON.parse(Buffer.concat(await request.toArray()).toString()));
    response.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer ?? { __type: 'InternalServiceError' }));
  });
  const own = functionEnvironment({
    urls: {
      ...{ dynamodb: url, sqs: url, eventbridge: url, s3: url, secretsmanager: url },
      parkingQueue: `${url}/000000000000/parking`,
    },
    accountsSecretArn: 'unused',
    callbackSecret: undefined,
  });
  const ofFeatures = {
    ...{ RECONCILE_QUEUE_URL: `${url}/000000000000/parking`, SETTLE_SECONDS: '30' },
    FORWARD_QUEUE_URL: `${url}/000000000000/forwarding.fifo`,
    ...{ RECORDINGS_BUCKET: 'callfeed-recordings', RECORDINGS_QUEUE_URL: url, RECORDINGS_DEAD_LETTERS_URL: url },
    RECORDING_HOSTS: 'recordings.example.com',
  };
  const names = { BUS_NAME: 'bus', CALLS_TABLE: 'calls', AGENTS_TABLE: 'agents', QUARANTINE_TABLE: 'quarantine' };
  const accounts = { ACCOUNTS_SECRET_ARN: undefined, CALLFEED_ACCOUNTS: JSON.stringify([demoAccount]) };
  const restore = applyEnvironment({ ...own, ...ofFeatures, ...names, ...accounts, ...environment });
  const texts: string[] = [];
  const output = captureFunctionOutput((_name, text) => texts.push(text));
  onTestFinished(() => {
    output.release();
    restore();
  });

  const invoke = await loadFunction(folder, name, output);
  return { invoke, output: () => texts.join('') };
};

/** The lines of a function's output, each of them JSON. */
export const logLines = (output: string): readonly Readonly<Record<string, unknown>>[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

type Deployed = Pick<Awaited<ReturnType<typeof deployment>>, 'dynamodb' | 'tables' | 'now' | 'rows' | 'quarantine'>;

/** Derives every row of calls again, as `callfeed renormalise` does. */
export const renormaliseAll = async (d: Deployed, account: Account): Promise<void> => {
  const settings = {
    retentionDays: 730,
    isDryRun: false,
    clock: () => new Date(d.now()),
    rows: dynamoVersionedRows(d.dynamodb, d.tables.calls),
  };
  for (const row of await d.rows('calls'))
    if ('deliveries' in row) await renormalise(settings)(row, account, generousDeadline());
};

/** Redrives all of quarantine, as `callfeed quarantine redrive --all` does. Answers what became of each entry. */
export const redriveAll = async (d: Deployed, accounts: readonly Account[]): Promise<readonly unknown[]> => {
  const env = {
    ...{ CALLS_TABLE: d.tables.calls, CALL_RETENTION_DAYS: 730 },
    ...{ QUARANTINE_TABLE: d.tables.quarantine, QUARANTINE_RETENTION_DAYS: 30 },
  };
  const ports = {
    ...dynamoStores(d.dynamodb, env, () => new Date(d.now())),
    accounts: accountIndex(accounts),
    remove: async () => undefined,
  };
  const redrive = redriveQuarantined(ports, { account: undefined, isDryRun: false });
  const results: unknown[] = [];
  for (const { id = '', ...entry } of await d.quarantine()) results.push(await redrive({ id, entry } as never));
  return results;
};

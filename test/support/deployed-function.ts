import { onTestFinished } from 'vitest';
import type { FunctionName } from '../../functions/timeouts.ts';
import { functionEnvironment } from '../../sandbox/lambda/function-environment.ts';
import { applyEnvironment, captureFunctionOutput, loadFunction } from '../../sandbox/lambda/runtime.ts';
import { demoAccount } from '../../sandbox/sandbox-options.ts';
import { startHttpServer } from './local-servers.ts';

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

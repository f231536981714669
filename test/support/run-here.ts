import { onTestFinished, vi } from 'vitest';
import { redriveQuarantined } from '../../cli/quarantine/redrive-quarantined.ts';
import { renormaliseRow } from '../../cli/renormalise/renormalise-row.ts';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import type { Deployment } from '../deployment/index.ts';
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

/** Derives every row of calls again, as `callfeed renormalise` does. */
export const renormaliseAll = async (d: Deployment, account: Account): Promise<void> => {
  const settings = {
    retentionDays: 730,
    isDryRun: false,
    clock: () => new Date(d.now()),
    rows: dynamoVersionedRows(d.dynamodb, d.tables.calls),
  };
  for (const row of await d.rows('calls'))
    if ('deliveries' in row) await renormaliseRow(settings)(row, account, generousDeadline());
};

/** Redrives all of quarantine, as `callfeed quarantine redrive --all` does. Answers what became of each entry. */
export const redriveAll = async (d: Deployment, accounts: readonly Account[]): Promise<readonly unknown[]> => {
  const ports = { ...d.stores(), accounts: accountIndex(accounts), remove: async () => undefined };
  const redrive = redriveQuarantined(ports, { account: undefined, isDryRun: false });
  const results: unknown[] = [];
  for (const { id = '', ...entry } of await d.quarantine()) results.push(await redrive({ id, entry } as never));
  return results;
};

import { findAccount } from '../../lib/accounts/account-index.ts';
import { once } from '../../lib/core/collections.ts';
import { justBefore } from '../../lib/core/time.ts';
import { type AskedRange, requestedRange } from '../frame/asked-days.ts';
import type { Deployment } from '../frame/deployment.ts';
import { Problem } from '../frame/problem.ts';
import { accountsOf, clientOf, type Reader } from '../frame/reader.ts';
import { printable } from '../frame/terminal.ts';
import { type Inspection, lookAt, partOf, progressPrinter, type VerifiedRange } from './gaps.ts';
import { readVerifiedRows } from './publication.ts';
import { verifyRecordings } from './recordings.ts';

interface VerifiedReader extends Reader {
  readonly range: VerifiedRange;
}

interface AskedAccounts extends AskedRange {
  readonly account?: string | undefined;
}

export const readersOf = async (deployment: Deployment, run: Inspection, options: AskedAccounts, now: Date) => {
  const accounts = once(() => accountsOf(deployment, run.terminal.note));
  const names = options.account === undefined ? (await accounts()).map(({ userName }) => userName) : [options.account];
  const readers: VerifiedReader[] = [];
  for (const account of names) {
    const reader = { deployment, account, accounts, client: clientOf(run, {}, deployment, account) };
    readers.push({ ...reader, range: await verifiedRange(reader, options, now) });
  }
  return readers;
};

const verifiedRange = async (reader: Reader, { to, ...options }: AskedRange, now: Date): Promise<VerifiedRange> => {
  const range = await requestedRange(reader, { ...options, to: to && justBefore(to) }, now);
  const first = String(range.from);
  const last = String(range.to ?? now.toISOString());
  if (first > last) throw new Problem('The range must begin before it ends, and not in the future.', 2);
  return { from: first, to: last };
};

export const inspectAccounts = async (run: Inspection, readers: readonly VerifiedReader[]) => {
  const accounts: AccountFindings[] = [];
  for (const reader of readers) accounts.push(await inspectAccount(run, reader));
  return accounts;
};

const inspectAccount = async (run: Inspection, reader: VerifiedReader) => {
  const { deployment, account, range } = reader;
  const recordings = verifyRecordings(deployment, account, run.location);
  const reading = readVerifiedRows(reader, range, {
    onCall: (call, rows) => recordings?.onCall(call, rows),
    onProgress: progressPrinter(run, `${account}: calls read`),
  });
  const { value: found, gaps } = await lookAt(run, `calls of ${account}`, reading);
  // A misspelt name has no calls, and would prove anything.
  if (found?.calls === 0 && findAccount(await reader.accounts(), account) === undefined)
    throw new Problem(
      `The deployment has no account ${printable(account)}, and the table no call of it in this range.`,
      2,
    );
  const parts =
    found === undefined || recordings === undefined
      ? []
      : [await partOf(run, 'recordings', `recordings of ${account}`, recordings.find())];
  const revisions = found?.rows.reduce((sum, { revision }) => sum + revision, 0);
  return { ...reader, ...found, revisions, parts, gaps };
};
export type AccountFindings = Awaited<ReturnType<typeof inspectAccount>>;

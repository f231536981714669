import { deadLettersPart, parkedPart } from '../dead-letters/parked-status.ts';
import type { RunContext } from '../frame/command.ts';
import { commandLine, type Deployment } from '../frame/deployment.ts';
import { type Feature, lately, type StatusPart } from '../frame/feature.ts';
import type { ReaderOptions } from '../frame/options.ts';
import { type Known, knownValue, settled } from '../frame/problem.ts';
import { accountNames } from '../frame/reader.ts';
import { quarantinePart } from '../quarantine/quarantine-part.ts';
import { accountStatus } from './account-status.ts';
import { type Warning, warningsOf } from './warnings.ts';

/** Accounts and parts, each as it is, or why it is not known, and what of it needs somebody. */
export const readStatus = async (
  features: readonly Feature[],
  context: RunContext,
  options: ReaderOptions,
  deployment: Deployment,
) => {
  const ofSecret: FailedPart[] = [];
  const onFailure = (message: string) => ofSecret.push({ part: 'accounts', message });
  const readingParts = readParts(features, deployment, options.verbose ? context.terminal.note : undefined);
  const stuck = readingParts.then((parts) => countOf(parts, 'parked') + countOf(parts, 'deadLetters'));
  const readAccounts = async () => {
    const names = await accountNames(deployment, options.account, onFailure);
    const statusOf = (account: string) => settled(accountStatus(context, options, deployment, account, stuck));
    return Promise.all(names.map(async (account) => ({ account, read: await statusOf(account) })));
  };
  const [accounts, parts] = await Promise.all([settled(readAccounts()), readingParts]);
  const read = knownValue(accounts) ?? [];
  const problems = [
    ...ofSecret,
    ...problemIn('accounts', accounts),
    ...read.flatMap((one) => problemIn(`account ${one.account}`, one.read)),
    ...parts.flatMap((part) => problemIn(part.name, part.read)),
  ];
  const ofAccounts = read.flatMap((one) => knownValue(one.read) ?? []);
  // Receiver and poller write to different tables. If neither can, they most likely have the same reason.
  const isDatabase = countOf(parts, 'parked') > 0 && ofAccounts.some(({ maySayDatabase }) => maySayDatabase);
  const warnings = [
    ...ofAccounts.flatMap((one) => one.warnings),
    ...(isDatabase ? [{ ...databaseWarning, command: commandLine(options, ...lately) }] : []),
    ...parts.flatMap(({ title, read: part }) => {
      const health = knownValue(part)?.health;
      return health === undefined ? [] : warningsOf({ title }, health, options);
    }),
  ];
  return { accounts, parts, warnings, problems };
};
export type FoundStatus = Awaited<ReturnType<typeof readStatus>>;

const databaseWarning: Warning = {
  word: 'DATABASE',
  text:
    'calls are parked, and the poller writes nothing. Most likely the tables take no writes: DynamoDB, its key or a ' +
    'permission (docs/runbook.md#parked-overdue).',
};

export type FailedPart = Readonly<Record<'part' | 'message', string>>;

const problemIn = (part: string, read: Known<unknown>): readonly FailedPart[] =>
  'unknown' in read ? [{ part, message: read.unknown }] : [];

const readParts = (
  features: readonly Feature[],
  deployment: Deployment,
  onScan: ((line: string) => void) | undefined,
) => {
  const parts: readonly StatusPart[] = [
    quarantinePart(deployment, onScan),
    parkedPart(deployment),
    deadLettersPart(deployment),
    ...features.flatMap(({ status }) => status?.(deployment) ?? []),
  ];
  return Promise.all(parts.map(async ({ read, ...about }) => ({ ...about, read: await settled(read()) })));
};

/** How much waits in a part; none where it is not known, which is said by itself. */
const countOf = (parts: Awaited<ReturnType<typeof readParts>>, of: string): number =>
  knownValue(parts.find(({ name }) => name === of)?.read)?.count ?? 0;

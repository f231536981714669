import { isHeldUp, isSilent } from '../lib/agents/callback-receipts.ts';
import {
  diagnoseFeed,
  type FeedDiagnosis,
  type Freshness,
  feedProblemText,
  type LiveFreshness,
  type StaleFreshness,
} from '../lib/client/index.ts';
import { secondsBetween } from '../lib/core/time.ts';
import type { Context } from './command.ts';
import type { Deployment } from './connection/deployment.ts';
import { features } from './features.ts';
import type { ReaderOptions } from './options.ts';
import { durationText, printTable } from './output/report.ts';
import { printable, styled, type Terminal } from './output/terminal.ts';
import { type Known, knownValue } from './problem.ts';
import { callbackReceipts, clientOf } from './reader.ts';

/** What `status` says of an account: how old its agents are, when its last callback came, and what optional parts add. */
export const accountStatus = async (
  context: Context,
  options: ReaderOptions,
  deployment: Deployment,
  account: string,
) => {
  const [feed, receipts, ...parts] = await Promise.all([
    clientOf(context, options, deployment, account).feed(),
    callbackReceipts(deployment, account),
    ...features.map(({ accountStatus: statusOf }) => statusOf?.(deployment, account, context.clock)),
  ]);
  const now = context.clock();
  const { failingSince, lastProblem, callbacksSilentSince: silentSince } = feed.feed ?? {};
  const { lastReceivedAt, heldUpAt } = receipts;
  const { now: problem, before: previousProblem } = diagnoseFeed(feed.feed, now);
  const isQuiet = isSilent(silentSince, receipts);
  const isLate = isHeldUp(receipts, now);
  // The clock of the receiver may be ahead of this one.
  const ageSeconds =
    lastReceivedAt === undefined ? undefined : Math.max(0, secondsBetween(lastReceivedAt, now.toISOString()));
  const ofFeatures = parts.flatMap((part) => part ?? []);
  return {
    json: {
      ...freshnessFields(feed),
      ...(feed.freshness !== 'none' && countsOf(feed)),
      ...{ failingSince, lastProblem, problem, previousProblem },
      callbacks: { lastReceivedAt, ageSeconds, isSilent: isQuiet, ...(isQuiet && { silentSince }) },
      publishing: { isHeldUp: isLate, heldUpAt },
      ...Object.fromEntries(ofFeatures.map(({ name, json }) => [name, json])),
    },
    freshness: freshnessLine(context.terminal, account, feed, now),
    warnings: [
      ...(isQuiet ? [silenceLine(account, lastReceivedAt)] : []),
      ...(isLate ? [heldUpLine(account, heldUpAt)] : []),
    ],
    maySayDatabase: problem?.side === 'poller-or-table',
    row: {
      feed: feedLabels[feed.freshness],
      callback: ageSeconds === undefined ? 'none yet' : `${durationText(ageSeconds)} ago`,
      ...(feed.freshness !== 'none' && countCells(feed)),
    },
    ofFeatures,
  };
};

/** Old counts have names of their own, so that no program reads them as current by mistake. */
const countsOf = ({ freshness, feed: { agentCount, counts } }: LiveFreshness | StaleFreshness) =>
  freshness === 'live' ? { agentCount, counts } : { lastKnownAgentCount: agentCount, lastKnownCounts: counts };

const countCells = ({ freshness, feed }: LiveFreshness | StaleFreshness) => {
  const prefix = freshness === 'live' ? '' : 'last known: ';
  const states = Object.entries(feed.counts).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
  return {
    agents: `${prefix}${feed.agentCount}`,
    ...(states.length > 0 && { states: `${prefix}${states.join(', ')}` }),
  };
};

const columns = {
  ...{ account: 'ACCOUNT', feed: 'FEED', callback: 'LAST CALLBACK' },
  ...{ agents: 'AGENTS', states: 'STATES' },
};

interface ReadAccount {
  readonly account: string;
  readonly read: Known<Awaited<ReturnType<typeof accountStatus>>>;
}

export const printAccounts = (terminal: Terminal, all: readonly ReadAccount[], isParked: boolean): void => {
  const { print } = terminal;
  const accounts = all.flatMap(({ read }) => knownValue(read) ?? []);
  // Receiver and poller write to different tables. If neither can, they most likely have the same reason.
  const isDatabase = isParked && accounts.some(({ maySayDatabase }) => maySayDatabase);
  const warnings = [...accounts.flatMap(({ warnings }) => warnings), ...(isDatabase ? [databaseLine] : [])];
  for (const { freshness } of accounts) print(freshness);
  for (const line of warnings) print(styled(terminal, 'red', line));
  print('');
  const rows = all.map(({ account, read }) => ({ account, ...(knownValue(read)?.row ?? { feed: 'not known' }) }));
  printTable(terminal, columns, rows);
  print('');
  const ofFeatures = accounts.flatMap((account) => account.ofFeatures);
  for (const [heads, some] of Map.groupBy(ofFeatures, (part) => part.columns)) {
    const lines = some.map(({ row }) => row);
    printTable(terminal, heads, lines);
    print('');
  }
};

const feedLabels = { none: 'NEVER POLLED', live: 'live', stale: 'STALE' } as const;

/** What an operator does first: the address is the likeliest reason. */
const silenceLine = (account: string, lastReceivedAt: string | undefined): string =>
  `SILENT: agents of ${printable(account)} end calls, and no callback has come ${lastReceivedAt ? `since ${lastReceivedAt}` : 'so far'}. ` +
  'Check the callback address first (docs/runbook.md#callbacks-silent).';

const heldUpLine = (account: string, heldUpAt: string | undefined): string =>
  `HELD UP: events of ${printable(account)} were not published, last seen at ${heldUpAt}. It is over if that does not advance for ` +
  'three minutes. Mostly the bus, or the table before, did not accept writes. ' +
  'Events are kept, and published later (docs/runbook.md#events-late).';

const databaseLine =
  'DATABASE: calls are parked, and the poller writes nothing. Most likely the tables take no writes: DynamoDB, its key or a ' +
  'permission (docs/runbook.md#parked-overdue).';

export const freshnessFields = (feed: Freshness) => ({
  freshness: feed.freshness,
  ...(feed.freshness !== 'none' && { asOf: feed.asOf, ageSeconds: feed.ageSeconds }),
});

export const freshnessLine = (terminal: Terminal, account: string, feed: Freshness, now: Date): string => {
  const name = printable(account);
  const problems = problemSentences(diagnoseFeed(feed.feed, now));
  if (feed.freshness === 'none') {
    const hint = feed.feed === undefined ? ' (is the account spelt as in the secret, and is polling on?)' : '';
    return styled(terminal, 'red', `NEVER POLLED: no poll of ${name} has succeeded yet${hint}.${problems}`);
  }
  const age = `${feed.asOf}, ${durationText(feed.ageSeconds)} ago`;
  if (feed.freshness === 'live') return `${name}, as of ${age}.`;
  return styled(terminal, 'red', `STALE: ${name} as last seen ${age}; it may have changed since.${problems}`);
};

const problemSentences = ({ now, before }: FeedDiagnosis): string => {
  const present = now?.since === undefined ? '' : ` Since ${now.since} ${feedProblemText(now)}.`;
  const past = before && ` An earlier problem is over, last met at ${before.since}: ${feedProblemText(before)}.`;
  return `${present}${past ?? ''}`;
};

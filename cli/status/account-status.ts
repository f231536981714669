import {
  diagnoseFeed,
  type FeedDiagnosis,
  type Freshness,
  feedProblemText,
  type LiveFreshness,
  type StaleFreshness,
} from '../../client/index.ts';
import { findAccount } from '../../lib/accounts/account-index.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import type { Context } from '../frame/command.ts';
import { commandLine, type Deployment, type DeploymentLocation } from '../frame/deployment.ts';
import { lately } from '../frame/feature.ts';
import type { ReaderOptions } from '../frame/options.ts';
import { type Known, knownValue } from '../frame/problem.ts';
import { callbackReceipts, clientOf, storedAccounts } from '../frame/reader.ts';
import { printTable } from '../frame/table.ts';
import { printable, type Terminal } from '../frame/terminal.ts';
import { durationText } from '../frame/texts.ts';
import { reconciliationColumns, reconciliationStatus } from '../reconciliation/reconciliation.ts';
import { type AccountCallbacks, callbacksOf, laterCallbacks } from './account-callbacks.ts';
import { type Warning, warningLine, warningsOf } from './warnings.ts';

/**
 * What `status` says of an account: how old its agents are, when its last callback came, and how far it is compared with the call report. `stuck`
 * is how many messages are parked or dead letters.
 */
export const accountStatus = async (
  context: Context,
  options: ReaderOptions,
  deployment: Deployment,
  account: string,
  stuck: Promise<number>,
) => {
  const [feed, receipts, reconciliation] = await Promise.all([
    clientOf(context, options, deployment, account).feed(),
    callbackReceipts(deployment, account),
    reconciliationStatus(deployment, account, context.clock),
  ]);
  const isPolled = feed.freshness === 'live' || (await isPolledBy(deployment, account));
  const now = context.clock();
  const { failingSince, lastProblem } = feed.feed ?? {};
  const { now: problem, before: previousProblem } = diagnoseFeed(feed.feed, now);
  const callbacks = callbacksOf(feed.feed, receipts, now);
  const { lastReceivedAt, silentSince, heldUpAt } = callbacks;
  const later = laterCallbacks(callbacks, await stuck);
  // The clock of the receiver may be ahead of this one.
  const ageSeconds =
    lastReceivedAt === undefined ? undefined : Math.max(0, secondsBetween(lastReceivedAt, now.toISOString()));
  const staleness = isPolled ? freshnessWarning(account, feed, now) : undefined;
  const freshness = staleness && { ...staleness, account, command: commandLine(options, ...lately) };
  return {
    json: {
      ...freshnessFields(feed),
      ...(feed.freshness !== 'none' && countsOf(feed)),
      failingSince,
      lastProblem,
      problem,
      previousProblem,
      callbacks: {
        lastReceivedAt,
        ageSeconds,
        isSilent: silentSince !== undefined,
        ...(silentSince !== undefined && { silentSince }),
        ...(later.length > 0 && { mayBeLater: true }),
      },
      publishing: { isHeldUp: heldUpAt !== undefined, heldUpAt: receipts.heldUpAt },
      ...(reconciliation.shown && { reconciliation: reconciliation.shown.json }),
    },
    freshness: freshness ? warningLine(context.terminal, freshness) : feedLine(account, feed, isPolled),
    warnings: [
      ...(freshness === undefined ? [] : [freshness]),
      ...callbackWarnings(account, callbacks, later, options),
      ...warningsOf({ title: 'Reconciliation', account }, reconciliation.health, options),
    ],
    maySayDatabase: isPolled && problem?.side === 'poller-or-table',
    later,
    row: {
      feed: isPolled ? feedLabels[feed.freshness] : 'not polled',
      callback: callbackCell(ageSeconds, later),
      ...(feed.freshness !== 'none' && countCells(feed)),
    },
    reconciliation: reconciliation.shown?.row,
  };
};

/** Whether its agents are polled, as far as the poller's own row says. An account without “baseUrl” is not. */
const isPolledBy = async (deployment: Deployment, account: string): Promise<boolean> => {
  const stored = deployment.isPolling ? await storedAccounts(deployment) : undefined;
  return deployment.isPolling && findAccount(stored ?? [], account)?.isPolled !== false;
};

const callbackCell = (ageSeconds: number | undefined, later: readonly string[]): string => {
  const isLatest = later.length === 0;
  if (ageSeconds === undefined) return isLatest ? 'none yet' : 'none known';
  return `${durationText(ageSeconds)} ago${isLatest ? '' : ', or later'}`;
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
  account: 'ACCOUNT',
  feed: 'FEED',
  callback: 'LAST CALLBACK',
  agents: 'AGENTS',
  states: 'STATES',
};

interface ReadAccount {
  readonly account: string;
  readonly read: Known<Awaited<ReturnType<typeof accountStatus>>>;
}

export const printAccounts = (terminal: Terminal, all: readonly ReadAccount[], warnings: readonly Warning[]): void => {
  const { print } = terminal;
  const accounts = all.flatMap(({ read }) => knownValue(read) ?? []);
  for (const { freshness } of accounts) print(freshness);
  for (const warning of warnings) if (!isFreshness(warning)) print(warningLine(terminal, warning));
  print('');
  const rows = all.map(({ account, read }) => ({ account, ...(knownValue(read)?.row ?? { feed: 'not known' }) }));
  printTable(terminal, columns, rows);
  for (const line of new Set(accounts.flatMap(({ later }) => later))) print(`LAST CALLBACK: ${line}`);
  print('');
  const reconciled = accounts.flatMap(({ reconciliation }) => reconciliation ?? []);
  if (reconciled.length === 0) return;
  printTable(terminal, reconciliationColumns, reconciled);
  print('');
};

const feedLabels = { none: 'NEVER POLLED', live: 'live', stale: 'STALE' } as const;

const callbackWarnings = (
  account: string,
  { lastReceivedAt, silentSince, heldUpAt }: AccountCallbacks,
  later: readonly string[],
  location: DeploymentLocation,
): readonly Warning[] => [
  ...(silentSince === undefined
    ? []
    : [
        {
          word: 'SILENT',
          account,
          text: [
            `agents of ${account} end calls, and no callback has come ${lastReceivedAt ? `since ${lastReceivedAt}` : 'so far'}.`,
            'Check the callback address first (docs/runbook.md#callbacks-silent), and then whether posts are rejected.',
            ...later,
          ].join(' '),
          command: commandLine(location, 'quarantine', 'list', '--since', silentSince),
        },
      ]),
  ...(heldUpAt === undefined
    ? []
    : [
        {
          word: 'HELD UP',
          account,
          text:
            `events of ${account} are not published in time, last seen at ${heldUpAt}. It is over if that does not advance for ` +
            'three minutes. Either the bus rejects events, or the publisher is behind. ' +
            'They are kept, and published later (docs/runbook.md#events-late).',
          command: commandLine(location, ...lately),
        },
      ]),
];

export const freshnessFields = (feed: Freshness) => ({
  freshness: feed.freshness,
  ...(feed.freshness !== 'none' && { asOf: feed.asOf, ageSeconds: feed.ageSeconds }),
});

export const freshnessLine = (terminal: Terminal, account: string, feed: Freshness, now: Date): string => {
  const warning = freshnessWarning(account, feed, now);
  return warning === undefined ? feedLine(account, feed, true) : warningLine(terminal, warning);
};

/** The state of the feed in a line. An account whose agents are not polled is set so, and nothing to mend. */
const feedLine = (account: string, feed: Freshness, isPolled: boolean): string => {
  if (isPolled) return `${printable(account)}, as of ${ageText(feed)}.`;
  const seen = feed.freshness === 'none' ? '' : ` Its agents were last seen ${ageText(feed)}.`;
  return printable(`${account} is not polled: agentPolling is off, or the account has no “baseUrl”.${seen}`);
};

const freshnessWords = ['NEVER POLLED', 'STALE'] as const;
const [neverPolled, stale] = freshnessWords;

/** Whether the line of the account says it already. */
const isFreshness = ({ word }: Warning): boolean => freshnessWords.some((one) => one === word);

const freshnessWarning = (account: string, feed: Freshness, now: Date): Warning | undefined => {
  if (feed.freshness === 'live') return undefined;
  const problems = problemSentences(diagnoseFeed(feed.feed, now));
  if (feed.freshness === 'stale')
    return { word: stale, text: `${account} as last seen ${ageText(feed)}; it may have changed since.${problems}` };
  const hint = feed.feed === undefined ? ' (is the account spelt as in the secret, and is polling on?)' : '';
  return { word: neverPolled, text: `no poll of ${account} has succeeded yet${hint}.${problems}` };
};

const ageText = (feed: Freshness): string =>
  feed.freshness === 'none' ? 'no poll' : `${feed.asOf}, ${durationText(feed.ageSeconds)} ago`;

const problemSentences = ({ now, before }: FeedDiagnosis): string => {
  const present = now?.since === undefined ? '' : ` Since ${now.since} ${feedProblemText(now)}.`;
  const past = before && ` An earlier problem is over, last met at ${before.since}: ${feedProblemText(before)}.`;
  return `${present}${past ?? ''}`;
};

import { paginateScan } from '@aws-sdk/client-dynamodb';
import type { Reconciliation } from '../../functions/reconcile-calls/reconciliation.ts';
import { type CallbackReceipts, isHeldUp, isSilent } from '../../lib/agents/callback-receipts.ts';
import { diagnoseFeed, type Freshness, type LiveFreshness, type StaleFreshness } from '../../lib/client/index.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import type { RunContext } from '../command.ts';
import { command, on, type ReaderOptions, readerOptions } from '../command.ts';
import type { Deployment } from '../connection/deployment.ts';
import { backlogOf, forwardingText, queueDepth } from '../dead-letters.ts';
import { freshnessFields, freshnessLine } from '../output/agents.ts';
import { counted, durationText, report } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { type Known, known, knownValue } from '../problem.ts';
import { harmlessReason, notDismissed, ofKnownSender } from '../quarantine-entries.ts';
import { accountNames, callbackReceipts, clientOf } from '../reader.ts';
import { reconciliationState } from './reconciliation/follow-run.ts';
import { reconciliationColumns, reconciliationJson, reconciliationRow } from './reconciliation/progress.ts';

export const status = command({
  name: 'status',
  description: 'shows how old the data about agents is, when the last callback came, and what waits or was rejected',
  permissions: [
    on('Agents table', 'dynamodb:GetItem'),
    on('quarantine table', 'dynamodb:Scan'),
    on(
      'the queues of parked calls, of forwarding and of recordings, each with its dead letters',
      'sqs:GetQueueAttributes',
    ),
  ],
  options: readerOptions,
  help: `STALE: polls no longer succeed; the lines say on which side and since when. --json then has
“lastKnownAgentCount” and “lastKnownCounts” instead of “agentCount” and “counts”, and “problem” and “previousProblem”. SILENT: agents have
ended calls, and no callback came since. HELD UP: events are not published. DATABASE: calls are parked, and the poller writes nothing.

The exit code is 0 in all of these cases. It is 1 where a part of the deployment failed: that part is “not known”, and in “problems” of
--json, which leaves out what is not known.

Examples:
  $ callfeed status
  $ callfeed status --json | jq -e '.accounts | all(.freshness == "live" and (.callbacks.isSilent | not))'`,
  moreHelp: `

Quarantine is counted up to 10 MB. The time of the last callback is exact to a minute. Where the deployment reconciles, the second table
shows when each account’s calls were last compared with the service’s call report, how many calls that has for 15 days, and for how many of
them no callback had come. docs/runbook.md says what to do.`,
  run: async (context, options) => {
    const { terminal } = context;
    const deployment = await context.connect(options);
    const ofSecret: FailedPart[] = [];
    const [accounts, parts] = await Promise.all([
      known(
        accountNames(deployment, options.account, (message) => ofSecret.push({ part: 'accounts', message })).then(
          (all) => Promise.all(all.map((account) => readAccount(context, options, deployment, account))),
        ),
      ),
      readParts(deployment, options.verbose ? terminal.note : undefined),
    ]);
    const now = context.clock();
    const read = knownValue(accounts) ?? [];
    const problems = [
      ...ofSecret,
      ...problemIn('accounts', accounts),
      ...read.flatMap(([account, status]) => problemIn(`account ${account}`, status)),
      ...parts.flatMap(({ name, read }) => problemIn(name, read)),
    ];
    const { bus, tables } = deployment;
    if (options.json)
      terminal.print(
        printableJson({
          accounts: knownValue(accounts)?.map(([account, status]) =>
            'value' in status ? accountJson(status.value, now) : { account },
          ),
          ...Object.fromEntries(parts.map(({ name, json }) => [name, json])),
          ...{ bus: bus.name, tables },
          ...(problems.length > 0 && { problems }),
        }),
      );
    else {
      printAccounts(terminal, read, {
        now,
        isParked: parts.some(({ name, json }) => name === 'parked' && Number(json) > 0),
      });
      for (const { line, standsOut } of parts) terminal.print(standsOut ? styled(terminal, 'yellow', line) : line);
      terminal.print(lineOf('Bus', bus.name));
      terminal.print(lineOf('Tables', Object.values(tables).join(', ')));
    }
    for (const problem of new Set(problems.map(({ message }) => message))) terminal.note(problem);
    context.setExitCode(problems.length > 0 ? 1 : 0);
  },
});

interface FailedPart {
  readonly part: string;
  readonly message: string;
}

const problemIn = (part: string, read: Known<unknown>): readonly FailedPart[] =>
  'unknown' in read ? [{ part, message: read.unknown }] : [];

/** What waits or was rejected in a part of the deployment, for programs and as a line. A part that failed is not known. */
interface Part {
  readonly name: string;
  readonly read: Known<unknown>;
  /** Undefined if it is not known, so that no check of a program takes it for right. */
  readonly json: unknown;
  readonly line: string;
  /** Unless nothing waits: somebody has to look. */
  readonly standsOut: boolean;
}

const readPart = async <Value>(
  [name, title]: readonly [name: string, title: string],
  reading: Promise<Value>,
  describe: (value: Value) => readonly [count: number, text: string],
): Promise<Part> => {
  const read = await known(reading);
  const [count, text] = 'value' in read ? describe(read.value) : [undefined, `not known: ${read.unknown}`];
  return { name, read, json: knownValue(read), line: lineOf(title, text), standsOut: count !== 0 };
};

const lineOf = (title: string, text: string): string => `${title.padEnd(14)}${printable(text)}`;

/** The parts that the deployment has. SQS counts messages approximately. */
const readParts = (deployment: Deployment, onScan: ((line: string) => void) | undefined): Promise<readonly Part[]> => {
  const { queues, recordings } = deployment;
  return Promise.all([
    readPart(['quarantine', 'Quarantine'], countQuarantine(deployment, onScan), ({ entries, isAtLeast }) => [
      entries,
      `${isAtLeast ? 'at least ' : ''}${entries} rejected posts and records`,
    ]),
    readPart(['parked', 'Parked'], queueDepth(deployment, queues.parking), (count) => [
      count,
      `about ${count} messages being retried${count > 0 ? ': a table did not accept them' : ''}`,
    ]),
    readPart(['deadLetters', 'Dead letters'], queueDepth(deployment, queues.deadLetters), (count) => [
      count,
      `about ${count} messages that recovery could not store`,
    ]),
    ...(queues.forwarding === undefined
      ? []
      : [
          readPart(['forwarding', 'Forwarding'], backlogOf(deployment, queues.forwarding), (all) => [
            all.waiting + all.deadLetters,
            forwardingText(all),
          ]),
        ]),
    ...(recordings === undefined
      ? []
      : [
          // Recordings that are not there yet are usual; those that were given up are for somebody to look at.
          readPart(['recordings', 'Recordings'], backlogOf(deployment, recordings), ({ waiting, deadLetters }) => [
            deadLetters,
            `about ${waiting} calls whose recordings are to be fetched, ${deadLetters} recordings given up`,
          ]),
        ]),
  ]);
};

/** A page is 1 MB and costs 128 read units. */
const maxPages = 10;

/** Counts the entries about which somebody may have to do something, as far as ten pages go. */
const countQuarantine = async (
  { dynamodb, tables }: Pick<Deployment, 'dynamodb' | 'tables'>,
  onScan: ((line: string) => void) | undefined,
) => {
  const scan = {
    TableName: tables.quarantine,
    Select: 'COUNT',
    FilterExpression: `attribute_exists(#reason) AND #reason <> :harmless AND ${ofKnownSender} AND ${notDismissed}`,
    ExpressionAttributeNames: { '#reason': 'reason' },
    ExpressionAttributeValues: marshalled({ ':harmless': harmlessReason }),
    ReturnConsumedCapacity: 'TOTAL',
  } as const;
  let [entries, units, pages, isAtLeast] = [0, 0, 0, false];
  for await (const { Count = 0, ConsumedCapacity, LastEvaluatedKey } of paginateScan({ client: dynamodb }, scan)) {
    entries += Count;
    units += ConsumedCapacity?.CapacityUnits ?? 0;
    pages += 1;
    isAtLeast = LastEvaluatedKey !== undefined;
    if (pages === maxPages) break;
  }
  onScan?.(`Scan on quarantine: ${entries} entries, ${counted(pages, 'page')}, ${units} read units`);
  return { entries, isAtLeast };
};

interface AccountStatus {
  readonly account: string;
  readonly feed: Freshness;
  readonly receipts: CallbackReceipts;
  readonly reconciliation: Reconciliation | undefined;
}

type ReadAccount = readonly [account: string, status: Known<AccountStatus>];

const readAccount = async (
  context: RunContext,
  options: ReaderOptions,
  deployment: Deployment,
  account: string,
): Promise<ReadAccount> => {
  const reading = Promise.all([
    clientOf(context, options, deployment, account).feed(),
    callbackReceipts(deployment, account),
    deployment.queues.reconciliation === undefined ? undefined : reconciliationState(deployment, account),
  ]).then(([feed, receipts, reconciliation]) => ({ account, feed, receipts, reconciliation }));
  return [account, await known(reading)];
};

const accountJson = ({ account, feed, receipts, reconciliation }: AccountStatus, now: Date) => {
  const { failingSince, lastProblem, callbacksSilentSince } = feed.feed ?? {};
  const { lastReceivedAt, heldUpAt } = receipts;
  const { now: problem, before: previousProblem } = diagnoseFeed(feed.feed, now);
  return {
    account,
    ...freshnessFields(feed),
    ...countsOf(feed),
    failingSince,
    lastProblem,
    problem,
    previousProblem,
    callbacks: {
      lastReceivedAt,
      ...(lastReceivedAt !== undefined && { ageSeconds: ageOf(lastReceivedAt, now) }),
      isSilent: isSilent(callbacksSilentSince, receipts),
      ...(isSilent(callbacksSilentSince, receipts) && { silentSince: callbacksSilentSince }),
    },
    publishing: { isHeldUp: isHeldUp(receipts, now), heldUpAt },
    ...(reconciliation && { reconciliation: reconciliationJson(reconciliation) }),
  };
};

/** Old counts have names of their own, so that no program reads them as current by mistake. */
const countsOf = (feed: Freshness) => {
  if (feed.freshness === 'none') return {};
  const { agentCount, counts } = feed.feed;
  return feed.freshness === 'live'
    ? { agentCount, counts }
    : { lastKnownAgentCount: agentCount, lastKnownCounts: counts };
};

/** The clock of the receiver may be ahead of this one. */
const ageOf = (instant: string, now: Date): number => Math.max(0, secondsBetween(instant, now.toISOString()));

const columns = {
  account: 'ACCOUNT',
  feed: 'FEED',
  callback: 'LAST CALLBACK',
  agents: 'AGENTS',
  states: 'STATES',
};

const printAccounts = (
  terminal: Terminal,
  read: readonly ReadAccount[],
  { now, isParked }: { readonly now: Date; readonly isParked: boolean },
): void => {
  const { print } = terminal;
  const warn = (line: string) => print(styled(terminal, 'red', line));
  const accounts = read.flatMap(([, one]) => ('value' in one ? [one.value] : []));
  for (const { account, feed } of accounts) print(freshnessLine(terminal, account, feed, now));
  for (const { account, feed, receipts } of accounts) {
    if (isSilent(feed.feed?.callbacksSilentSince, receipts)) warn(silenceLine(account, receipts));
    if (isHeldUp(receipts, now)) warn(heldUpLine(account, receipts));
  }
  // Receiver and poller write to different tables. If neither can, they most likely have the same reason.
  if (isParked && accounts.some(({ feed }) => diagnoseFeed(feed.feed, now).now?.side === 'poller-or-table'))
    warn(databaseLine);
  print('');
  const rows = read.map(([account, one]) => ('value' in one ? rowOf(one.value, now) : { account, feed: 'not known' }));
  report(terminal, false, columns, rows);
  print('');
  const reconciled = accounts.flatMap(({ reconciliation }) => reconciliation ?? []);
  if (reconciled.length === 0) return;
  const progress = reconciled.map((state) => reconciliationRow(state, now));
  report(terminal, false, reconciliationColumns, progress);
  print('');
};

const feedLabels = { none: 'NEVER POLLED', live: 'live', stale: 'STALE' } as const;

/** What an operator does first: the address is the likeliest reason. */
const silenceLine = (account: string, { lastReceivedAt }: CallbackReceipts): string => {
  const since = lastReceivedAt === undefined ? 'so far' : `since ${lastReceivedAt}`;
  return (
    `SILENT: agents of ${printable(account)} end calls, and no callback has come ${since}. ` +
    'Check the callback address first (docs/runbook.md#callbacks-silent).'
  );
};

const heldUpLine = (account: string, { heldUpAt }: CallbackReceipts): string =>
  `HELD UP: events of ${printable(account)} were not published, last seen at ${heldUpAt}. It is over if that does not advance for ` +
  'three minutes. Mostly the bus, or the table before, did not accept writes. ' +
  'Events are kept, and published later (docs/runbook.md#events-late).';

const databaseLine =
  'DATABASE: calls are parked, and the poller writes nothing. Most likely the tables take no writes: DynamoDB, its key or a ' +
  'permission (docs/runbook.md#parked-overdue).';

const rowOf = ({ account, feed, receipts: { lastReceivedAt } }: AccountStatus, now: Date) => ({
  account,
  feed: feedLabels[feed.freshness],
  callback: lastReceivedAt === undefined ? 'none yet' : `${durationText(ageOf(lastReceivedAt, now))} ago`,
  ...(feed.freshness !== 'none' && countCells(feed)),
});

const countCells = ({ freshness, feed }: LiveFreshness | StaleFreshness) => {
  const prefix = freshness === 'live' ? '' : 'last known: ';
  const states = Object.entries(feed.counts).filter(([, count]) => count > 0);
  return {
    agents: `${prefix}${feed.agentCount}`,
    ...(states.length > 0 && { states: `${prefix}${states.map(([state, count]) => `${count} ${state}`).join(', ')}` }),
  };
};

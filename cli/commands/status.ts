import { paginateScan } from '@aws-sdk/client-dynamodb';
import { isHeldUp, isSilent } from '../../lib/agents/callback-receipts.ts';
import { diagnoseFeed, type LiveFreshness, type StaleFreshness } from '../../lib/client/index.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { command, on, type ReaderOptions, type RunContext, readerOptions } from '../command.ts';
import type { Deployment } from '../connection/deployment.ts';
import { queueDepth } from '../dead-letters.ts';
import type { StatusPart } from '../feature.ts';
import { features } from '../features.ts';
import { counted, durationText, printTable } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { type Known, known, knownValue } from '../problem.ts';
import { harmlessReason, notDismissed, ofKnownSender } from '../quarantine-entries.ts';
import { accountNames, callbackReceipts, clientOf } from '../reader.ts';
import { freshnessFields, freshnessLine } from './agents.ts';

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
  run: async (context, options) => {
    const { terminal } = context;
    const deployment = await context.connect(options);
    const found = await readStatus(context, options, deployment);
    if (options.json) terminal.print(printableJson(jsonOf(deployment, found)));
    else printStatus(terminal, deployment, found);
    for (const problem of new Set(found.problems.map(({ message }) => message))) terminal.note(problem);
    context.setExitCode(found.problems.length > 0 ? 1 : 0);
  },
});

/** Accounts and parts, each as it is, or why it is not known. */
const readStatus = async (context: RunContext, options: ReaderOptions, deployment: Deployment) => {
  const ofSecret: FailedPart[] = [];
  const onFailure = (message: string) => ofSecret.push({ part: 'accounts', message });
  const readAccounts = async (): Promise<readonly ReadAccount[]> => {
    const names = await accountNames(deployment, options.account, onFailure);
    const statusOf = (account: string) => known(accountStatus(context, options, deployment, account));
    return Promise.all(names.map(async (account) => ({ account, read: await statusOf(account) })));
  };
  const [accounts, parts] = await Promise.all([
    known(readAccounts()),
    readParts(deployment, options.verbose ? context.terminal.note : undefined),
  ]);
  const problems = [
    ...ofSecret,
    ...problemIn('accounts', accounts),
    ...(knownValue(accounts) ?? []).flatMap(({ account, read }) => problemIn(`account ${account}`, read)),
    ...parts.flatMap(({ name, read }) => problemIn(name, read)),
  ];
  return { accounts, parts, problems };
};
type FoundStatus = Awaited<ReturnType<typeof readStatus>>;

const nameOfBus = ({ bus }: Deployment): string => (bus.kind === 'sandbox' ? bus.eventsAddress : bus.name);

const jsonOf = (deployment: Deployment, { accounts, parts, problems }: FoundStatus) => ({
  accounts: knownValue(accounts)?.map(({ account, read }) => ({ account, ...knownValue(read)?.json })),
  ...Object.fromEntries(parts.map(({ name, read }) => [name, knownValue(read)?.json])),
  bus: nameOfBus(deployment),
  tables: deployment.tables,
  ...(problems.length > 0 && { problems }),
});

const printStatus = (terminal: Terminal, deployment: Deployment, { accounts, parts }: FoundStatus): void => {
  const isParked = parts.some(({ name, read }) => name === 'parked' && (knownValue(read)?.count ?? 0) > 0);
  printAccounts(terminal, knownValue(accounts) ?? [], isParked);
  for (const { title, read } of parts) printPart(terminal, title, read);
  terminal.print(lineOf('Bus', nameOfBus(deployment)));
  terminal.print(lineOf('Tables', Object.values(deployment.tables).join(', ')));
};

type FailedPart = Readonly<Record<'part' | 'message', string>>;

const problemIn = (part: string, read: Known<unknown>): readonly FailedPart[] =>
  'unknown' in read ? [{ part, message: read.unknown }] : [];

const lineOf = (title: string, text: string): string => `${title.padEnd(14)}${printable(text)}`;

const printPart = (
  terminal: Terminal,
  title: string,
  read: Known<{ readonly text: string; readonly count: number }>,
) => {
  const line = lineOf(title, 'value' in read ? read.value.text : `not known: ${read.unknown}`);
  terminal.print(knownValue(read)?.count === 0 ? line : styled(terminal, 'yellow', line));
};

const readParts = (deployment: Deployment, onScan: ((line: string) => void) | undefined) => {
  const depthOf = (queue: string, which: string) => async () => {
    const count = await queueDepth(deployment, queue);
    return { json: count, text: `about ${count} messages ${which}`, count };
  };
  const { parking, deadLetters } = deployment.queues;
  const parts: readonly StatusPart[] = [
    { name: 'quarantine', title: 'Quarantine', read: () => countQuarantine(deployment, onScan) },
    { name: 'parked', title: 'Parked', read: depthOf(parking, 'being retried') },
    { name: 'deadLetters', title: 'Dead letters', read: depthOf(deadLetters, 'that recovery could not store') },
    ...features.flatMap(({ status }) => status?.(deployment) ?? []),
  ];
  return Promise.all(parts.map(async ({ name, title, read }) => ({ name, title, read: await known(read()) })));
};

/** A page is 1 MB and costs 128 read units. */
const maxPages = 10;

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
  const text = `${isAtLeast ? 'at least ' : ''}${entries} rejected posts and records`;
  return { json: { entries, isAtLeast }, text, count: entries };
};

const accountStatus = async (context: RunContext, options: ReaderOptions, deployment: Deployment, account: string) => {
  const [feed, receipts, ...parts] = await Promise.all([
    clientOf(context, options, deployment, account).feed(),
    callbackReceipts(deployment, account),
    ...features.map(({ accountStatus: statusOf }) => statusOf?.(deployment, account)),
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
    freshness: (terminal: Terminal) => freshnessLine(terminal, account, feed, now),
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
    ofFeatures: ofFeatures.map(({ columns, row }) => ({ columns, row: row(now) })),
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

const printAccounts = (terminal: Terminal, all: readonly ReadAccount[], isParked: boolean): void => {
  const { print } = terminal;
  const accounts = all.flatMap(({ read }) => knownValue(read) ?? []);
  // Receiver and poller write to different tables. If neither can, they most likely have the same reason.
  const isDatabase = isParked && accounts.some(({ maySayDatabase }) => maySayDatabase);
  const warnings = [...accounts.flatMap(({ warnings }) => warnings), ...(isDatabase ? [databaseLine] : [])];
  for (const { freshness } of accounts) print(freshness(terminal));
  for (const line of warnings) print(styled(terminal, 'red', line));
  print('');
  const rows = all.map(({ account, read }) => ({ account, ...(knownValue(read)?.row ?? { feed: 'not known' }) }));
  printTable(terminal, columns, rows);
  print('');
  const tables = Map.groupBy(
    accounts.flatMap(({ ofFeatures }) => ofFeatures),
    (part) => part.columns,
  );
  for (const [heads, some] of tables) {
    printTable(
      terminal,
      heads,
      some.map(({ row }) => row),
    );
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

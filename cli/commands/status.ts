import { paginateScan } from '@aws-sdk/client-dynamodb';
import { type CallbackReceipts, isHeldUp, isSilent } from '../../lib/agents/silence.ts';
import { diagnoseFeed, type Freshness, type LiveFreshness, type StaleFreshness } from '../../lib/client/index.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import type { Reconciliation } from '../../lib/reconcile/reconciliation.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { accountNames, callbackReceipts } from '../accounts.ts';
import { command, readerOptions } from '../command.ts';
import type { Deployment } from '../connection/deployment.ts';
import { type Backlog, backlogOf, forwardingText, queueDepth } from '../dead-letters.ts';
import { freshnessFields, freshnessLine } from '../output/agents.ts';
import { reconciliationColumns, reconciliationJson, reconciliationRow } from '../output/reconciliation.ts';
import { counted, durationText, report } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { type Known, known, knownValue } from '../problem.ts';
import { harmlessReason, notDismissed, ofKnownSender } from '../quarantine-entries.ts';
import { clientOf } from '../reader.ts';
import { reconciliationState } from '../reconciliation.ts';

/** `callfeed status` */
export const status = command({
  name: 'status',
  description: 'shows how old the data about agents is, when the last callback came, and what waits or was rejected',
  permissions: [
    { on: 'Agents table', actions: ['dynamodb:GetItem'] },
    { on: 'quarantine table', actions: ['dynamodb:Scan'] },
    {
      on: 'the queues of parked calls, of forwarding and of recordings, each with its dead letters',
      actions: ['sqs:GetQueueAttributes'],
    },
  ],
  options: readerOptions,
  help: `Shows all accounts, unless --account names one. When the data about agents is stale, --json has “lastKnownAgentCount” and
“lastKnownCounts” instead of “agentCount” and “counts”. “problem” is what is wrong with polling now and on which side,
“previousProblem” what was wrong before. The exit code is 0 then too.

A part of the deployment that fails, such as SQS, is named, and the others are shown. The exit code is then 1, and --json names
the part in “problems” and leaves out what is not known.

An account is SILENT if its agents have ended calls and no callback came since: check its callback address first. The time
of the last callback is exact to a minute. HELD UP means that events are not published, mostly because the bus does not accept
them.

Where deliveries are forwarded, “Forwarding” counts those that wait and the dead letters; “callfeed dead-letters list
forwarded” shows whose they are.

Where the deployment reconciles, the second table shows when each account’s calls were last compared with the service’s
call report, how many calls the report has for the last 15 days, and for how many of them no callback had come.

Examples:
  $ callfeed status
  $ callfeed status --json | jq -e '.accounts | all(.freshness == "live" and (.callbacks.isSilent | not))'
  $ callfeed status --json | jq '.accounts[] | {account, problem, previousProblem}'`,
  run: async (context, options) => {
    const { terminal } = context;
    const deployment = await context.connect(options);
    const found = await deploymentStatus(deployment, options.account, (account) =>
      clientOf(context, options, deployment, account).feed(),
    );
    if (options.verbose && 'value' in found.quarantine) {
      const { entries, requests, units } = found.quarantine.value;
      terminal.note(`Scan on quarantine: ${entries} entries, ${counted(requests, 'page')}, ${units} read units`);
    }
    const now = context.clock();
    if (options.json) terminal.print(printableJson(jsonOf(found, now)));
    else printStatus(terminal, found, now);
    const problems = problemsOf(found);
    for (const problem of new Set(problems.map(({ message }) => message))) terminal.note(problem);
    context.setExitCode(problems.length > 0 ? 1 : 0);
  },
});

/** A part that failed is unknown, and the others are shown. SQS counts messages approximately. */
interface DeploymentStatus {
  /** Why the names of the accounts are perhaps a little old. */
  readonly secretProblem: string | undefined;
  readonly accounts: Known<readonly (readonly [account: string, status: Known<AccountStatus>])[]>;
  readonly quarantine: Known<QuarantineCount>;
  readonly parked: Known<number>;
  readonly deadLetters: Known<number>;
  /** Undefined where nothing is forwarded. */
  readonly forwarding: Known<Backlog> | undefined;
  /** Calls whose recordings are still to be fetched, and recordings that were given up. Undefined where none are archived. */
  readonly recordings: Known<Backlog> | undefined;
  readonly bus: string;
  readonly tables: Deployment['tables'];
}

interface AccountStatus {
  readonly account: string;
  readonly feed: Freshness;
  readonly receipts: CallbackReceipts;
  /** Absent where reconciliation is off. */
  readonly reconciliation: Reconciliation | undefined;
}

const deploymentStatus = async (
  deployment: Deployment,
  only: string | undefined,
  feedOf: (account: string) => Promise<Freshness>,
): Promise<DeploymentStatus> => {
  const { queues, tables, bus } = deployment;
  let secretProblem: string | undefined;
  const onFailure = (why: string) => {
    secretProblem = why;
  };
  const statusOf = async (account: string): Promise<AccountStatus> => {
    const [feed, receipts, reconciliation] = await Promise.all([
      feedOf(account),
      callbackReceipts(deployment, account),
      queues.reconciliation === undefined ? undefined : reconciliationState(deployment, account),
    ]);
    return { account, feed, receipts, reconciliation };
  };
  const [accounts, quarantine, parked, deadLetters, forwarding, recordings] = await Promise.all([
    known(
      accountNames(deployment, only, onFailure).then((names) =>
        Promise.all(names.map(async (name) => [name, await known(statusOf(name))] as const)),
      ),
    ),
    known(quarantineCount(deployment)),
    known(queueDepth(deployment, queues.parking)),
    known(queueDepth(deployment, queues.deadLetters)),
    queues.forwarding && known(backlogOf(deployment, queues.forwarding)),
    deployment.recordings && known(backlogOf(deployment, deployment.recordings)),
  ]);
  return { secretProblem, accounts, quarantine, parked, deadLetters, forwarding, recordings, bus: bus.name, tables };
};

/** The parts that failed, and why. */
const problemsOf = (status: DeploymentStatus) => {
  const { secretProblem, accounts, quarantine, parked, deadLetters, forwarding, recordings } = status;
  const parts: readonly (readonly [part: string, read: Known<unknown> | undefined])[] = [
    ['accounts', secretProblem === undefined ? undefined : { unknown: secretProblem }],
    ['accounts', accounts],
    ...(knownValue(accounts) ?? []).map(([name, read]) => [`account ${name}`, read] as const),
    ['quarantine', quarantine],
    ['parked', parked],
    ['deadLetters', deadLetters],
    ['forwarding', forwarding],
    ['recordings', recordings],
  ];
  return parts.flatMap(([part, read]) =>
    read !== undefined && 'unknown' in read ? [{ part, message: read.unknown }] : [],
  );
};

interface QuarantineCount {
  readonly entries: number;
  /** Counting stopped before the end of the table. */
  readonly isAtLeast: boolean;
  readonly requests: number;
  /** Read units. */
  readonly units: number;
}

/** A page is 1 MB and costs 128 read units. */
const maxPages = 10;

/** Counts the entries about which somebody may have to do something. */
const quarantineCount = async ({
  dynamodb,
  tables,
}: Pick<Deployment, 'dynamodb' | 'tables'>): Promise<QuarantineCount> => {
  const scan = {
    TableName: tables.quarantine,
    Select: 'COUNT',
    FilterExpression: `attribute_exists(#reason) AND #reason <> :harmless AND ${ofKnownSender} AND ${notDismissed}`,
    ExpressionAttributeNames: { '#reason': 'reason' },
    ExpressionAttributeValues: marshalled({ ':harmless': harmlessReason }),
    ReturnConsumedCapacity: 'TOTAL',
  } as const;
  let [entries, units, requests, isAtLeast] = [0, 0, 0, false];
  for await (const { Count = 0, ConsumedCapacity, LastEvaluatedKey } of paginateScan({ client: dynamodb }, scan)) {
    entries += Count;
    units += ConsumedCapacity?.CapacityUnits ?? 0;
    requests += 1;
    isAtLeast = LastEvaluatedKey !== undefined;
    if (requests === maxPages) break;
  }
  return { entries, isAtLeast, requests, units };
};

/** What is not known is left out, so that no check of a program takes it for right. */
const jsonOf = (status: DeploymentStatus, now: Date) => {
  const { accounts, quarantine, parked, deadLetters, forwarding, recordings, bus, tables } = status;
  const problems = problemsOf(status);
  const { entries, isAtLeast } = knownValue(quarantine) ?? {};
  return {
    accounts: knownValue(accounts)?.map(([account, read]) =>
      'value' in read ? accountJson(read.value, now) : { account },
    ),
    quarantine: entries === undefined ? undefined : { entries, isAtLeast },
    parked: knownValue(parked),
    deadLetters: knownValue(deadLetters),
    forwarding: knownValue(forwarding),
    recordings: knownValue(recordings),
    bus,
    tables,
    ...(problems.length > 0 && { problems }),
  };
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

const printStatus = (terminal: Terminal, status: DeploymentStatus, now: Date): void => {
  const { print } = terminal;
  const read = knownValue(status.accounts) ?? [];
  const accounts = read.flatMap(([, one]) => ('value' in one ? [one.value] : []));
  for (const { account, feed } of accounts) print(freshnessLine(terminal, account, feed, now));
  for (const { account, feed, receipts } of accounts) {
    if (isSilent(feed.feed?.callbacksSilentSince, receipts))
      print(styled(terminal, 'red', silenceLine(account, receipts)));
    if (isHeldUp(receipts, now)) print(styled(terminal, 'red', heldUpLine(account, receipts)));
  }
  if (isDatabaseSuspected(accounts, status, now)) print(styled(terminal, 'red', databaseLine));
  print('');
  const rows = read.map(([account, one]) => ('value' in one ? rowOf(one.value, now) : { account, feed: 'not known' }));
  report(terminal, false, columns, rows);
  print('');
  const reconciled = accounts.flatMap(({ reconciliation }) => reconciliation ?? []);
  report(
    terminal,
    false,
    reconciliationColumns,
    reconciled.map((state) => reconciliationRow(state, now)),
  );
  if (reconciled.length > 0) print('');
  const { quarantine, parked, deadLetters, forwarding, recordings, bus, tables } = status;
  printCount(terminal, 'Quarantine', quarantine, ({ entries, isAtLeast }) => [
    entries,
    `${isAtLeast ? 'at least ' : ''}${entries} rejected posts and records`,
  ]);
  printCount(terminal, 'Parked', parked, (count) => [
    count,
    `about ${count} messages being retried${count > 0 ? ': a table did not accept them' : ''}`,
  ]);
  printCount(terminal, 'Dead letters', deadLetters, (count) => [
    count,
    `about ${count} messages that recovery could not store`,
  ]);
  printCount(terminal, 'Forwarding', forwarding, (all) => [all.waiting + all.deadLetters, forwardingText(all)]);
  // Recordings that are not there yet are usual; those that were given up are for somebody to look at.
  printCount(terminal, 'Recordings', recordings, ({ waiting, deadLetters: given }) => [
    given,
    `about ${waiting} calls whose recordings are to be fetched, ${given} recordings given up`,
  ]);
  print(lineOf('Bus', bus));
  print(lineOf('Tables', Object.values(tables).join(', ')));
};

const lineOf = (name: string, text: string): string => `${name.padEnd(14)}${printable(text)}`;

/** Prints what waits, if it was asked for. The line stands out unless its count is zero: somebody has to look. */
const printCount = <Value>(
  terminal: Terminal,
  name: string,
  read: Known<Value> | undefined,
  describe: (value: Value) => readonly [count: number, text: string],
): void => {
  if (read === undefined) return;
  const [count, text] = 'value' in read ? describe(read.value) : [undefined, `not known: ${read.unknown}`];
  const line = lineOf(name, text);
  terminal.print(count === 0 ? line : styled(terminal, 'yellow', line));
};

/** Capitals stand out. */
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

/** Receiver and poller write to different tables. If neither can, they most likely have the same reason. */
const isDatabaseSuspected = (
  accounts: readonly AccountStatus[],
  { parked }: Pick<DeploymentStatus, 'parked'>,
  now: Date,
): boolean =>
  (knownValue(parked) ?? 0) > 0 &&
  accounts.some(({ feed }) => diagnoseFeed(feed.feed, now).now?.side === 'poller-or-table');

const databaseLine =
  'DATABASE: calls are parked, and the poller writes nothing. Most likely the tables take no writes: DynamoDB, its key or a ' +
  'permission (docs/runbook.md#callbacks-parked).';

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

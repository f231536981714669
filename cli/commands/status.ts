import { GetItemCommand, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import { secondsBetween } from '../../lib/agents/agent.ts';
import { receiptsKey } from '../../lib/agents/agent-rows.ts';
import { type CallbackReceipts, isSilent, receiptsOf } from '../../lib/agents/callback-receipts.ts';
import { diagnoseFeed, type Freshness, type LiveFreshness, type StaleFreshness } from '../../lib/client/index.ts';
import type { Reconciliation } from '../../lib/reconcile/reconciliation.ts';
import { keyItem, unmarshalled } from '../../lib/schema/attribute-values.ts';
import { accountsOf } from '../accounts.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import { queueDepth } from '../dead-letters.ts';
import { ReaderOptions, withReaderOptions } from '../options.ts';
import { freshnessFields, freshnessLine } from '../output/agents.ts';
import { reconciliationColumns, reconciliationJson, reconciliationRow } from '../output/reconciliation.ts';
import { durationText, report } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { clientOf } from '../reader.ts';
import { reconciliationState } from '../reconciliation.ts';

/** `callfeed status` */
export const status = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('status'))
    .description('shows how old the data about agents is, when the last callback came, and what waits or was rejected')
    .addHelpText(
      'after',
      `
Shows all accounts, unless --account names one. When the data about agents is stale, --json has “lastKnownAgentCount” and
“lastKnownCounts” instead of “agentCount” and “counts”. “problem” is what is wrong with polling now and on which side,
“previousProblem” what was wrong before. The exit code is 0 then too.

An account is SILENT if its agents have ended calls and no callback came since: check its callback address first. The time
of the last callback is exact to a minute.

Where the deployment reconciles, the second table shows when each account’s calls were last compared with the service’s
call report, how many calls the report has for the last 15 days, and for how many of them no callback had come.

Examples:
  $ callfeed status
  $ callfeed status --json | jq -e '.accounts | all(.freshness == "live" and (.callbacks.isSilent | not))'
  $ callfeed status --json | jq '.accounts[] | {account, problem, previousProblem}'`,
    );
  command.action(() => show(context, ReaderOptions.parse(command.optsWithGlobals())));
};

const show = async (context: RunContext, options: ReaderOptions): Promise<void> => {
  const { terminal } = context;
  const deployment = await context.connect(options);
  const accounts =
    options.account === undefined ? (await accountsOf(deployment)).map(({ userName }) => userName) : [options.account];
  const found = await deploymentStatus(deployment, accounts, (account) =>
    clientOf(context, options, deployment, account).feed(),
  );
  const { entries, requests, units } = found.quarantine;
  if (options.verbose)
    terminal.note(
      `Scan on quarantine: ${entries} entries, ${requests} ${requests === 1 ? 'page' : 'pages'}, ${units} read units`,
    );
  const now = context.clock();
  if (options.json) terminal.print(printableJson(jsonOf(found, now)));
  else printStatus(terminal, found, now);
};

/** Numbers of messages are approximate: SQS counts no better. */
interface DeploymentStatus {
  readonly accounts: readonly AccountStatus[];
  readonly quarantine: QuarantineCount;
  readonly parked: number;
  readonly deadLetters: number;
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
  accountNames: readonly string[],
  feedOf: (account: string) => Promise<Freshness>,
): Promise<DeploymentStatus> => {
  const { queues, tables, bus } = deployment;
  const reconciliationOf = async (account: string) =>
    queues.reconciliation === undefined ? undefined : await reconciliationState(deployment, account);
  const [accounts, quarantine, parked, deadLetters] = await Promise.all([
    Promise.all(
      accountNames.map(async (account) => ({
        account,
        feed: await feedOf(account),
        receipts: await callbackReceipts(deployment, account),
        reconciliation: await reconciliationOf(account),
      })),
    ),
    quarantineCount(deployment),
    queueDepth(deployment, queues.parking),
    queueDepth(deployment, queues.deadLetters),
  ]);
  return { accounts, quarantine, parked, deadLetters, bus: bus.name, tables };
};

const callbackReceipts = async (
  { dynamodb, tables }: Pick<Deployment, 'dynamodb' | 'tables'>,
  account: string,
): Promise<CallbackReceipts> => {
  const Key = keyItem(receiptsKey(account));
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: tables.agents, Key, ConsistentRead: true }));
  return receiptsOf(Item && unmarshalled(Item));
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

/** Counts the entries. Rows that only count the posts of unknown senders have no reason. */
const quarantineCount = async ({
  dynamodb,
  tables,
}: Pick<Deployment, 'dynamodb' | 'tables'>): Promise<QuarantineCount> => {
  const scan = {
    TableName: tables.quarantine,
    Select: 'COUNT',
    FilterExpression: 'attribute_exists(#reason)',
    ExpressionAttributeNames: { '#reason': 'reason' },
    ReturnConsumedCapacity: 'TOTAL',
  } as const satisfies ScanCommandInput;
  let after: ScanCommandInput['ExclusiveStartKey'];
  let [entries, units, requests] = [0, 0, 0];
  do {
    const page = await dynamodb.send(new ScanCommand({ ...scan, ...(after && { ExclusiveStartKey: after }) }));
    entries += page.Count ?? 0;
    units += page.ConsumedCapacity?.CapacityUnits ?? 0;
    requests += 1;
    after = page.LastEvaluatedKey;
  } while (after !== undefined && requests < maxPages);
  return { entries, isAtLeast: after !== undefined, requests, units };
};

const jsonOf = ({ accounts, quarantine: { entries, isAtLeast }, ...rest }: DeploymentStatus, now: Date) => ({
  accounts: accounts.map((account) => accountJson(account, now)),
  quarantine: { entries, isAtLeast },
  ...rest,
});

const accountJson = ({ account, feed, receipts, reconciliation }: AccountStatus, now: Date) => {
  const { failingSince, lastProblem, callbacksSilentSince } = feed.feed ?? {};
  const { lastReceivedAt } = receipts;
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
  for (const { account, feed } of status.accounts) print(freshnessLine(terminal, account, feed, now));
  for (const { account, feed, receipts } of status.accounts)
    if (isSilent(feed.feed?.callbacksSilentSince, receipts))
      print(styled(terminal, 'red', silenceLine(account, receipts)));
  if (isDatabaseSuspected(status, now)) print(styled(terminal, 'red', databaseLine));
  print('');
  report(
    terminal,
    false,
    columns,
    status.accounts.map((account) => rowOf(account, now)),
  );
  print('');
  const reconciled = status.accounts.flatMap(({ reconciliation }) => reconciliation ?? []);
  report(
    terminal,
    false,
    reconciliationColumns,
    reconciled.map((state) => reconciliationRow(state, now)),
  );
  if (reconciled.length > 0) print('');
  const { quarantine, parked, deadLetters, bus, tables } = status;
  const lines = [
    [
      'Quarantine',
      `${quarantine.isAtLeast ? 'at least ' : ''}${quarantine.entries} rejected posts and records`,
      quarantine.entries,
    ],
    ['Parked', `about ${parked} messages being retried${parked > 0 ? ': a table did not accept them' : ''}`, 0],
    ['Dead letters', `about ${deadLetters} messages that recovery could not store`, deadLetters],
    ['Bus', bus, 0],
    ['Tables', Object.values(tables).join(', '), 0],
  ] as const;
  for (const [name, text, problems] of lines) {
    const line = `${name.padEnd(14)}${printable(text)}`;
    print(problems > 0 ? styled(terminal, 'yellow', line) : line);
  }
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

/** Receiver and poller write to different tables. If neither can, they most likely have the same reason. */
const isDatabaseSuspected = ({ accounts, parked }: DeploymentStatus, now: Date): boolean =>
  parked > 0 && accounts.some(({ feed }) => diagnoseFeed(feed.feed, now).now?.side === 'poller-or-table');

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

import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import type { Freshness, LiveFreshness, StaleFreshness } from '../../lib/client/index.ts';
import type { Reconciliation } from '../../lib/reconcile/reconciliation.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import { queueDepth } from '../dead-letters.ts';
import { ReaderOptions, withReaderOptions } from '../options.ts';
import { freshnessFields, freshnessLine } from '../output/agents.ts';
import { reconciliationColumns, reconciliationJson, reconciliationRow } from '../output/reconciliation.ts';
import { report } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { clientOf } from '../reader.ts';
import { reconciliationState } from '../reconciliation.ts';

/** `callfeed status` */
export const status = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('status'))
    .description('shows how old the data about agents is, and counts quarantine, parked messages and dead letters')
    .addHelpText(
      'after',
      `
Shows all accounts, unless --account names one. When the data about agents is stale, --json has “lastKnownAgentCount” and
“lastKnownCounts” instead of “agentCount” and “counts”. The exit code is 0 then too.

Where the deployment reconciles, the second table shows when each account’s calls were last compared with the service’s
call report, how many calls the report has for the last 15 days, and for how many of them no callback had come.

Examples:
  $ callfeed status
  $ callfeed status --json | jq -e '.accounts | all(.freshness == "live")'`,
    );
  command.action(() => show(context, ReaderOptions.parse(command.optsWithGlobals())));
};

const show = async (context: RunContext, options: ReaderOptions): Promise<void> => {
  const { terminal } = context;
  const deployment = await context.connect(options);
  const accounts =
    options.account === undefined
      ? (await deployment.accounts()).all.map(({ userName }) => userName)
      : [options.account];
  const found = await deploymentStatus(deployment, accounts, (account) =>
    clientOf(context, options, deployment, account).feed(),
  );
  const { entries, requests, units } = found.quarantine;
  if (options.verbose)
    terminal.note(
      `Scan on quarantine: ${entries} entries, ${requests} ${requests === 1 ? 'page' : 'pages'}, ${units} read units`,
    );
  if (options.json) terminal.print(printableJson(jsonOf(found)));
  else printStatus(terminal, found, context.clock());
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
        reconciliation: await reconciliationOf(account),
      })),
    ),
    quarantineCount(deployment),
    queueDepth(deployment, queues.parking),
    queueDepth(deployment, queues.deadLetters),
  ]);
  return { accounts, quarantine, parked, deadLetters, bus: bus.name, tables };
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

const jsonOf = ({ accounts, quarantine: { entries, isAtLeast }, ...rest }: DeploymentStatus) => ({
  accounts: accounts.map(accountJson),
  quarantine: { entries, isAtLeast },
  ...rest,
});

const accountJson = ({ account, feed, reconciliation }: AccountStatus) => {
  const { failingSince, lastProblem } = feed.feed ?? {};
  return {
    account,
    ...freshnessFields(feed),
    ...countsOf(feed),
    failingSince,
    lastProblem,
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

const columns = { account: 'ACCOUNT', feed: 'FEED', agents: 'AGENTS', states: 'STATES' };

const printStatus = (terminal: Terminal, status: DeploymentStatus, now: Date): void => {
  const { print } = terminal;
  for (const { account, feed } of status.accounts) print(freshnessLine(terminal, account, feed));
  print('');
  report(terminal, false, columns, status.accounts.map(rowOf));
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
    ['Parked', `about ${parked} messages being retried`, 0],
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

const rowOf = ({ account, feed }: AccountStatus) => ({
  account,
  feed: feedLabels[feed.freshness],
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

import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import type { Freshness, LiveFreshness, StaleFreshness } from '../../lib/client/index.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import { queueDepth } from '../dead-letters.ts';
import { ReaderOptions, withReaderOptions } from '../options.ts';
import { freshnessFields, freshnessLine } from '../output/agents.ts';
import { report } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { clientOf } from '../reader.ts';

/** How many entries quarantine has; at least so many where counting them all would read too much. */
export interface QuarantineCount {
  readonly entries: number;
  readonly isAtLeast: boolean;
  /** How often was asked, and what that took in read units. */
  readonly requests: number;
  readonly units: number;
}

/** A page is 1 MB, and 128 read units. */
const mostPages = 10;

/** Counts the entries, of which the rows that count strangers' posts are none. */
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
  } while (after !== undefined && requests < mostPages);
  return { entries, isAtLeast: after !== undefined, requests, units };
};

/** How old the picture of an account's floor is. */
export interface AccountStatus {
  readonly account: string;
  readonly picture: Freshness;
}

/** How a deployment does. Numbers of messages are approximate, as queues tell them. */
export interface DeploymentStatus {
  readonly accounts: readonly AccountStatus[];
  readonly quarantine: QuarantineCount;
  readonly parked: number;
  readonly deadLetters: number;
  readonly bus: string;
  readonly tables: Deployment['tables'];
}

/** Looks at every part of a deployment that tells how it does. */
const deploymentStatus = async (
  deployment: Deployment,
  accounts: readonly string[],
  feedOf: (account: string) => Promise<Freshness>,
): Promise<DeploymentStatus> => {
  const { queues, tables, bus } = deployment;
  const [pictures, quarantine, parked, deadLetters] = await Promise.all([
    Promise.all(accounts.map(async (account) => ({ account, picture: await feedOf(account) }))),
    quarantineCount(deployment),
    queueDepth(deployment, queues.parking),
    queueDepth(deployment, queues.deadLetters),
  ]);
  return { accounts: pictures, quarantine, parked, deadLetters, bus: bus.name, tables };
};

/** What a feed is called in the table; what is not kept up stands out. */
const feedLabels = { none: 'NEVER POLLED', live: 'live', stale: 'STALE' } as const;

const columns = { account: 'ACCOUNT', feed: 'FEED', agents: 'AGENTS', states: 'STATES' };

/** Prints how a deployment does, for people. */
const printStatus = (terminal: Terminal, status: DeploymentStatus): void => {
  const { print } = terminal;
  for (const { account, picture } of status.accounts) print(freshnessLine(terminal, account, picture));
  print('');
  report(terminal, false, columns, status.accounts.map(rowOf));
  print('');
  const { quarantine, parked, deadLetters, bus, tables } = status;
  const lines = [
    [
      'Quarantine',
      `${quarantine.isAtLeast ? 'at least ' : ''}${quarantine.entries} not understood`,
      quarantine.entries,
    ],
    ['Parked', `about ${parked} wait for their table`, 0],
    ['Dead letters', `about ${deadLetters} set aside`, deadLetters],
    ['Bus', bus, 0],
    ['Tables', Object.values(tables).join(', '), 0],
  ] as const;
  for (const [name, text, troubles] of lines) {
    const line = `${name.padEnd(14)}${printable(text)}`;
    print(troubles > 0 ? styled(terminal, 'yellow', line) : line);
  }
};

const rowOf = ({ account, picture }: AccountStatus) => ({
  account,
  feed: feedLabels[picture.freshness],
  ...(picture.freshness !== 'none' && countCells(picture)),
});

const countCells = ({ freshness, feed }: LiveFreshness | StaleFreshness) => {
  const known = freshness === 'live' ? '' : 'last known: ';
  const states = Object.entries(feed.counts).filter(([, count]) => count > 0);
  return {
    agents: `${known}${feed.agentCount}`,
    ...(states.length > 0 && { states: `${known}${states.map(([state, count]) => `${count} ${state}`).join(', ')}` }),
  };
};

/** `callfeed status` */
export const status = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('status'))
    .description('shows how old the picture of agents is, what waits and what was set aside')
    .addHelpText(
      'after',
      `
All accounts are shown, unless --account names one. A stale picture is said to be so, and --json has
“lastKnownAgentCount” and “lastKnownCounts” in the place of “agentCount” and “counts”; the exit code is 0 all the same.

Examples:
  $ callfeed status
  $ callfeed status --json | jq -e '.accounts | all(.freshness == "live")'`,
    );
  command.action(() => show(context, ReaderOptions.parse(command.optsWithGlobals())));
};

const show = async (context: RunContext, asked: ReaderOptions): Promise<void> => {
  const { terminal } = context;
  const deployment = await context.connect(asked);
  const accounts =
    asked.account === undefined ? (await deployment.accounts()).all.map(({ userName }) => userName) : [asked.account];
  const found = await deploymentStatus(deployment, accounts, (account) =>
    clientOf(context, asked, deployment, account).feed(),
  );
  const { entries, requests, units } = found.quarantine;
  if (asked.verbose)
    terminal.note(
      `Scan on quarantine: ${entries} entries, ${requests} ${requests === 1 ? 'page' : 'pages'}, ${units} read units`,
    );
  if (asked.json) terminal.print(printableJson(jsonOf(found)));
  else printStatus(terminal, found);
};

const jsonOf = ({ accounts, quarantine: { entries, isAtLeast }, ...rest }: DeploymentStatus) => ({
  accounts: accounts.map(accountJson),
  quarantine: { entries, isAtLeast },
  ...rest,
});

const accountJson = ({ account, picture }: AccountStatus) => {
  const { failingSince, lastProblem } = picture.feed ?? {};
  return { account, ...freshnessFields(picture), ...countsOf(picture), failingSince, lastProblem };
};

/** Old counts have names of their own, so that nobody takes them for new ones without looking. */
const countsOf = (picture: Freshness) => {
  if (picture.freshness === 'none') return {};
  const { agentCount, counts } = picture.feed;
  return picture.freshness === 'live'
    ? { agentCount, counts }
    : { lastKnownAgentCount: agentCount, lastKnownCounts: counts };
};

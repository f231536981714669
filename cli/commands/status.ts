import { paginateScan } from '@aws-sdk/client-dynamodb';
import { marshalled } from '../../lib/storage/rows.ts';
import { accountStatus, printAccounts } from '../account-status.ts';
import { command, on, type RunContext } from '../command.ts';
import type { Deployment } from '../connection/deployment.ts';
import { queueDepth } from '../dead-letters.ts';
import type { StatusPart } from '../feature.ts';
import { features } from '../features.ts';
import { type ReaderOptions, readerOptions } from '../options.ts';
import { counted } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { type Known, known, knownValue } from '../problem.ts';
import { harmlessReason, notDismissed, ofKnownSender } from '../quarantine-entries.ts';
import { accountNames } from '../reader.ts';

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
  const readAccounts = async () => {
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
  for (const { title, read } of parts) {
    const line = lineOf(title, 'value' in read ? read.value.text : `not known: ${read.unknown}`);
    terminal.print(knownValue(read)?.count === 0 ? line : styled(terminal, 'yellow', line));
  }
  terminal.print(lineOf('Bus', nameOfBus(deployment)));
  terminal.print(lineOf('Tables', Object.values(deployment.tables).join(', ')));
};

type FailedPart = Readonly<Record<'part' | 'message', string>>;

const problemIn = (part: string, read: Known<unknown>): readonly FailedPart[] =>
  'unknown' in read ? [{ part, message: read.unknown }] : [];

const lineOf = (title: string, text: string): string => `${title.padEnd(14)}${printable(text)}`;

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

const countQuarantine = async ({ dynamodb, tables }: Deployment, onScan: ((line: string) => void) | undefined) => {
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

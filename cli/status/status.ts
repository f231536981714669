import { paginateScan } from '@aws-sdk/client-dynamodb';
import { marshalled } from '../../lib/storage/rows.ts';
import { type BareCommand, command, on, type RunContext } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import type { Feature, HealthText, StatusPart } from '../frame/feature.ts';
import { type ReaderOptions, readerOptions } from '../frame/options.ts';
import { type Known, known, knownValue } from '../frame/problem.ts';
import { accountNames } from '../frame/reader.ts';
import { counted } from '../frame/report.ts';
import { printable, printableJson, styled, type Terminal } from '../frame/terminal.ts';
import { harmlessReason, notDismissed, ofKnownSender } from '../quarantine/quarantine-entries.ts';
import { accountStatus, printAccounts } from './account-status.ts';
import { deadLettersPart, parkedPart } from './parking-parts.ts';
import { type Warning, warningLine, warningsOf } from './warnings.ts';

export const status = (features: readonly Feature[]) =>
  command({
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
    options: (command: BareCommand) =>
      readerOptions(command).option('--check', 'print only what needs somebody, and end with 1 if there is any', false),
    help: `A line that begins with a word in capitals needs somebody, and ends with the command to run next, where one helps. STALE, NEVER POLLED: polls
do not succeed; the line says on which side and since when. SILENT: agents have ended calls, and no callback came since. HELD UP: events are
not published in time. PARKED: calls wait until their table takes them. DATABASE: so they do, and the poller writes nothing either. DEAD
LETTERS: what was tried in vain for a day, or a recording for two. QUARANTINE: posts that were rejected. RECONCILIATION: the latest run gave up,
a day of the call report was not read to its end, or too many calls had no callback. An account that is not polled by its settings needs
nobody.

--json has these lines in “warnings”, each with its “word”, “text” and “command”. Of a stale account it has “lastKnownAgentCount” and
“lastKnownCounts” instead of “agentCount” and “counts”, and “problem” and “previousProblem”. While something is parked, a dead letter or held
up, a later callback may have come than LAST CALLBACK says (“mayBeLater”).

Exit codes with --check: 0, nothing needs anybody, and nothing is printed; 1, something does, or a part of the deployment is not known; 2, the
command line is wrong. Without --check the code is 1 only where a part is not known: it is in “problems” of --json, which leaves it out.

Examples:
  $ callfeed status
  $ callfeed status --check || echo "Callfeed needs somebody"
  $ callfeed status --check --json | jq -r '.warnings[] | "\\(.word) \\(.command // "")"'
  $ callfeed status --json | jq -e '.accounts | all(.freshness == "live" and (.callbacks.isSilent | not))'`,
    run: async (context, options) => {
      const { terminal } = context;
      const deployment = await context.connect(options);
      const found = await readStatus(features, context, options, deployment);
      if (options.json) terminal.print(printableJson(jsonOf(deployment, found)));
      else if (options.check) for (const warning of found.warnings) terminal.print(warningLine(terminal, warning));
      else printStatus(terminal, deployment, found);
      for (const problem of new Set(found.problems.map(({ message }) => message))) terminal.note(problem);
      const needsSomebody = options.check && found.warnings.length > 0;
      context.setExitCode(needsSomebody || found.problems.length > 0 ? 1 : 0);
    },
  });

/** Accounts and parts, each as it is, or why it is not known, and what of it needs somebody. */
const readStatus = async (
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
    const statusOf = (account: string) => known(accountStatus(context, options, deployment, account, stuck));
    return Promise.all(names.map(async (account) => ({ account, read: await statusOf(account) })));
  };
  const [accounts, parts] = await Promise.all([known(readAccounts()), readingParts]);
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
    ...(isDatabase ? [databaseWarning] : []),
    ...parts.flatMap(({ title, read: part }) => {
      const health = knownValue(part)?.health;
      return health === undefined ? [] : warningsOf({ title }, health, options);
    }),
  ];
  return { accounts, parts, warnings, problems };
};
type FoundStatus = Awaited<ReturnType<typeof readStatus>>;

const databaseWarning: Warning = {
  word: 'DATABASE',
  text:
    'calls are parked, and the poller writes nothing. Most likely the tables take no writes: DynamoDB, its key or a ' +
    'permission (docs/runbook.md#parked-overdue).',
};

const nameOfBus = ({ bus }: Deployment): string => (bus.kind === 'sandbox' ? bus.eventsAddress : bus.name);

const jsonOf = (deployment: Deployment, { accounts, parts, warnings, problems }: FoundStatus) => ({
  accounts: knownValue(accounts)?.map(({ account, read }) => ({ account, ...knownValue(read)?.json })),
  ...Object.fromEntries(parts.map(({ name, read }) => [name, knownValue(read)?.json])),
  bus: nameOfBus(deployment),
  tables: deployment.tables,
  warnings,
  ...(problems.length > 0 && { problems }),
});

const printStatus = (terminal: Terminal, deployment: Deployment, { accounts, parts, warnings }: FoundStatus): void => {
  printAccounts(terminal, knownValue(accounts) ?? [], warnings);
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

const readParts = (
  features: readonly Feature[],
  deployment: Deployment,
  onScan: ((line: string) => void) | undefined,
) => {
  const parts: readonly StatusPart[] = [
    { name: 'quarantine', title: 'Quarantine', read: () => countQuarantine(deployment, onScan) },
    parkedPart(deployment),
    deadLettersPart(deployment),
    ...features.flatMap(({ status }) => status?.(deployment) ?? []),
  ];
  return Promise.all(parts.map(async ({ name, title, read }) => ({ name, title, read: await known(read()) })));
};

/** How much waits in a part; none where it is not known, which is said by itself. */
const countOf = (parts: Awaited<ReturnType<typeof readParts>>, of: string): number =>
  knownValue(parts.find(({ name }) => name === of)?.read)?.count ?? 0;

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
  let entries = 0;
  let units = 0;
  let pages = 0;
  let isAtLeast = false;
  for await (const { Count = 0, ConsumedCapacity, LastEvaluatedKey } of paginateScan({ client: dynamodb }, scan)) {
    entries += Count;
    units += ConsumedCapacity?.CapacityUnits ?? 0;
    pages += 1;
    isAtLeast = LastEvaluatedKey !== undefined;
    if (pages === maxPages) break;
  }
  onScan?.(`Scan on quarantine: ${entries} entries, ${counted(pages, 'page')}, ${units} read units`);
  const text = `${isAtLeast ? 'at least ' : ''}${entries} rejected posts and records`;
  const health: HealthText =
    entries === 0
      ? { verdict: isAtLeast ? 'unknown' : 'good', lines: ['None waits for somebody.'] }
      : {
          verdict: 'bad',
          lines: [`${text} wait for somebody. The command shows why:`],
          command: ['quarantine', 'list'],
        };
  return { json: { entries, isAtLeast }, text, count: entries, health };
};

import { Option } from '@commander-js/extra-typings';
import { type BareCommand, command, listsDeadLetters, type OptionsOf, on, type RunContext } from '../frame/command.ts';
import { commandLine, type Deployment } from '../frame/deployment.ts';
import type { Feature } from '../frame/feature.ts';
import { readerOptions, type Since, sinceFrom, sinceInstant } from '../frame/options.ts';
import { knownValue } from '../frame/problem.ts';
import { printable, printableJson, styled, type Terminal } from '../frame/terminal.ts';
import { ownVersion, unnamedVersion, upgradeNotes } from '../frame/version-fit.ts';
import { printAccounts } from './account-status.ts';
import { happenedSince, printHappenings } from './happenings.ts';
import { type FailedPart, type FoundStatus, readStatus } from './read-status.ts';
import { warningLine } from './warnings.ts';

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
      on('Agents table', 'dynamodb:Query', 'with `--since`'),
      on('Calls table and its index `byTime`', 'dynamodb:Query dynamodb:BatchGetItem', 'with `--since`, of recordings'),
      listsDeadLetters('the dead letters of parked calls and of forwarding', 'with `--since`'),
    ],
    options,
    help: `A line that begins with a word in capitals needs somebody, and ends with the command to run next. STALE, NEVER POLLED: polls
do not succeed; the line says on which side and since when. SILENT: agents have ended calls, and no callback came since. HELD UP: events are
not published in time. PARKED: calls wait until their table takes them. DATABASE: so they do, and the poller writes nothing either. DEAD
LETTERS: what was tried in vain for a day, or a recording for two. QUARANTINE: posts that were rejected. RECONCILIATION: the latest run gave up,
a day of the call report was not read to its end, or too many calls had no callback. An account that is not polled by its settings needs
nobody.

--since lists in the order of time: interruptions of the feed and their ends, when events were last held up and a parked call was last stored,
rejected posts by reason, dead letters, and what reconciliation read. Then come the lines of what needs somebody now. It knows what is stored:
of events that were held up, and of each day of the report, only the latest time. Parked dead letters are dated by the receipt of their post, others
by when they were given up; reading them counts as a receive, and hides them from others for two minutes at most.

--json has these lines in “warnings”, each with its “word”, “text” and “command”. Of a stale account it has “lastKnownAgentCount” and
“lastKnownCounts” instead of “agentCount” and “counts”, and “problem” and “previousProblem”. While something is parked, a dead letter or held
up, a later callback may have come than LAST CALLBACK says (“mayBeLater”). With --since it has “since”, “happened” and “warnings”.

Exit codes with --check: 0, nothing needs anybody, and nothing is printed; 1, something does, or a part of the deployment is not known; 2, the
command line is wrong. Without --check the code is 1 only where a part is not known: it is in “problems” of --json, which leaves it out.

Examples:
  $ callfeed status
  $ callfeed status --since 3h
  $ callfeed status --check || echo "Callfeed needs somebody"
  $ callfeed status --check --json | jq -r '.warnings[] | "\\(.word) \\(.command // "")"'
  $ callfeed status --json | jq -e '.accounts | all(.freshness == "live" and (.callbacks.isSilent | not))'`,
    run: async (context, options) => {
      const { terminal } = context;
      const deployment = await context.connect(options);
      const found = await readStatus(features, context, options, deployment);
      const { since } = options;
      if (since !== undefined) return showHappenings(context, { ...options, since }, deployment, found);
      if (options.json) terminal.print(printableJson(jsonOf(deployment, found)));
      else if (options.check) for (const warning of found.warnings) terminal.print(warningLine(terminal, warning));
      else printStatus(terminal, deployment, found);
      noteProblems(terminal, found.problems);
      const needsSomebody = options.check && found.warnings.length > 0;
      context.setExitCode(needsSomebody || found.problems.length > 0 ? 1 : 0);
    },
  });

const options = (command: BareCommand) =>
  readerOptions(command)
    .option('--check', 'print only what needs somebody, and end with 1 if there is any', false)
    .addOption(
      new Option('--since <time>', 'list what happened in the last 90m, 3h or 2d, or since an instant')
        .argParser(sinceFrom)
        .conflicts('check'),
    );
type StatusOptions = OptionsOf<typeof options>;

/** What happened since then, and under it what needs somebody now. */
const showHappenings = async (
  context: RunContext,
  { since: asked, ...options }: StatusOptions & { readonly since: Since },
  deployment: Deployment,
  { accounts, parts, warnings, problems }: FoundStatus,
): Promise<void> => {
  const { terminal, clock } = context;
  const since = sinceInstant(asked, clock());
  const names = knownValue(accounts)?.map(({ account }) => account) ?? [];
  const past = await happenedSince({ context, deployment, accounts: names, since }, parts);
  const all = [...problems, ...past.problems];
  if (options.json) {
    const happened = past.happened.map(({ command, ...one }) => ({
      ...one,
      ...(command !== undefined && { command: commandLine(options, ...command) }),
    }));
    terminal.print(printableJson({ since, happened, warnings, ...(all.length > 0 && { problems: all }) }));
  } else {
    if (past.happened.length === 0) terminal.print(`Nothing is stored that happened since ${since}.`);
    printHappenings(terminal, past.happened, (words) => commandLine(options, ...words));
    terminal.print('');
    for (const warning of warnings) terminal.print(warningLine(terminal, warning));
    if (warnings.length === 0) terminal.print('Nothing needs anybody now.');
  }
  noteProblems(terminal, all);
  context.setExitCode(all.length > 0 ? 1 : 0);
};

const noteProblems = (terminal: Terminal, problems: readonly FailedPart[]): void => {
  for (const problem of new Set(problems.map(({ message }) => message))) terminal.note(problem);
};

const nameOfBus = ({ bus }: Deployment): string => (bus.kind === 'sandbox' ? bus.eventsAddress : bus.name);

/** The version of the deployment, and the section of the pages that says how to upgrade it, if it is older than this command line. */
const versionOf = ({ version: deployed }: Deployment) => {
  const upgrade = upgradeNotes(ownVersion, deployed);
  return { deployed: deployed ?? null, ...(upgrade !== undefined && { upgrade }) };
};

const versionText = ({ deployed, upgrade }: ReturnType<typeof versionOf>): string => {
  const text = deployed ?? unnamedVersion;
  return upgrade === undefined ? text : `${text}, and this is ${ownVersion}: ${upgrade} says what to do first`;
};

const jsonOf = (deployment: Deployment, { accounts, parts, warnings, problems }: FoundStatus) => ({
  accounts: knownValue(accounts)?.map(({ account, read }) => ({ account, ...knownValue(read)?.json })),
  ...Object.fromEntries(parts.map(({ name, read }) => [name, knownValue(read)?.json])),
  bus: nameOfBus(deployment),
  version: versionOf(deployment),
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
  terminal.print(lineOf('Version', versionText(versionOf(deployment))));
  terminal.print(lineOf('Bus', nameOfBus(deployment)));
  terminal.print(lineOf('Tables', Object.values(deployment.tables).join(', ')));
};

const lineOf = (title: string, text: string): string => `${title.padEnd(14)}${printable(text)}`;

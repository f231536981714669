import type { DayCounts } from '../../functions/reconcile-calls/day-reading.ts';
import { daysInReport, dueDays, reportedDays } from '../../functions/reconcile-calls/due-days.ts';
import { isUnderWay } from '../../functions/reconcile-calls/reconciliation.ts';
import { findAccount } from '../../lib/accounts/account-index.ts';
import { type BareCommand, command, type OptionsOf, on, type RunContext } from '../frame/command.ts';
import { accountOption, dayOption, dryRunOption, today, wholeNumber, yesterday } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { type Reader, reader } from '../frame/reader.ts';
import { printTable } from '../frame/table.ts';
import { printable, printableJson } from '../frame/terminal.ts';
import { counted, durationText } from '../frame/texts.ts';
import { type CutDay, cutDays, cutText } from './cut-days.ts';
import { followRun, reconciliationState, requestRun } from './follow-run.ts';
import { secondsLeft } from './time-left.ts';

const options = (command: BareCommand) =>
  command
    .addOption(dayOption().conflicts('last'))
    .option('--last <days>', `the last days, today among them: 1 to ${reportedDays}`, wholeNumber(1, reportedDays))
    .addOption(accountOption)
    .addOption(dryRunOption);
type ReconcileOptions = OptionsOf<typeof options>;

export const reconcile = command({
  name: 'reconcile',
  description: 'compares the calls with the service’s call report, and stores those whose callback never came',
  permissions: [on('Agents table', 'dynamodb:GetItem'), on('reconciliation queue', 'sqs:SendMessage')],
  options,
  help: `Without --day and --last it reads the days that are due: today, the two days before, and older ones that were never read to their end.
Ctrl-C stops only this command, and the run goes on in the deployment. If a run is under way already, this command follows it, or waits for
its end where you name days. Exit code 1: the run gave up, a day was not read to its end, you stopped the command, or nothing happened for
seven minutes.

Examples:
  $ callfeed reconcile --day today
  $ callfeed reconcile --last ${reportedDays} --dry-run --account acme`,
  run: async (context, options) => {
    const { terminal, clock } = context;
    const { json, dryRun: isDryRun } = options;
    const found = await reader(context, options);
    const { deployment, account } = found;
    const stop = context.interruption();
    const begun = await begin(context, found, options);

    const state = await followRun(deployment, { account, id: begun.id }, { terminal, clock, stop });
    const { done = {}, endedAt } = state.lastRun ?? {};
    const days = Object.entries(done).toSorted(([one], [other]) => (one < other ? 1 : -1));
    if (json) for (const [day, counts] of days) terminal.print(printableJson({ account, day, ...counts, isDryRun }));
    else printTable(terminal, columns, days.map(cellsOf));
    const { problem } = state;
    if (problem === undefined || problem.at !== endedAt) {
      terminal.note(summaryOf(done, isDryRun));
      return rejectCutDays(cutDays(done, state.days));
    }

    const missing = begun.days.filter((day) => done[day] === undefined);
    throw new Problem(
      `The run gave up at ${problem.at} (${problem.reason}). Not read: ${missing.join(', ')}. ` +
        'The days above are done; the next run of the schedule tries the others again.',
    );
  },
});

const begin = async (
  { terminal, clock }: RunContext,
  found: Reader,
  { day, last, dryRun: isDryRun }: ReconcileOptions,
): Promise<{ readonly id: string; readonly days: readonly string[] }> => {
  const { deployment, account } = found;
  const queue = deployment.queues.reconciliation;
  if (queue === undefined)
    throw new Problem(
      'This deployment does not reconcile. Set “reconciliation” to hourly or daily (docs/configuration.md) and deploy.',
    );
  const timeZone = await zoneOf(found);
  const now = clock();
  const named = namedDays({ day, last }, timeZone, now);
  const state = await reconciliationState(deployment, account);
  const { run: present } = state;
  if (named === undefined && present?.isDryRun === isDryRun && isUnderWay(state, now)) {
    terminal.note(`Following the run that is under way since ${present.startedAt}.`);
    return { id: present.id, days: [...Object.keys(present.done), ...present.days] };
  }

  const days = named ?? dueDays(state, timeZone, now);
  // Named days wait for the end of another run; a start without days would be dropped.
  const begun = { id: await requestRun(deployment, queue, { account, days, isDryRun }), days };
  const seconds = secondsLeft(state, { days: [...days], page: 1, done: {}, dueAt: now.toISOString() }, now);
  const time = `about ${durationText(seconds)}${isUnderWay(state, now) ? ', after the run that is under way' : ''}`;
  terminal.note(`Reading ${counted(days.length, 'day')} of ${printable(account)} (${timeZone}): ${time}.`);
  return begun;
};

const zoneOf = async ({ accounts, account: name }: Reader): Promise<string> => {
  const account = findAccount(await accounts(), name);
  if (account === undefined) throw new Problem(`The deployment has no account ${printable(name)}.`, 2);
  if (account.isPolled) return account.timeZone;
  throw new Problem(`The account ${printable(name)} has no “baseUrl” in the secret: its report has no address.`);
};

const namedDays = ({ day, last }: Pick<ReconcileOptions, 'day' | 'last'>, timeZone: string, now: Date) => {
  const inReport = daysInReport(timeZone, now);
  if (last !== undefined) return inReport.slice(0, last);
  if (day === undefined) return undefined;

  const named = inReport.find((one, age) => one === day || day === [today, yesterday][age]);
  if (named !== undefined) return [named];
  throw new Problem(
    `The service reports the days ${inReport.at(-1)} to ${inReport[0]} (${timeZone}); ${day} is not among them.`,
    2,
  );
};

const columns = {
  day: 'DAY',
  calls: 'IN THE REPORT',
  known: 'KNOWN',
  found: 'FOUND',
  completed: 'COMPLETED',
  unreadable: 'UNREADABLE',
};

const cellsOf = ([day, counts]: readonly [string, DayCounts]) => {
  const { calls, known, found, completed, unreadable } = counts;
  return { day, calls, known, found, completed, unreadable };
};

const rejectCutDays = (cut: readonly CutDay[]): void => {
  if (cut.length === 0) return;
  throw new Problem(
    `Not read to the end: ${cut.map(cutText).join('; ')}. The next run of the schedule reads ${cut.length === 1 ? 'that day' : 'those days'} again. ` +
      'If it stays so, see “Reconciliation silent” in docs/runbook.md.',
  );
};

const summaryOf = (done: Readonly<Record<string, DayCounts>>, isDryRun: boolean): string => {
  const sum = (name: 'calls' | 'found' | 'completed' | 'unreadable') =>
    Object.values(done).reduce((total, counts) => total + counts[name], 0);
  const found = sum('found');
  const completed = sum('completed');
  const unreadable = sum('unreadable');
  const outcome = isDryRun
    ? `${found} would be stored and ${completed} completed. Nothing was written`
    : `${found} found and stored, ${completed} completed`;
  return `${counted(sum('calls'), 'call')} in the report: ${outcome}${unreadable > 0 ? `; ${unreadable} unreadable` : ''}.`;
};

import { rejectZoneWithoutDay } from '../frame/asked-days.ts';
import { accountNamesFrom, command, listsDeadLetters, on } from '../frame/command.ts';
import { Problem } from '../frame/problem.ts';
import { printableJson } from '../frame/terminal.ts';
import type { AccountFindings } from './accounts.ts';
import { compareWithReport } from './call-report.ts';
import { type Gap, type Inspection, type PrintedGap, printedGap, printGaps, printParagraph } from './gaps.ts';
import { inspect } from './inspect.ts';
import { options, type VerifyOptions, verifyCommand } from './verify-options.ts';
import { jsonOf, printFindings, verdictOf } from './verify-output.ts';

export const verify = command({
  name: 'verify',
  description: 'proves that the calls of a range are in the table and were published, or names what is missing',
  permissions: [
    on('Calls table and its indexes', 'dynamodb:Query dynamodb:BatchGetItem'),
    on('quarantine table', 'dynamodb:Scan'),
    on('parking queue', 'sqs:GetQueueAttributes'),
    listsDeadLetters('dead letters of the parking queue'),
    on('forwarding queue and its dead letters', 'sqs:GetQueueAttributes', 'with `forwarding=on`'),
    on('reconciliation queue', 'sqs:SendMessage', 'for the call report'),
    accountNamesFrom('unless `--account`, `--no-report`, and with `--day` also `--time-zone` are given'),
  ],
  options,
  help: `It compares every revision of the range’s rows with the events. It also looks for calls of the range among the dead letters and in
quarantine, and, where the deployment reconciles, in the service’s call report. It writes nothing. What is missing is named, with the command
that mends it. The last line says what was proven, and what was not looked at.

The bus on AWS stores no events, so there it needs --events: a line for each event since the beginning of the range, as “callfeed events
--follow --json” prints it, or its detail, also within a message of SQS or SNS or an entry of CloudWatch Logs.

Exit code 1: something is missing, or could not be looked at.

Examples:
  $ callfeed verify --since 2h --endpoint http://localhost:3000
  $ callfeed verify --from 2026-11-20T06:00:00Z --to 2026-11-20T09:00:00Z --account acme --events events.jsonl
  $ callfeed verify --day yesterday --events events.jsonl --json`,
  run: async (context, options) => {
    rejectZoneWithoutDay(options);
    if ((options.day ?? options.since ?? options.from) === undefined)
      throw new Problem(
        `Give --from, --since or --day, such as: ${verifyCommand(options, context.clock(), { since: '2h' })}`,
        2,
      );
    const { terminal, clock } = context;
    const deployment = await context.connect(options);
    const now = clock();
    const run = { terminal, clock, location: options, stop: context.interruption() };
    const findings = await inspect(deployment, run, options, now);
    const printed = (some: readonly Gap[]) =>
      some.map((gap) => printedGap(gap, (more) => verifyCommand(options, now, more)));
    if (!options.json) printFindings(terminal, findings, printed(findings.gaps));
    // The service comes last: it may be late, and the rest is printed before it.
    const compared = await Promise.all(
      findings.accounts.map((account) => compareWithService(run, options, account, printed)),
    );
    const gaps = [...findings.gaps, ...compared.flatMap(({ gaps }) => gaps)];
    if (options.json) terminal.print(printableJson(jsonOf(findings, compared, printed(gaps))));
    else printParagraph(terminal, verdictOf(findings, compared, gaps));
    context.setExitCode(gaps.length > 0 ? 1 : 0);
  },
});

const compareWithService = async (
  run: Inspection,
  options: VerifyOptions,
  reader: AccountFindings,
  printed: (gaps: readonly Gap[]) => readonly PrintedGap[],
) => {
  const found = await compareWithReport(reader, run, options);
  if (!options.json && found.note !== undefined) printParagraph(run.terminal, found.note);
  if (!options.json) printGaps(run.terminal, printed(found.gaps));
  return { ...found, name: 'report', account: reader.account };
};

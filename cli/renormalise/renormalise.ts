import type { CallfeedClient, CallList, CallPage, ListedCall } from '../../client/index.ts';
import { commandText } from '../../lib/core/command-text.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { type BareCommand, command, on } from '../frame/command.ts';
import { accountOption, dryRunOption, instantOrDayFrom } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { reader } from '../frame/reader.ts';
import { hidden } from '../frame/redact.ts';
import { callPorts, rowsOfCall, storeDeadline } from '../frame/rows.ts';
import { printable, printableJson } from '../frame/terminal.ts';
import { changeKindOf, type E164Change } from './e164-changes.ts';
import { type Renormalised, renormaliseRow } from './renormalise-row.ts';

export const renormalise = command({
  name: 'renormalise',
  description: 'derives calls again from what was sent, by today’s rules and the account’s present settings',
  permissions: [
    on('Calls table and its indexes', 'dynamodb:Query dynamodb:BatchGetItem dynamodb:PutItem dynamodb:DeleteItem'),
    on('accounts’ secret', 'secretsmanager:GetSecretValue'),
  ],
  options: (command: BareCommand) =>
    command
      .requiredOption('--from <instant>', 'calls listed at this instant or later', instantOrDayFrom)
      .requiredOption('--to <instant>', 'calls listed at this instant or earlier (inclusive)', instantOrDayFrom)
      .addOption(accountOption)
      .option('--cursor <cursor>', 'continue where an interrupted command says')
      .option('--show-personal', 'with --dry-run or --json, show the numbers (default: hidden)', false)
      .addOption(dryRunOption),
  help: `Use it after an account’s time zone or country was corrected, a word was added to it, or an update reads words or numbers better. Each
call and participant whose facts change gets a new revision, which is published. Where only E.164 forms or stored deliveries change, the row
is written without a revision or an event. With --dry-run and --json each E.164 form that changes is listed, with the old number and the new
one. All other rows stay as they are, so running it again changes nothing. It takes the calls that started in the range, and those that were
first recorded in it: a time that was read wrongly may put a call years away. With a wrong time zone, choose a range that is some hours
wider. Participants are found by their calls: one whose call was never posted stays as it is.

Examples:
  $ callfeed renormalise --from 2026-11-20 --to 2026-11-21 --dry-run
  $ callfeed renormalise --from 2026-11-20 --to 2026-11-21 --account acme`,
  run: async (context, options) => {
    const { from, to, cursor, dryRun: isDryRun, json, showPersonal } = options;
    const { terminal, clock } = context;
    const { deployment, account: name, client } = await reader(context, options);
    const account = (await deployment.accounts()).accountNamed(name);
    if (account?.userName !== name)
      throw new Problem(`The secret has no account ${printable(name)}, so its time zone is not known.`, 2);
    const change = renormaliseRow({ ...callPorts(deployment, clock), isDryRun });
    const stop = context.interruption();
    const done = { calls: 0, revised: 0, unrevised: 0, failed: 0 };
    const fields = new Map<string, number>();
    const numbers = new Map<string, number>();

    const print = (row: Row, { isRevised, changedFields, e164 }: Renormalised): void => {
      const visible = showPersonal ? e164 : e164.map(withoutNumbers);
      const about = { ...nameOf(row), isRevised, changedFields };
      if (json) terminal.print(printableJson(visible.length === 0 ? about : { ...about, e164: visible }));
      else if (isDryRun) for (const change of visible) terminal.print(printable(changeLine(row, change)));
    };

    const renormaliseOne = async (row: Row) => {
      try {
        const result = await change(row, account, storeDeadline());
        if (!result.isWritten) return;
        done[result.isRevised ? 'revised' : 'unrevised'] += 1;
        for (const field of result.changedFields) countIn(fields, field);
        for (const number of result.e164) countIn(numbers, changeKindOf(number));
        print(row, result);
      } catch (error) {
        done.failed += 1;
        terminal.note(
          `${printable(JSON.stringify(nameOf(row)))} stays as it is: ${error instanceof Error ? error.message : error}`,
        );
      }
    };

    const renormaliseCall = async ({ callId }: ListedCall) => {
      for (const row of await rowsOfCall(deployment, { account: name, callId })) {
        if (stop.aborted) return;
        await renormaliseOne(row);
      }
      done.calls += 1;
      terminal.progress(counted(done, isDryRun));
    };

    let position = cursor;
    for await (const page of pagesOf(client, { from, to }, cursor)) {
      const ended = await Promise.allSettled(page.calls.map(renormaliseCall));
      if (stop.aborted) throw new Problem(`Stopped after ${counted(done, isDryRun)} ${howToContinue(name, position)}`);
      for (const call of ended) if (call.status === 'rejected') throw call.reason;
      position = page.next;
    }
    const texts = [counted(done, isDryRun), countsText('E.164 forms', numbers), countsText('Fields', fields)];
    terminal.note(texts.filter((text) => text !== '').join(' '));
    context.setExitCode(done.failed > 0 ? 1 : 0);
  },
});

/** The calls listed in a range, then those first recorded in it: a time that was read wrongly puts a call years away. */
async function* pagesOf(
  client: CallfeedClient,
  { from, to }: { readonly from: string; readonly to: string },
  cursor: string | undefined,
): AsyncGenerator<CallPage, void> {
  const listed = client.calls({ from, to });
  const recorded = client.calls({ recordedFrom: from, recordedTo: to });
  const isOfListed = cursor === undefined || takesCursor(listed, cursor);
  if (isOfListed) yield* listed.pages(pageSize, cursor);
  for await (const { calls, next } of recorded.pages(pageSize, isOfListed ? undefined : cursor))
    yield { calls: calls.filter(({ listedAt }) => listedAt < from || listedAt > to), next };
}

/** The calls of a page are derived side by side. More would take capacity of the account’s index from callbacks. */
const pageSize = 10;

const takesCursor = (list: CallList, cursor: string): boolean => {
  try {
    list.pages(pageSize, cursor);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

const nameOf = ({ callId, participantId }: Row) => ({ callId, ...(participantId !== undefined && { participantId }) });

const withoutNumbers = (number: E164Change): E164Change => ({
  ...number,
  ...(number.before !== undefined && { before: hidden }),
  ...(number.after !== undefined && { after: hidden }),
});

/** @example 'participant 2 of 42  participantNumberE164  none -> +919876500000' */
const changeLine = ({ callId, participantId }: Row, { field, leg, before = 'none', after = 'none' }: E164Change) => {
  const part = participantId === undefined ? leg && `leg ${leg} of ` : `participant ${participantId} of `;
  return `${part ?? ''}${callId}  ${field}  ${before} -> ${after}`;
};

const countIn = (counts: Map<string, number>, what: string): void => {
  counts.set(what, (counts.get(what) ?? 0) + 1);
};

/** @example 'Fields: notes 2, startedAt 2.' */
const countsText = (of: string, counts: ReadonlyMap<string, number>): string => {
  const texts = [...counts].toSorted().map(([what, count]) => `${what} ${count}`);
  return texts.length === 0 ? '' : `${of}: ${texts.join(', ')}.`;
};

const counted = (
  { calls, revised, unrevised, failed }: Readonly<Record<string, number>>,
  isDryRun: boolean,
): string => {
  const texts = [`${calls} calls read`, `${revised} rows ${isDryRun ? 'would be revised' : 'revised'}`];
  if (unrevised) texts.push(`${unrevised} ${isDryRun ? 'would change' : 'changed'} without a revision`);
  if (failed) texts.push(`${failed} failed`);
  return `${texts.join(', ')}.`;
};

/** A page that was begun is read again: what is done of it already changes nothing. */
const howToContinue = (account: string, cursor: string | undefined): string =>
  `To continue: the same command${cursor === undefined ? '.' : ` with ${commandText(['--account', account, '--cursor', cursor])}`}`;

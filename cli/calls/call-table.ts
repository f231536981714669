import * as z from 'zod/mini';
import type { InstantRange } from '../../client/arguments.ts';
import type { ListedCall, MissedCall, Numbering } from '../../client/index.ts';
import { Call, ListedCall as ListedCallRow } from '../../lib/contract/rows.ts';
import { isMissed, lastedSecondsOf, missedStates, outcomeText } from '../../lib/contract/rules.ts';
import { keysOf, once } from '../../lib/core/collections.ts';
import { localTime } from '../../lib/core/time.ts';
import { e164 } from '../../lib/telephony/e164.ts';
import { countryOfZone } from '../../lib/telephony/zone-countries.ts';
import { csvTable } from '../frame/csv.ts';
import { redacted } from '../frame/redact.ts';
import { printTable } from '../frame/table.ts';
import { printable, type Terminal } from '../frame/terminal.ts';
import { durationText, localText } from '../frame/texts.ts';
import type { CallFilters } from './call-filters.ts';
import type { Found } from './call-list.ts';
import type { NearText } from './set-filters.ts';

const columns = {
  listedAt: 'TIME',
  callId: 'CALL',
  type: 'TYPE',
  status: 'STATUS',
  time: 'LASTED',
  agents: 'AGENTS',
  skillName: 'SKILL',
  campaignName: 'CAMPAIGN',
  dispositions: 'DISPOSITIONS',
};
const personalColumns = { customerNumber: 'CUSTOMER', names: 'NAMES' };

export const callTable = (
  terminal: Terminal,
  calls: readonly ListedCall[],
  { timeZone, showPersonal }: { readonly timeZone: string; readonly showPersonal: boolean },
): void => {
  const recorded = calls.some(({ firstRecordedAt }) => firstRecordedAt !== undefined) && {
    firstRecordedAt: 'RECORDED',
  };
  const rows = calls.map((call) => rowOf(call, timeZone));
  printTable(terminal, { ...recorded, ...columns, ...(showPersonal && personalColumns) }, rows);
};

const rowOf = (
  { agentIds, agentNames, dispositions, listedAt, firstRecordedAt, ...call }: ListedCall,
  timeZone: string,
) => {
  const lasted = lastedSecondsOf(call);
  return {
    ...call,
    status: outcomeText(call),
    listedAt: localText(listedAt, timeZone),
    firstRecordedAt: firstRecordedAt && localText(firstRecordedAt, timeZone),
    time: lasted === undefined ? undefined : durationText(lasted),
    agents: agentIds?.join(', '),
    dispositions: dispositions?.join(', '),
    names: agentNames?.join(', '),
  };
};

/** Of a missed call of which it was not read what became of it. */
const notRead = 'not-read';

/**
 * The columns of the CSV, of the command and of the console alike, in their order. Programs read them by place too: a column may be
 * added at the end, and none may move. An entry of a list has those up to `firstRecordedAt`.
 */
const CsvCall = z.extend(ListedCallRow, {
  customerNumberE164: Call.shape.customerNumberE164,
  /** On the account’s clocks, as a spreadsheet reads it. */
  localTime: z.string(),
  timeToAnswerSeconds: Call.shape.timeToAnswerSeconds,
  durationSeconds: Call.shape.durationSeconds,
  state: z.optional(z.enum([...keysOf(missedStates), notRead])),
  answeredAfterSeconds: z.optional(z.number()),
  answeredByCallId: z.optional(Call.shape.callId),
  recordings: Call.shape.recordings,
  /** As “Lasted” on the page: `callDurationSeconds`, else from start to end. */
  lastedSeconds: Call.shape.callDurationSeconds,
});
type CsvCall = z.infer<typeof CsvCall>;

type RowOfCall = Pick<Call, 'timeToAnswerSeconds' | 'durationSeconds' | 'recordings'>;

export interface CsvSettings extends Pick<Numbering, 'country'> {
  readonly showPersonal: boolean;
  /** The account’s zone. Where it is not known, each call is shown in its own. */
  readonly timeZone?: string | undefined;
  /** What a list does not tell: the rows of calls, and what became of missed ones, if it could be read. */
  readonly rowsOf: (calls: readonly ListedCall[]) => Promise<ReadonlyMap<string, RowOfCall | undefined>>;
  readonly missed: () => Promise<readonly MissedCall[] | undefined>;
}

/** Prints the head of a list in CSV at once, and calls as they come. */
export const callsCsv = (
  terminal: Pick<Terminal, 'print'>,
  { showPersonal, rowsOf, missed, ...settings }: CsvSettings,
): ((calls: readonly ListedCall[]) => Promise<void>) => {
  const print = csvTable(terminal, keysOf(CsvCall.shape));
  const byCall = once(async () => new Map((await missed())?.map((one) => [one.call.callId, one])));
  return async (calls) => {
    if (calls.length === 0) return;
    const rows = await rowsOf(calls);
    const became = calls.some(isMissed) ? await byCall() : undefined;
    const lines = calls.map((call) =>
      csvLine(call, { ...settings, row: rows.get(call.callId), became: became?.get(call.callId) }),
    );
    print(showPersonal ? lines : redacted(z.array(CsvCall), lines));
  };
};

interface ReadOfCall extends Pick<CsvSettings, 'country' | 'timeZone'> {
  readonly row: RowOfCall | undefined;
  readonly became: MissedCall | undefined;
}

const csvLine = (call: ListedCall, { country, timeZone, row, became }: ReadOfCall): CsvCall => {
  const { customerNumber = '', timeZone: ownZone, listedAt } = call;
  return {
    ...call,
    customerNumberE164: e164(customerNumber, country ?? countryOfZone(ownZone)),
    localTime: localTime(listedAt, timeZone ?? ownZone)
      .slice(0, 19)
      .replace('T', ' '),
    timeToAnswerSeconds: row?.timeToAnswerSeconds,
    durationSeconds: row?.durationSeconds,
    state: isMissed(call) ? (became?.state ?? notRead) : undefined,
    answeredAfterSeconds: became?.answeredBy?.afterSeconds,
    answeredByCallId: became?.answeredBy?.callId,
    recordings: row?.recordings,
    lastedSeconds: lastedSecondsOf(call),
  };
};

/** Names are compared letter by letter, and a misspelt one finds nothing. */
const spellingQuestion =
  ' If there should be some: is the account spelt as in the secret, and every other name as it was sent?';

const agentsText = ' “callfeed day --by agent” lists the agents of a day.';

const nearText = ({ name, text }: NearText): string => ` There are calls of ${name} ${printable(text)}.`;

interface ListOptions {
  readonly account?: string | undefined;
  readonly cursor?: string | undefined;
  readonly since?: object | undefined;
}

interface Summarised extends CallFilters, ListOptions {
  readonly isFiltered?: boolean;
  /** What the calls that were read have in place of a text that none has. */
  readonly near?: readonly NearText[];
  /** The range that was read, where the options name another one with each run: a cursor is of one range. */
  readonly moving?: InstantRange | undefined;
}

export const listSummary = ({ found, read, next }: Found, listed: Summarised): string => {
  const { account, agent, customer, skill, campaign, cursor, since, moving, isFiltered = false, near = [] } = listed;
  const ofRead = isFiltered ? ` of ${read} read` : '';
  const limits = Object.entries(moving ?? {}).flatMap(([name, at]) => (at === undefined ? [] : [`--${name} ${at}`]));
  const range = limits.length === 0 ? '' : `, ${limits.join(' ')}${since === undefined ? '' : ' in place of --since'}`;
  const more = next === undefined ? '' : ` More with the same options${range} and --cursor ${next}`;
  const hasName = (account ?? agent ?? customer ?? skill ?? campaign) !== undefined;
  const unknown = agent === undefined ? spellingQuestion : `${spellingQuestion}${agentsText}`;
  const spelling = near.length === 0 ? unknown : near.map(nearText).join('');
  const question = found === 0 && hasName && cursor === undefined ? spelling : '';
  return `${found} listed${ofRead}.${more}${question}`;
};

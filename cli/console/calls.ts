import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { DayCall } from '../../client/day-call.ts';
import type { ListedCall } from '../../client/index.ts';
import { rowReader } from '../../client/read-rows.ts';
import { agentPartFields } from '../../lib/contract/call-counts.ts';
import { Call, ListedCall as ListedCallRow } from '../../lib/contract/rows.ts';
import { isMissed, missedStates } from '../../lib/contract/rules.ts';
import { keepLatest, keysOf } from '../../lib/core/collections.ts';
import { periodText } from '../../lib/core/time.ts';
import { firstPage, rowsOf, selectionOf } from '../calls/call-list.ts';
import { callsCsv } from '../calls/call-table.ts';
import { filtersIn, nearTexts } from '../calls/set-filters.ts';
import { forSpreadsheets } from '../frame/csv.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';
import { askedList, type ConsoleCallQuery, type SpellingsReader } from './call-query.ts';
import { customerText } from './customer-text.ts';
import type { MissedReader } from './missed.ts';

/** The fields of a row that a list shows and its own entries lack. */
const detailFields = { durationSeconds: true, timeToAnswerSeconds: true, recordings: true } as const;

/** What is kept of a row, for the list and for the filters. */
const Details = z.extend(z.pick(Call, { ...detailFields, ...agentPartFields }), { legs: DayCall.shape.legs });
type Details = z.infer<typeof Details>;
const readDetails = rowReader('Call', Details);

/** The calls whose details are kept, so that memory stays flat. */
const maxDetails = 5_000;

const keyOf = (account: string, { callId, revision }: Pick<Call, 'callId' | 'revision'>) =>
  `${account} ${callId} ${revision}`;

/** The details of listed calls: each revision of a call is read once, as long as it is kept. */
export const callDetails = () => {
  const details = new Map<string, Details>();
  const of = ({ account }: ShownAccount, call: ListedCall) => details.get(keyOf(account, call));
  const readMissing = async (account: ShownAccount, calls: readonly ListedCall[], most = calls.length) => {
    const missing = calls.filter((call) => of(account, call) === undefined).slice(0, most);
    if (missing.length === 0) return;
    for (const row of await account.client.callRows(missing.map(({ callId }) => callId)))
      keepLatest(details, keyOf(account.account, row), { recordings: [], ...readDetails(row) }, maxDetails);
  };
  return {
    of,
    readMissing,
    async rowsOf(account: ShownAccount, calls: readonly ListedCall[]) {
      await readMissing(account, calls);
      return new Map(calls.map((call) => [call.callId, of(account, call)]));
    },
  };
};

export type KeptDetails = ReturnType<typeof callDetails>;

const Missed = z.object({ state: z.enum(keysOf(missedStates)), afterSeconds: z.optional(z.number()) });

/** A call of the list: `recordings` is undefined until the row was read, and `missed` until the missed calls were. */
const ShownCall = z.extend(ListedCallRow, {
  ...z.pick(Call, detailFields).shape,
  missed: z.optional(Missed),
  /** The customer’s number as people read it. */
  customerText: Call.shape.customerNumberE164,
});
export type ShownCall = z.infer<typeof ShownCall>;

/** Pages of a list without and with filters: with them most calls are left out. */
const pageSize = 100;
const searchSize = 1_000;

/** How many rows an answer with the newest calls reads for the list; the next answer reads more. */
const detailsAtOnce = 100;

/** Reads a page of calls with two requests at most, a list and the rows of new calls; more where a filter needs more. */
export const callsReader = (
  { clock }: Pick<ConsoleSettings, 'clock'>,
  missed: MissedReader,
  spellings: SpellingsReader,
  details: KeptDetails = callDetails(),
) => {
  return async (account: ShownAccount, query: ConsoleCallQuery) => {
    const { range, list, others } = await askedList(account, query, { now: clock(), spellings });
    const filters = filtersIn(query);
    const selection = selectionOf<ListedCall>([filters], {
      rowsOf: (some) => details.rowsOf(account, some),
      states: () => missed.wholeStates(account, range),
    });
    const page = await firstPage(list.pages(selection.isFiltered ? searchSize : pageSize, query.cursor));
    const calls = await selection.of(page.calls);
    // The newest calls are asked for again, an older page is not.
    await details.readMissing(account, calls, query.cursor === undefined ? detailsAtOnce : undefined);

    const reading = calls.some(isMissed) ? missed.soFar(account, range) : undefined;
    // The newest calls come again every few seconds, and do not wait for it.
    if (query.cursor !== undefined) await Promise.allSettled([reading?.done]);
    const byCall = new Map(reading?.found?.calls.map((one) => [one.call.callId, one]));
    const shown = calls.map((call): ShownCall => {
      const { durationSeconds, timeToAnswerSeconds, recordings } = details.of(account, call) ?? {};
      const { state, answeredBy } = byCall.get(call.callId) ?? {};
      const became = state && { state, afterSeconds: answeredBy?.afterSeconds };
      const text = customerText(account, call);
      return { ...call, durationSeconds, timeToAnswerSeconds, recordings, missed: became, customerText: text };
    });
    return {
      now: clock().toISOString(),
      ...range,
      calls: visible(account, z.array(ShownCall), shown),
      /** As of when it is known what became of missed calls, and why nothing newer is. */
      missedReading: { asOf: reading?.found?.asOf, problem: reading?.problem },
      next: page.next,
      /** Of a customer: that the range has too many calls to look for other spellings of the number. */
      isUsualSpellingsOnly: others?.isComplete === false,
      /** For an empty list of a customer: what these calls have in place of a text that none has. Other lists get it with the quarters. */
      near: query.customer !== undefined && calls.length === 0 ? nearTexts(filters, page.calls) : [],
      /** The instant of the oldest call that was looked at, whether it fits or not. */
      reachesTo: page.calls.at(-1)?.listedAt,
    };
  };
};

/** An answer that is no JSON, and is sent as it comes. */
export class StreamedAnswer {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly status: number;

  constructor(body: Readable, headers: StreamedAnswer['headers'], status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** All calls of a list as a file. Its head comes with the first calls, so what fails before them is answered as a failure. */
export const callsDownload =
  (missed: MissedReader, spellings: SpellingsReader) =>
  async (account: ShownAccount, query: ConsoleCallQuery): Promise<StreamedAnswer> => {
    const { client, country, timeZone, isPersonal } = account;
    const { range, list } = await askedList(account, query, { now: account.clock(), spellings });
    const rows = rowsOf(client);
    const selection = selectionOf<ListedCall>([filtersIn(query)], {
      rowsOf: rows,
      states: () => missed.wholeStates(account, range),
    });
    const readMissed = () =>
      missed.whole(account, range).then(
        ({ calls }) => calls,
        // The file says that they were not read, and the list why.
        () => undefined,
      );
    async function* lines(): AsyncGenerator<string> {
      const printed: string[] = [];
      const terminal = forSpreadsheets({ print: (line) => printed.push(`${line}\n`) });
      const settings = { country, timeZone, showPersonal: isPersonal };
      const print = callsCsv(terminal, { ...settings, rowsOf: rows, missed: readMissed });
      for await (const page of list.pages(searchSize)) {
        await print(await selection.of(page.calls));
        yield printed.splice(0).join('');
      }
      if (printed.length > 0) yield printed.join('');
    }
    const name = `callfeed-calls-${periodText(range.days).replaceAll(' ', '-')}.csv`;
    return new StreamedAnswer(Readable.from(lines()), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    });
  };

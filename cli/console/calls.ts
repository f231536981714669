import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import type { CallList, ListedCall } from '../../lib/client/index.ts';
import { Call, ListedCall as ListedCallRow } from '../../lib/contract/rows.ts';
import { keepLatest, keysOf } from '../../lib/core/collections.ts';
import { justBefore } from '../../lib/core/time.ts';
import { type CallFilterName, callFilters } from '../call-filters.ts';
import { callsOfCaller, firstPage, printCallsCsv, printCallsCsvHead } from '../call-list.ts';
import { forSpreadsheets } from '../output/report.ts';
import { printedText } from '../output/terminal.ts';
import { type AccountDay, accountDay } from '../reader.ts';
import { type ConsoleSettings, rejectIfHidden, type ShownAccount, visible } from './accounts.ts';

/** Which calls are listed: of a day, up to a moment, by filters; absent ones select all. */
export interface CallQuery extends Readonly<Partial<Record<CallFilterName, string | undefined>>> {
  readonly day: string;
  readonly at?: string | undefined;
  readonly cursor?: string | undefined;
}

const detailFields = { durationSeconds: true, recordings: true } as const;

/** A call of the list. Its talk time and recordings are of its row: until that is read, there is no list of recordings. */
const ShownCall = z.extend(ListedCallRow, z.pick(Call, detailFields).shape);
export type ShownCall = z.infer<typeof ShownCall>;

/** Pages of a list without and with filters: with them most calls are left out. */
const [pageSize, searchSize] = [100, 1_000];

/** The calls whose details are kept, so that memory stays flat, and how many are read at once. */
const [maxDetails, detailsAtOnce] = [5_000, 100];

const callDetails = () => {
  const known = new Map<string, Pick<ShownCall, keyof typeof detailFields>>();
  const keyOf = (account: string, { callId, revision }: Pick<Call, 'callId' | 'revision'>) =>
    `${account} ${callId} ${revision}`;
  return {
    withDetails: ({ account }: ShownAccount, call: ListedCall): ShownCall => ({
      ...call,
      ...known.get(keyOf(account, call)),
    }),
    async readMissing({ account, client }: ShownAccount, calls: readonly ListedCall[]): Promise<void> {
      const missing = calls.filter((call) => !known.has(keyOf(account, call))).slice(0, detailsAtOnce);
      if (missing.length === 0) return;
      for (const row of await client.callRows(missing.map(({ callId }) => callId))) {
        const { durationSeconds, recordings = [] } = row;
        keepLatest(known, keyOf(account, row), { durationSeconds, recordings }, maxDetails);
      }
    },
  };
};

/** Reads calls with two requests at most: a list, and the details of new calls. */
export const callsReader = ({ clock }: Pick<ConsoleSettings, 'clock'>) => {
  const details = callDetails();
  return async (account: ShownAccount, query: CallQuery) => {
    const now = clock();
    const { day, list, fits, isFiltered } = await selection(account, query, now);
    const page = await firstPage(list.pages(isFiltered ? searchSize : pageSize, query.cursor));
    const calls = page.calls.filter(fits);
    await details.readMissing(account, calls);
    const shown = calls.map((call) => details.withDetails(account, call));
    return {
      now: now.toISOString(),
      ...{ day: day.day, start: day.start, end: day.end },
      calls: visible(account, z.array(ShownCall), shown),
      next: page.next,
    };
  };
};

/** An answer that is no JSON, and is sent as it comes. */
export class Stream {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly status: number;

  constructor(body: Readable, headers: Stream['headers'], status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

export const callsDownload = async (account: ShownAccount, query: CallQuery): Promise<Stream> => {
  const { day, list, fits } = await selection(account, query, account.clock());
  /** The head comes with the first calls, so that what fails before them is answered as a failure. */
  async function* lines(): AsyncGenerator<string> {
    let head = printedText((terminal) => printCallsCsvHead(forSpreadsheets(terminal)));
    for await (const page of list.pages(searchSize)) {
      const calls = visible(account, z.array(ListedCallRow), page.calls.filter(fits));
      yield head + printedText((terminal) => printCallsCsv(terminal, calls));
      head = '';
    }
    if (head !== '') yield head;
  }
  return new Stream(Readable.from(lines()), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="callfeed-calls-${day.day}.csv"`,
  });
};

const selection = async (account: ShownAccount, query: CallQuery, now: Date) => {
  if (query.customer !== undefined) rejectIfHidden(account);
  const day = await accountDay(account, { day: query.day, timeZone: account.timeZone }, now);
  const tests = keysOf(callFilters).flatMap((name) => {
    const [text, { fits }] = [query[name], callFilters[name]];
    return text === undefined || fits === undefined ? [] : [(call: ListedCall) => fits(call, text)];
  });
  return {
    day,
    list: listOf(account, query, day),
    fits: (call: ListedCall) => tests.every((test) => test(call)),
    isFiltered: tests.length > 0,
  };
};

const listOf = ({ client }: ShownAccount, { agent, customer, at }: CallQuery, { start, end }: AccountDay): CallList => {
  const last = justBefore(end);
  // A moment before the day leaves nothing of it.
  const range = { from: start, to: at === undefined || at > last ? last : at < start ? start : at };
  if (agent !== undefined) return client.callsOfAgent(agent, range);
  return customer === undefined ? client.calls(range) : callsOfCaller(client, customer, range);
};

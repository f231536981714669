import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import type { CallList, ListedCall } from '../../lib/client/index.ts';
import { Call, ListedCall as ListedCallRow } from '../../lib/contract/rows.ts';
import { keepLatest } from '../../lib/core/collections.ts';
import { justBefore } from '../../lib/core/time.ts';
import {
  type CallFilters,
  callsOfCaller,
  firstPage,
  hasFilters,
  matchesFilters,
  printCallsCsv,
  printCallsCsvHead,
} from '../call-list.ts';
import { redacted } from '../output/redact.ts';
import { forSpreadsheets } from '../output/report.ts';
import { printedText } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { type AccountDay, accountDay } from '../reader.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { type DayTally, dayTallies } from './day-tally.ts';

type Filter = 'status' | 'type' | 'campaign' | 'skill' | 'agent' | 'customer';

/** The filters of a list of calls; absent ones select all. Every text is compared in full. */
export interface CallQuery extends Readonly<Partial<Record<Filter, string | undefined>>> {
  readonly day: string;
  readonly at?: string | undefined;
  readonly cursor?: string | undefined;
}

const details = { durationSeconds: true, recordings: true } as const;

/** A call of the list. Its talk time and recordings are of its row: until that is read, there is no list of recordings. */
const ShownCall = z.extend(ListedCallRow, z.pick(Call, details).shape);
export type ShownCall = z.infer<typeof ShownCall>;

/** Pages of a list without and with filters: with them most calls are left out. */
const [pageSize, searchSize] = [100, 1_000];

/** The calls whose details are kept, so that memory stays flat, and how many are read at once; the questions kept. */
const [maxDetails, detailsAtOnce, maxQuestions] = [5_000, 100, 100];

const callDetails = () => {
  const known = new Map<string, Pick<ShownCall, keyof typeof details>>();
  const keyOf = (account: string, { callId, revision }: Pick<Call, 'callId' | 'revision'>) =>
    `${account} ${callId} ${revision}`;
  return {
    withDetails: ({ account }: ShownAccount, call: ListedCall): ShownCall => ({
      ...call,
      ...known.get(keyOf(account, call)),
    }),
    missing: ({ account }: ShownAccount, calls: readonly ListedCall[]): readonly ListedCall[] =>
      calls.filter((call) => !known.has(keyOf(account, call))).slice(0, detailsAtOnce),
    async read({ account, client }: ShownAccount, calls: readonly ListedCall[]): Promise<void> {
      for (const row of await client.callRows(calls.map(({ callId }) => callId))) {
        const { durationSeconds, recordings = [] } = row;
        keepLatest(known, keyOf(account, row), { durationSeconds, recordings }, maxDetails);
      }
    },
  };
};

/** Reads calls with two requests at most: a list, and in turns the details of new calls or a page of the day's count. */
export const callsReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const tallyOf = dayTallies();
  const rows = callDetails();
  const hadDetails = new Map<string, boolean>();

  const readMore = async (
    account: ShownAccount,
    query: CallQuery,
    { calls, tally }: { readonly calls: readonly ListedCall[]; readonly tally: DayTally | undefined },
  ): Promise<void> => {
    const missing = rows.missing(account, calls);
    const question = JSON.stringify([account.account, query]);
    const isCountDue = tally?.isDue === true && query.cursor === undefined;
    const isCountNext = isCountDue && (missing.length === 0 || hadDetails.get(question) === true);
    keepLatest(hadDetails, question, !isCountNext, maxQuestions);
    if (isCountNext) await tally.readOlder(account, clock().getTime());
    else if (missing.length > 0) await rows.read(account, missing);
  };

  return async (account: ShownAccount, query: CallQuery) => {
    const now = clock();
    const { day, list, filters } = await selection(account, query, { now, isPersonal });
    const page = await firstPage(list.pages(hasFilters(filters) ? searchSize : pageSize, query.cursor));
    const calls = page.calls.filter((call) => matchesFilters(call, filters));
    const isOfAccount = query.agent === undefined && query.customer === undefined;
    const tally = isOfAccount ? tallyOf(account, day) : undefined;
    tally?.count(page.calls);
    await readMore(account, query, { calls, tally });

    const shown = calls.map((call) => rows.withDetails(account, call));
    return {
      now: now.toISOString(),
      day: day.day,
      start: day.start,
      end: day.end,
      calls: isPersonal ? shown : redacted(z.array(ShownCall), shown),
      read: page.calls.length,
      next: page.next,
      // From `countedFrom` on the quarters are counted; that is the day's start once they are whole.
      ...(tally && { quarters: tally.quarters(), countedFrom: tally.countedFrom }),
    };
  };
};

export type CallsAnswer = Awaited<ReturnType<ReturnType<typeof callsReader>>>;

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
  const { clock, isPersonal } = account;
  const selected = await selection(account, query, { now: clock(), isPersonal });
  return new Stream(Readable.from(csvOf(selected, isPersonal)), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="callfeed-calls-${selected.day.day}.csv"`,
  });
};

/** The head comes with the first calls, so that what fails before them is answered as a failure. */
async function* csvOf({ list, filters }: Selection, isPersonal: boolean): AsyncGenerator<string> {
  let head = printedText((terminal) => printCallsCsvHead(forSpreadsheets(terminal)));
  for await (const page of list.pages(searchSize)) {
    const calls = page.calls.filter((call) => matchesFilters(call, filters));
    const visible = isPersonal ? calls : redacted(z.array(ListedCallRow), calls);
    yield head + printedText((terminal) => printCallsCsv(terminal, visible));
    head = '';
  }
  if (head !== '') yield head;
}

interface Selection {
  readonly day: AccountDay;
  readonly list: CallList;
  readonly filters: CallFilters;
}

const selection = async (
  account: ShownAccount,
  query: CallQuery,
  { now, isPersonal }: { readonly now: Date; readonly isPersonal: boolean },
): Promise<Selection> => {
  if (query.customer !== undefined && !isPersonal) throw new Problem(personalAdvice, 2);
  const day = await accountDay(account, { day: query.day, timeZone: account.timeZone }, now);
  return { day, list: listOf(account, query, day), filters: filtersOf(query) };
};

const listOf = ({ client }: ShownAccount, { agent, customer, at }: CallQuery, { start, end }: AccountDay): CallList => {
  const last = justBefore(end);
  // A moment before the day leaves nothing of it.
  const range = { from: start, to: at === undefined || at > last ? last : at < start ? start : at };
  if (agent !== undefined) return client.callsOfAgent(agent, range);
  return customer === undefined ? client.calls(range) : callsOfCaller(client, customer, range);
};

export const personalAdvice = 'This names people. Start the console with --personal to see it.';

/** The filters besides the agent and the customer, who have lists of their own. The console knows one status more: missed. */
const filtersOf = ({ status, type, campaign, skill }: CallQuery): CallFilters => ({
  ...(status === 'missed' ? { missed: true } : { status: status as CallFilters['status'] }),
  type: type as CallFilters['type'],
  campaign,
  skill,
});

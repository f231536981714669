import type { CallList, CallPage, ListedCall } from '../lib/client/index.ts';
import { durationText, joined, report } from './output/report.ts';
import type { Terminal } from './output/terminal.ts';

/** Which calls of a list are filters; all of them, if nothing is said. */
export interface CallFilters {
  readonly status?: ListedCall['status'];
  readonly type?: ListedCall['type'];
}

/** Whether not every call is filters. */
export const hasFilters = ({ status, type }: CallFilters): boolean => status !== undefined || type !== undefined;

/** Whether a call is filters. What a call does not say is no word. */
const matchesFilters = (call: ListedCall, { status, type }: CallFilters): boolean =>
  (status === undefined || call.status === status) && (type === undefined || call.type === type);

/** What part of a list is asked for: at most `limit` calls, of those that are filters, behind `cursor`. */
export interface Portion {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly filters: CallFilters;
}

/** What was found, and of how many that were read; `next` is where the rest begins. */
export interface Found {
  readonly found: number;
  readonly read: number;
  readonly next: string | undefined;
}

/** A page is one request, and takes no more. */
const maxPageSize = 1_000;

/** Where few calls of many are filters, a page of the few that are missing would be a request for each. */
const minSearchPageSize = 200;

/** Hands on the first calls of a list, page by page as they are read. A page that DynamoDB cuts at 1 MB is gone on with. */
export const firstMatching = async (
  calls: CallList,
  { limit, cursor, filters }: Portion,
  onFound: (calls: readonly ListedCall[]) => void,
): Promise<Found> => {
  const least = hasFilters(filters) ? minSearchPageSize : 1;
  let [found, read] = [0, 0];
  let next = cursor;
  do {
    const before = next;
    const page = await readPage(calls, Math.min(Math.max(limit - found, least), maxPageSize), before);
    const [some, last] = firstMatchesOf(page.calls, { limit: limit - found, filters });
    onFound(some);
    found += some.length;
    read += page.calls.length;
    // A cursor is behind a page: one that holds too many is read again as far as the last that is taken.
    next = last < page.calls.length ? (await readPage(calls, last, before)).next : page.next;
  } while (next !== undefined && found < limit);
  return { found, read, next };
};

const readPage = async (calls: CallList, size: number, cursor: string | undefined): Promise<CallPage> => {
  for await (const page of calls.pages(size, cursor)) return page;
  return { calls: [], next: undefined };
};

/** The first calls that are filters, and how many of the page that takes: all of it, unless there are more than enough. */
const firstMatchesOf = (
  page: readonly ListedCall[],
  { limit, filters }: Pick<Portion, 'limit' | 'filters'>,
): readonly [readonly ListedCall[], number] => {
  const some = page.filter((call) => matchesFilters(call, filters));
  const last = some.at(limit - 1);
  return some.length > limit && last !== undefined
    ? [some.slice(0, limit), page.indexOf(last) + 1]
    : [some, page.length];
};

const columns = {
  listedAt: 'TIME',
  callId: 'CALL',
  leg: 'LEG',
  type: 'TYPE',
  status: 'STATUS',
  time: 'LASTED',
  agents: 'AGENTS',
  skillName: 'SKILL',
  campaignName: 'CAMPAIGN',
  dispositions: 'DISPOSITIONS',
};
const personalColumns = { customerNumber: 'CUSTOMER', names: 'NAMES' };

/** Prints a list of calls as a table. */
export const callTable = (terminal: Terminal, calls: readonly ListedCall[], showPersonal: boolean): void =>
  report(terminal, false, { ...columns, ...(showPersonal && personalColumns) }, calls.map(rowOf));

const rowOf = ({ agentIds, agentNames, dispositions, callDurationSeconds, ...call }: ListedCall) => ({
  ...call,
  time: callDurationSeconds === undefined ? undefined : durationText(callDurationSeconds),
  agents: joined(agentIds),
  dispositions: joined(dispositions),
  names: joined(agentNames),
});

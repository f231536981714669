import type { CallList, CallPage, ListedCall } from '../../client/index.ts';
import { isSome, isWanted, type WantedCalls } from './wanted-calls.ts';

/** What part of a list is asked for: at most `limit` calls, of those that are wanted, behind `cursor`. */
export interface Portion {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly wanted: WantedCalls;
}

/** What was found, and of how many that were read; `next` is where the rest begins. */
export interface Found {
  readonly found: number;
  readonly read: number;
  readonly next: string | undefined;
}

/** A page is one request, and takes no more. */
const mostPerPage = 1_000;

/** Where few calls of many are wanted, a page of the few that are missing would be a request for each. */
const leastPerSearch = 200;

/** Hands on the first calls of a list, page by page as they are read. A page that DynamoDB cuts at 1 MB is gone on with. */
export const firstOf = async (
  calls: CallList,
  { limit, cursor, wanted }: Portion,
  onFound: (calls: readonly ListedCall[]) => void,
): Promise<Found> => {
  const least = isSome(wanted) ? leastPerSearch : 1;
  let [found, read] = [0, 0];
  let next = cursor;
  do {
    const before = next;
    const page = await pageOf(calls, Math.min(Math.max(limit - found, least), mostPerPage), before);
    const [some, last] = firstWanted(page.calls, { limit: limit - found, wanted });
    onFound(some);
    found += some.length;
    read += page.calls.length;
    // A cursor is behind a page: one that holds too many is read again as far as the last that is taken.
    next = last < page.calls.length ? (await pageOf(calls, last, before)).next : page.next;
  } while (next !== undefined && found < limit);
  return { found, read, next };
};

const pageOf = async (calls: CallList, size: number, cursor: string | undefined): Promise<CallPage> => {
  for await (const page of calls.pages(size, cursor)) return page;
  return { calls: [], next: undefined };
};

/** The first calls that are wanted, and how many of the page that takes: all of it, unless there are more than enough. */
const firstWanted = (
  page: readonly ListedCall[],
  { limit, wanted }: Pick<Portion, 'limit' | 'wanted'>,
): readonly [readonly ListedCall[], number] => {
  const some = page.filter((call) => isWanted(call, wanted));
  const last = some.at(limit - 1);
  return some.length > limit && last !== undefined
    ? [some.slice(0, limit), page.indexOf(last) + 1]
    : [some, page.length];
};

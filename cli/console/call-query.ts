import type { OtherSpellings } from '../../client/index.ts';
import type { CallFilters } from '../calls/call-filters.ts';
import { listOf } from '../calls/call-list.ts';
import { Problem } from '../frame/problem.ts';
import { rejectIfHidden, type ShownAccount } from './accounts.ts';
import { type AskedCalls, type ListedRange, listedRange } from './call-range.ts';
import { keptReadings } from './kept-readings.ts';

/** What the page asks of a list of calls: the range, the filters, and behind which page it goes on. */
export interface ConsoleCallQuery extends CallFilters, AskedCalls {
  readonly cursor?: string | undefined;
}

/** The range that a query asks for. One that does not exist is the mistake of whoever typed the address. */
export const rangeOf = ({ timeZone }: ShownAccount, query: AskedCalls, now: Date): ListedRange => {
  const range = listedRange(query, timeZone, now);
  if (range === undefined)
    throw new Problem('Wrong: from, to (a range of days before 9999-12-31 that does not end before it begins).', 2);
  return range;
};

const maxSearches = 12;
const leastMs = 15_000;

/**
 * Finds the calls of a customer whose number was sent in a spelling that the index does not find. A search looks at each call of the
 * range, so its result is kept for the requests that follow: a list is asked for again every few seconds.
 */
export const spellingsReader = ({ clock }: Pick<ShownAccount, 'clock'>) => {
  const searches = keptReadings<OtherSpellings>(clock, maxSearches);
  return ({ account, client }: ShownAccount, number: string, { from, to }: Pick<ListedRange, 'from' | 'to'>) => {
    const key = `${account} ${from} ${to} ${number}`;
    return searches.wanted(key, leastMs, () => client.otherSpellings(number, { from, to }));
  };
};

export type SpellingsReader = ReturnType<typeof spellingsReader>;

/** The list in which the calls of a query are found, its range, and the calls of other spellings where a customer is asked for. */
export const askedList = async (
  account: ShownAccount,
  query: ConsoleCallQuery,
  { now, spellings }: { readonly now: Date; readonly spellings: SpellingsReader },
) => {
  const { customer } = query;
  if (customer !== undefined) rejectIfHidden(account);
  const range = rangeOf(account, query, now);
  const others = customer === undefined ? undefined : await spellings(account, customer, range);
  const { from, to } = range;
  return { range, list: listOf(account.client, query, { from, to }, others), others };
};

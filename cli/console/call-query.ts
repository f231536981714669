import type { OtherSpellings } from '../../client/index.ts';
import type { CallFilters } from '../calls/call-filters.ts';
import { listOf } from '../calls/call-list.ts';
import { Problem } from '../frame/problem.ts';
import { rejectIfHidden, type ShownAccount } from './accounts.ts';
import { type AskedCalls, type ListedRange, listedRange } from './call-range.ts';
import { keptReadings } from './kept-readings.ts';

/** Which calls are listed: of a range, by filters. */
export interface ConsoleCallQuery extends CallFilters, AskedCalls {
  readonly cursor?: string | undefined;
}

export const rangeOf = ({ timeZone }: ShownAccount, query: AskedCalls, now: Date): ListedRange => {
  const range = listedRange(query, timeZone, now);
  if (range === undefined)
    throw new Problem('Wrong: from, to (a range of days before 9999-12-31 that does not end before it begins).', 2);
  return range;
};

/** The ranges and numbers of which calls in other spellings are kept, and how long at least. */
const maxSpellings = 12;
const leastMs = 15_000;

/** The calls of a customer in spellings that the index is not asked for. Each call of the range is read for them, so they are kept. */
export const spellingsReader = ({ clock }: Pick<ShownAccount, 'clock'>) => {
  const readings = keptReadings<OtherSpellings>(clock, maxSpellings);
  return ({ account, client }: ShownAccount, number: string, { from, to }: Pick<ListedRange, 'from' | 'to'>) =>
    readings.wanted(`${account} ${from} ${to} ${number}`, leastMs, () => client.otherSpellings(number, { from, to }));
};

export type SpellingsReader = ReturnType<typeof spellingsReader>;

export const listAsked = async (
  account: ShownAccount,
  query: ConsoleCallQuery,
  { now, spellings }: { readonly now: Date; readonly spellings: SpellingsReader },
) => {
  if (query.customer !== undefined) rejectIfHidden(account);
  const range = rangeOf(account, query, now);
  const { from, to } = range;
  const others = query.customer === undefined ? undefined : await spellings(account, query.customer, range);
  return { range, list: listOf(account.client, query, { from, to }, others), others };
};

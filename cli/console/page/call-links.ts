import type { MissedState } from '../../../lib/contract/rules.ts';
import { quarterHourMs } from '../../../lib/core/time.ts';
import type { CallFilters } from '../../calls/call-filters.ts';
import { filterOptions, filtersIn } from '../../calls/set-filters.ts';
import { rangeParameters } from '../call-range.ts';
import { type Address, callsAsked, type PageQuery } from './hash.ts';

/* Where the page of Calls leads: the calls of its bars, and the commands that print the same. */

/** The filters that an address sets. A link may have blanks around a text, or nothing but blanks. */
export const filtersOf = ({ query }: Pick<Address, 'query'>): CallFilters => {
  const texts = Object.entries(query).map(([name, text]) => [name, text.trim()] as const);
  return filtersIn(Object.fromEntries(texts.filter(([, text]) => text !== '')));
};

/** A quarter of an hour, from when it begins. */
export const quarterQuery = (ms: number): PageQuery => ({
  from: new Date(ms).toISOString(),
  to: new Date(ms + quarterHourMs - 1).toISOString(),
});

/**
 * The calls of an outcome among those of an address, by the word of Calls; undefined where a figure's filter is set, as the word would
 * replace it. What became of missed calls is as of the moment of the list, for its bars too.
 */
export const outcomeQuery = (address: Pick<Address, 'query'>, word: string): PageQuery | undefined => {
  const filters = filtersOf(address);
  if (filters.counted !== undefined) return undefined;
  return { ...filters, ...(filters.state !== undefined && { at: address.query['at'] }), counted: word };
};

/** The missed calls of a list, or those in one state. */
export const missedFilters = (state?: MissedState): CallFilters => ({
  counted: 'missed',
  ...(state !== undefined && { state }),
});

interface Place {
  readonly address: Pick<Address, 'query'>;
  readonly account: string;
  readonly timeZone: string;
}

/** The command that prints a list; undefined where its range is none. */
export const listCommand = ({ address, account, timeZone }: Place, now: Date): readonly string[] | undefined => {
  const filters = filtersOf(address);
  const range = rangeParameters({ ...callsAsked(address, timeZone), state: filters.state }, timeZone, now);
  return range && ['calls', ...range, '--account', account, ...filterOptions(filters)];
};

/** The command that prints who waits among the callers of a list of open calls. */
export const waitingCommand = ({ address, account, timeZone }: Place, now: Date): readonly string[] | undefined => {
  const others = { ...filtersOf(address), state: undefined };
  const range = rangeParameters({ ...callsAsked(address, timeZone), state: 'open' }, timeZone, now);
  return range && ['calls', '--open', ...range, ...filterOptions(others), '--account', account];
};

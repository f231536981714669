import { type Counts, callDurations, countsByWord, type DurationName } from '../../lib/contract/call-counts.ts';
import { keysOf } from '../../lib/core/collections.ts';
import {
  type CallFilter,
  type CallFilterName,
  type CallFilters,
  callFilters,
  type OfferingCall,
} from './call-filters.ts';

/** The filters among the parts of an address, or the options of a command. */
export const filtersIn = (given: object): CallFilters =>
  Object.fromEntries(
    Object.entries(given).filter(([name, text]) => Object.hasOwn(callFilters, name) && typeof text === 'string'),
  );

/** The filters that select the calls of a count, or of these only the calls that have a duration. */
export const filtersOfCount = (name: keyof Counts, withinSeconds: number, duration?: DurationName): CallFilters => {
  if (name === 'inTime') return { within: String(withinSeconds) };
  if (name === 'answeredLate') return { slower: String(withinSeconds) };
  return {
    counted: keysOf(countsByWord).find((word) => countsByWord[word] === name),
    known: duration && callDurations[duration].word,
  };
};

interface SetFilter extends CallFilter {
  readonly name: CallFilterName;
  readonly text: string;
}

const filtersSet = (filters: CallFilters): readonly SetFilter[] =>
  keysOf(callFilters).flatMap((name) => {
    const text = filters[name];
    return text === undefined ? [] : [{ name, text, ...callFilters[name] }];
  });

/** Filters as options of `callfeed calls`. */
export const filterOptions = (filters: CallFilters): readonly string[] =>
  filtersSet(filters).flatMap(({ name, text, asOptions }) => asOptions?.(text) ?? [`--${name}`, text]);

/** The tests of the filters that are set. `leavesOut` is false where the list was read by this filter's index: all its calls pass. */
export const testsOf = (filters: CallFilters) =>
  filtersSet(filters).flatMap(({ text, test, isIndexed = false }) => {
    // A list of a customer's calls has calls of several agents, so an agent's filter then leaves out some.
    const isOfIndex = isIndexed && filters.customer === undefined;
    return test === undefined ? [] : [{ ...test(text), leavesOut: !isOfIndex }];
  });

/** A filter, and a text that calls have for it. */
export interface NearText {
  readonly name: string;
  readonly text: string;
}

/** Texts of calls that are spelt nearly as a filter's text: names are compared letter by letter, and a misspelt one finds nothing. */
export const nearTexts = (filters: CallFilters, calls: readonly OfferingCall[]): readonly NearText[] =>
  filtersSet(filters).flatMap(({ name, text, offeredBy, isPersonal }) => {
    if (offeredBy === undefined || isPersonal) return [];
    const asked = foldedText(text);
    const texts = [...new Set(calls.flatMap((call) => offeredBy(call) ?? []))];
    if (asked === '' || texts.includes(text)) return [];
    const near = texts.filter((each) => foldedText(each) === asked || foldedText(each).startsWith(asked));
    return near.sort().map((each) => ({ name, text: each }));
  });

/** A text without what people write differently: letter case, width, blanks and signs. */
const foldedText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** What is said of a customer's calls where not every spelling of the number was looked for. */
export const usualSpellingsText =
  'Only calls with a usual spelling of the number are found: bare, or with 0, +, 00 or the country’s code before it.';

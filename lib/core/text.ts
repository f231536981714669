const blanks = new Set(['', 'none', 'null', '-']);

/**
 * The text without surrounding space, or undefined if it means a missing value.
 * Practice: the sender writes `""`, `None`, `null` or `-` for a missing value, in any letter case.
 */
export const nonBlank = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim();
  return trimmed === undefined || (trimmed.length <= 4 && blanks.has(trimmed.toLowerCase())) ? undefined : trimmed;
};

const arrow = /(?:^|\s)->(?=\s|$)/;

/**
 * The values of a field that a transfer or conference joined with ` -> `, without blanks; undefined if none is left.
 * Practice: the chains of one call are not aligned, so a position in one field means nothing in another.
 * @example splitChain(' -> 1001 -> 1002') // ['1001', '1002']
 */
export const splitChain = (text: string | undefined): readonly string[] | undefined =>
  text?.includes('->') ? listOf(text.split(arrow)) : listOf(text === undefined ? undefined : [text]);

/**
 * The distinct URLs of a recording field, in the order sent; undefined if there is none. Practice: a comma or ` -> `
 * joins several URLs, and one URL may be repeated. A URL may contain a comma itself, so a comma separates only before
 * another URL and at the end.
 */
export const splitRecordings = (text: string | undefined): readonly string[] | undefined =>
  distinct(listOf(text?.split(urlSeparator)));

const urlSeparator = new RegExp(String.raw`${arrow.source}|,(?=\s*(?:[a-z][a-z\d+.-]*://|$))`, 'i');

const distinct = (list: readonly string[] | undefined) => list && [...new Set(list)];

const listOf = (parts: readonly string[] | undefined): readonly string[] | undefined => {
  const list = parts?.map(nonBlank).filter((part) => part !== undefined);
  return list === undefined || list.length === 0 ? undefined : list;
};

/** Orders texts by code units: the order does not depend on the machine's language. */
export const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The most characters of a text or name, and the most entries of a list or map. */
export interface TruncationLimit {
  readonly characters: number;
  readonly entries: number;
}

/** Shortens every text, name, list and map within a value to the limit; numbers and booleans do not change. */
export const truncate = (limit: TruncationLimit, value: unknown): unknown => {
  if (typeof value === 'string') return value.slice(0, limit.characters).toWellFormed();
  if (Array.isArray(value)) return value.slice(0, limit.entries).map((entry) => truncate(limit, entry));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).slice(0, limit.entries);
  return Object.fromEntries(
    entries.map(([key, entry]) => [key.slice(0, limit.characters).toWellFormed(), truncate(limit, entry)]),
  );
};

/** Joins the parts of a row key with `#`. Everything but letters, digits and `-_.!~*'()` is percent-encoded. */
export const joinedKey = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('#');

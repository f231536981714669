const blanks = new Set(['', 'none', 'null', '-']);

/**
 * The text without surrounding space, or undefined if it means a missing value.
 * The service writes `""`, `None`, `null` or `-` for a missing value, in any letter case.
 */
export const nonBlank = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim();
  return trimmed === undefined || (trimmed.length <= 4 && blanks.has(trimmed.toLowerCase())) ? undefined : trimmed;
};

/**
 * The text as an id, or undefined if it identifies nothing: it is blank, or what programs write in place of an id that
 * they lack. Two calls with the id `0` are two calls.
 */
export const idOf = (text: string | undefined): string | undefined => {
  const id = nonBlank(text);
  return id === undefined || placeholderId.test(id) ? undefined : id;
};

const placeholderId = /^(?:[-+]?0+|-1|n\/?a|nan|nil|unknown|undefined)$/i;

/**
 * The values of a field that a transfer or conference joined with arrows, without blanks; undefined if none is left. For
 * ids, words and steps, which contain no arrow: it separates with and without blanks around it.
 * The service does not align the chains of a call, so a position in one field means nothing in another.
 * @example splitChain(' -> 1001->1002') // ['1001', '1002']
 */
export const splitChain = (text: string): readonly string[] | undefined =>
  listOf(text.includes('->') ? text.split('->') : [text]);

/**
 * The same for text that people write, which may contain an arrow: it separates only with blanks, or an end of the text,
 * on both sides.
 * @example splitTextChain('Plan A->B -> Sold') // ['Plan A->B', 'Sold']
 */
export const splitTextChain = (text: string): readonly string[] | undefined =>
  listOf(text.includes('->') ? text.split(spacedArrow) : [text]);

const spacedArrow = /(?:^|\s)->(?=\s|$)/;

/**
 * The distinct URLs of a recording field, in the order sent; undefined if there is none. The service joins several
 * URLs with a comma or an arrow, and may repeat one. A URL may contain both, so they separate only before another URL, a
 * comma also at the end, and an arrow also with blanks on both sides.
 */
export const splitRecordings = (text: string): readonly string[] | undefined =>
  listOf(/->|,/.test(text) ? [...new Set(text.split(urlSeparator).map((url) => url.trim()))] : [text]);

const urlSeparator = new RegExp(String.raw`${spacedArrow.source}|,\s*$|(?:,|->)(?=\s*[a-z][a-z\d+.-]*://)`, 'i');

const listOf = (parts: readonly string[]): readonly string[] | undefined => {
  const list = parts.map(nonBlank).filter((part) => part !== undefined);
  return list.length === 0 ? undefined : list;
};

/** Stands where a person was erased from a row. */
export const erased = 'erased';

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

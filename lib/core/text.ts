const blanks = new Set(['', 'none', 'null', '-']);

/**
 * The text without surrounding space, or undefined where the sender means "nothing".
 * Practice: `""`, `None`, `null` and `-` all arrive for a missing value, in any letter case.
 */
export const nonBlank = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim();
  return trimmed === undefined || (trimmed.length <= 4 && blanks.has(trimmed.toLowerCase())) ? undefined : trimmed;
};

const arrow = /(?:^|\s)->(?=\s|$)/;

/**
 * The values that a transfer or conference joined with ` -> `, blanks left out; undefined if none is left.
 * Practice: chains of one call are not aligned with each other, so a position means nothing across fields.
 * @example chain(' -> 1001 -> 1002') // ['1001', '1002']
 */
export const splitChain = (text: string | undefined): readonly string[] | undefined =>
  text?.includes('->') ? listOf(text.split(arrow)) : listOf(text === undefined ? undefined : [text]);

/**
 * The distinct URLs of a recording field, in the order sent; undefined if there is none.
 * Practice: several are joined with a comma or ` -> `, and the same one may be repeated. Only a comma before a new
 * URL separates, since a URL may hold one itself.
 */
export const splitRecordings = (text: string | undefined): readonly string[] | undefined =>
  distinct(listOf(text?.split(/(?:^|\s)->(?=\s|$)|,(?=\s*(?:[a-z][a-z\d+.-]*:\/\/|$))/i)));

const distinct = (list: readonly string[] | undefined) => list && [...new Set(list)];

const listOf = (parts: readonly string[] | undefined): readonly string[] | undefined => {
  const list = parts?.map(nonBlank).filter((part) => part !== undefined);
  return list === undefined || list.length === 0 ? undefined : list;
};

/** Orders texts by their code units: the same on every machine, whatever its language. */
export const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The most characters of a text, and the most entries of a list or map. */
export interface TruncationLimit {
  readonly characters: number;
  readonly entries: number;
}

/** The beginning of a value, of whatever is in it, and of the names in it; numbers stay. */
export const truncate = (cut: TruncationLimit, value: unknown): unknown => {
  if (typeof value === 'string') return value.slice(0, cut.characters).toWellFormed();
  if (Array.isArray(value)) return value.slice(0, cut.entries).map((entry) => truncate(cut, entry));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).slice(0, cut.entries);
  return Object.fromEntries(
    entries.map(([key, entry]) => [key.slice(0, cut.characters).toWellFormed(), truncate(cut, entry)]),
  );
};

/** Parts are joined with `#`; anything but letters, digits and `-_.!~*'()` is percent-encoded, digits stay as they are. */
export const joinedKey = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('#');

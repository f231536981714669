import { minDigits, plainText } from './encoding.ts';

/** Puts `by` in place of what it looks for in a plain text. */
export type Search = (plain: string, by: string) => string;

/** The text with what searches find in its plain form replaced. A text in which nothing is found stays as it is. */
export const replaceFound = (text: string, searches: readonly Search[], by: string): string => {
  const plain = plainText(text);
  const replaced = searches.reduce((before, search) => search(before, by), plain);
  return replaced === plain ? text : replaced;
};

export const isFound = (search: Search, text: string): boolean => replaceFound(text, [search], '') !== text;

/** What may stand between two digits of a number in a plain text: anything but letters and digits, and more of what is usual. */
const between = String.raw`(?:[^\p{L}\d]{0,3}|[\s().\u2010-\u2015-]{4,})`;
const isBetween = new RegExp(`^${between}$`, 'u');

/** Dates and times have as many digits as numbers: they are matched first, and are no number. */
const dateOrTime = [
  String.raw`(?<!\d)\d{4}-(?:0\d|1[0-2])-[0-3]\d(?!\d)(?:[T ]\d\d:\d\d(?::\d\d)?(?!\d))?`,
  String.raw`(?<!\d)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d[0-5]\d[0-5]\d)?(?!\d)`,
  String.raw`(?<!\d/?)(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])/(?:19|20)\d\d(?!/?\d)`,
  String.raw`(?<!\d:?)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?!:?\d)`,
].join('|');

const anyNumber = new RegExp(String.raw`${dateOrTime}|([+(]{0,2}\d(?:${between}\d){${minDigits - 1},})`, 'gu');

/** A word with an `@`. Only the beginning of a word is tried, so that a long one is read once. */
const anyAddress = /(?<!\S)[^\s@]*@\S+/g;

const anybody: readonly Search[] = [
  (plain, by) => plain.replace(anyAddress, by),
  (plain, by) => plain.replace(anyNumber, (found, number?: string) => (number === undefined ? found : by)),
];

/** Replaces runs of six digits or more and words with an `@`, but no date or time. */
export const withoutNumbers = (text: string): string => replaceFound(text, anybody, '***');

/** No country's code begins with 0: a plus before that is the blank of an address. */
const plusBefore = /\+[^\p{L}\d]{0,3}(?=[^0]$)/u;

const digitGroup = new RegExp(String.raw`${dateOrTime}|(\d+)`, 'gu');

/** A number has no more digits, even with an exit code and a carrier's in front. */
const maxDigits = 24;

/**
 * Searches for one number, whose last digits are `ending`. It asks `isNumber` of each row of groups of digits with this ending, the
 * longest first: the digits, behind a `+` if they have one, and what stands before them. No number begins with a date or a time.
 */
export const numberSearch =
  (ending: string, isNumber: (digits: string, before: string) => boolean): Search =>
  (plain, by) => {
    if (!plain.replace(/\D/g, '').includes(ending)) return plain;

    const groups = [...plain.matchAll(digitGroup)];
    let [replaced, done, dateEnd] = ['', 0, 0];
    for (const [index, { 0: group, index: start, 1: digits }] of groups.entries()) {
      if (digits === undefined) dateEnd = start + group.length;
      if (digits === undefined || start < done) continue;
      const [plus = ''] = plusBefore.exec(plain.slice(Math.max(done, start - 4), start + 1)) ?? [];
      const from = start - plus.length;
      const before = plain.slice(Math.max(done, dateEnd, from - 32), from);
      const found = rowsOf(groups.slice(index, index + maxDigits), plain).findLast(
        (row) => row.digits.endsWith(ending) && isNumber(`${plus.slice(0, 1)}${row.digits}`, before),
      );
      if (found === undefined) continue;
      replaced += `${plain.slice(done, from)}${by}`;
      done = found.end;
    }
    return replaced + plain.slice(done);
  };

/** The first group, the first two together, and so on, as far as they may be one number. */
const rowsOf = (groups: readonly RegExpExecArray[], plain: string) => {
  const rows: { readonly digits: string; readonly end: number }[] = [];
  for (const { 0: group, index } of groups) {
    const { digits, end } = rows.at(-1) ?? { digits: '', end: index };
    if (digits.length > maxDigits || !isBetween.test(plain.slice(end, index))) break;
    rows.push({ digits: digits + group.replace(/\D/g, ''), end: index + group.length });
  }
  return rows;
};

import { percentDecoded } from './encoding.ts';

/**
 * A text as it is searched for a number or an address: with the characters that a form encoded, in their plain form, with digits
 * of ASCII, and without what only decorates a digit. Each character on its own: to normalise a run of marks takes the square of
 * its length.
 * @example plainText('０９８７/⁰⁰¹%2F२३४５') // 0987/001/2345
 */
export const plainText = (text: string): string =>
  percentDecoded(text)
    .replace(/[^\p{ASCII}]/gu, (character) => character.normalize('NFKC').replace(/[^\p{ASCII}]/gu, digitOr))
    .replace(/(?<=\d)[\p{M}\p{DI}]+/gu, '');

/** Unicode has the digits of a script side by side, from 0 to 9. Circled ones begin at 1. */
const digitOr = (character: string): string => {
  const code = Number(character.codePointAt(0));
  const one = circledOnes.find((first) => code >= first && code < first + 9);
  if (one !== undefined) return String(code - one + 1);
  if (!/\p{Nd}/u.test(character)) return character;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
};

/** Where the digits 1 to 9 begin that have no plain form in Unicode: in circles, double ones and dark ones. */
const circledOnes = [0x2776, 0x2780, 0x278a, 0x24f5];

/**
 * The text with what patterns find in its plain form replaced: the first group of each match, and not what the pattern finds
 * besides. A text in which nothing is found stays as it is.
 */
export const replaceFound = (text: string, patterns: readonly RegExp[], by: string): string => {
  const plain = plainText(text);
  const replaced = patterns.reduce(
    (before, pattern) =>
      before.replace(pattern, (match, found: string | undefined) => (found === undefined ? match : by)),
    plain,
  );
  return replaced === plain ? text : replaced;
};

/** What may stand between two digits of a number in a plain text: anything but letters and digits. */
const between = '[^\\p{L}\\d]{0,3}';

/** Telephone numbers have no fewer digits. */
export const minDigits = 6;

/** Dates and times have as many digits as numbers: they are matched first, and are no number. */
const dateOrTime = () => [
  String.raw`(?<!\d)\d{4}-(?:0\d|1[0-2])-[0-3]\d(?!\d)(?:[T ]\d\d:\d\d(?::\d\d)?(?!\d))?`,
  String.raw`(?<!\d)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d[0-5]\d[0-5]\d)?(?!\d)`,
  String.raw`(?<!\d/?)(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])/(?:19|20)\d\d(?!/?\d)`,
  String.raw`(?<!\d:?)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?!:?\d)`,
];

/** Made when it is needed: the receiver has this file, and looks for no number. */
const searchFor = (number: string): RegExp => new RegExp(`${dateOrTime().join('|')}|(${number})`, 'gu');

const anyNumber = (): RegExp => searchFor(String.raw`[+(]{0,2}\d(?:${between}\d){${minDigits - 1},}`);

/** A word with an `@`. Only the beginning of a word is tried, so that a long one is read once. */
const anyAddress = /(?<!\S)([^\s@]*@\S+)/g;

/** Replaces runs of six digits or more and words with an `@`, but no date or time. */
export const withoutNumbers = (text: string): string => replaceFound(text, [anyAddress, anyNumber()], '***');

/** A number that is looked for: its country's code, where that is known, what is dialled before it at home, such as 0, and the rest. */
export type SoughtNumber = Readonly<Record<'code' | 'trunk' | 'national', string>>;

/**
 * Finds a number in any spelling: bare, with a 0 or what its country dials instead, or with its country code after `+`, `00` or
 * nothing, with anything but letters between its digits. Its first group is the number. One whose country code is not known is
 * found with any code.
 */
export const numberPattern = ({ code, trunk, national }: SoughtNumber): RegExp => {
  // The beginning of somebody else's number: another country's code, or the code of an area.
  const otherNumber = String.raw`(?<!\+\d[\d\s().-]{0,8})(?<!(?<!\d)0\d{2,4}[\s().-]{1,2})`;
  const anyCode = String.raw`(?!0)\d{1,3}`;
  const before = [String.raw`(?:\+|00)`, code === '' ? anyCode : code, `(?:0|${trunk})`];
  const optional = before.map((part) => `(?:${part}${between})?`).join('');
  return searchFor(String.raw`(?<!\d)${otherNumber}${optional}${[...national].join(between)}(?!\d)`);
};

/** Whether a pattern finds its first group in a text. */
export const isFound = (pattern: RegExp, text: string): boolean =>
  [...plainText(text).matchAll(pattern)].some(([, found]) => found !== undefined);

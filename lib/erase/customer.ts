import type { Facts } from '../core/collections.ts';
import { erased } from '../core/text.ts';
import { type Person, replaceFields, replaceTexts } from './person.ts';

/** The country codes of E.164: no code is the beginning of another one. */
const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** What people and programs put between the digits of a number; in a query `+` and `%20` are blanks. */
const between = String.raw`(?:[\s().+\u2010-\u2015-]|%2[0-9A-Fa-f]){0,3}`;

/** Dates and times have as many digits as numbers: they are matched first, and are no number. */
const time = [
  String.raw`(?<!\d)\d{4}-(?:0\d|1[0-2])-[0-3]\d(?!\d)(?:[T ]\d\d:\d\d(?::\d\d)?(?!\d))?`,
  String.raw`(?<!\d)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d[0-5]\d[0-5]\d)?(?!\d)`,
].join('|');

/** The beginning of somebody else's number: another country's code, or the code of an area. */
const otherNumber = String.raw`(?<!\+\d[\d\s().-]{0,8})(?<!\b0\d{2,4}[\s().-]{1,2})`;

const minDigits = 6;
/** A number with more digits has its country code, even without a `+`. */
const maxNationalDigits = 11;

/**
 * Finds a telephone number in any spelling: with its country code after `+`, `00` or nothing, with a leading 0, or bare,
 * with blanks and hyphens between its digits. Its first group is the number. A number that is typed without its country
 * code is found with any code. Undefined if the text is no number of 6 digits or more.
 */
export const numberPattern = (typed: string): RegExp | undefined => {
  if (!/^\+?[\d\s().-]+$/.test(typed.trim())) return undefined;

  const [, prefix, digits = ''] = /^(\+|00|)0*(\d+)$/.exec(typed.replace(/[\s().-]/g, '')) ?? [];
  const isInternational = prefix !== '' || digits.length > maxNationalDigits;
  const code = isInternational ? (countryCode.exec(digits)?.[0] ?? '') : '';
  const national = digits.slice(code.length).replace(/^0+/, '');
  if (national.length < minDigits) return undefined;

  const begins = String.raw`(?:(?<!\d)${otherNumber}|(?<=%[0-9A-Fa-f]{2}))(?:(?:\+|00)${between})?`;
  const withCode = `(?:${code || String.raw`[1-9]\d{0,2}`}${between})?`;
  const withTrunk = `(?:0${between})?`;
  const number = `${begins}${withCode}${withTrunk}${[...national].join(between)}(?!\\d)`;
  return new RegExp(`${time}|(${number})`, 'g');
};

/** A telephone number, and nothing else: it goes whole, with whatever is around its digits. */
const numberFields = ['customerNumber', 'dialledNumber', 'participantNumber'];

/** What the customer said or somebody wrote about them: no search for a number finds what is in it. */
const freeTexts = ['comments', 'uui', 'recordings', 'conferenceRecordings'];

/**
 * A customer, by telephone number. In the calls that name it the number, every recording, comment and user-to-user
 * information become the word `erased`, and undocumented fields go. A field stays where it was, because deliveries are
 * ranked by the fields that they have.
 */
export const customer = (pattern: RegExp, account: string | undefined): Person => {
  const isNumber = (text: string) => [...text.matchAll(pattern)].some(([, number]) => number !== undefined);
  const mask = (text: string) =>
    text.replace(pattern, (match, number: string | undefined) => (number === undefined ? match : erased));

  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return isNumber(value);
    return value !== null && typeof value === 'object' && Object.entries(value).flat().some(isIn);
  };
  const withoutCustomer = ({ extra: _extra, ...facts }: Facts): Facts => {
    const numberless = replaceFields(facts, numberFields, (value) => (isIn(value) ? erased : value));
    const rest = replaceFields(numberless, freeTexts, (value) => (Array.isArray(value) ? [erased] : erased));
    return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, replaceTexts(value, mask)]));
  };
  return { account, isIn, isInText: isNumber, eraser: () => withoutCustomer };
};

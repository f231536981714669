import { erased } from '../../lib/calls/call-keys.ts';
import type { RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { sumsIn } from '../../lib/calls/plausible-facts.ts';
import { between, dateOrTime, minDigits, plainText, replaceFound } from '../../lib/core/numbers-in-text.ts';
import { factsErasedAs } from '../../lib/telephony/call-fields.ts';
import { literalPattern, type Person, replaceFields, replaceTexts } from './erase-person.ts';

/** A telephone number or an address, and nothing else: it goes whole, with whatever is around it. */
const numberFields = factsErasedAs('customer-number');

/** Free text and recordings: no search finds the customer in them. */
const freeTexts = factsErasedAs('text');

/**
 * A customer, as `customerPattern` finds them. In the calls that name them the number or address, every recording, comment and
 * user-to-user information become the word `erased`, and undocumented fields go. A field stays where it was, because
 * deliveries are ranked by the fields that they have.
 */
export const customer = (pattern: RegExp, account: string | undefined): Person => {
  const isNamed = (text: string) => namesCustomer(pattern, text);
  const mask = (text: string) => replaceFound(text, [pattern], erased);

  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return isNamed(value);
    const entries = Object.entries(value ?? {});
    return entries.flat().some(isIn);
  };
  const withoutCustomer = ({ extra, ...facts }: RecordFacts): RecordFacts => {
    const numberless = replaceFields({ ...sumsIn(extra), ...facts }, numberFields, (value) =>
      isIn(value) ? erased : value,
    );
    const rest = replaceFields(numberless, freeTexts, (value) => (Array.isArray(value) ? [erased] : erased));
    return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, replaceTexts(value, mask)]));
  };
  const isInText = (text: string) => [text, withoutEscapes(text)].some(isNamed);
  return { account, isIn, isInText, eraser: () => withoutCustomer };
};

export const namesCustomer = (pattern: RegExp, text: string): boolean =>
  [...plainText(text).matchAll(pattern)].some(([, name]) => name !== undefined);

/** A JSON text as it was before: it may write any character by its code. */
const withoutEscapes = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The country codes of E.164: no code is the beginning of another one. */
const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** The beginning of somebody else's number: another country's code, or the code of an area. */
const otherNumber = String.raw`(?<!\+\d[\d\s().-]{0,8})(?<!(?<!\d)0\d{2,4}[\s().-]{1,2})`;

/** A number with more digits has its country code, even without a `+`. */
const maxNationalDigits = 11;

/** The number that somebody typed, without what comes before it: its country code, where it has one, and a trunk's 0. */
type TypedNumber = Readonly<Record<'code' | 'national', string>>;

export const typedNumber = (typed: string): TypedNumber | undefined => {
  const plain = plainText(typed);
  if (/[^\d\s\p{P}\p{S}\p{Cf}]|@/u.test(plain)) return undefined;

  const dialled = plain.replace(/[^\d+]|(?<!^\s*)\+/g, '');
  const number = dialled.replace(/^[+0]+/, '');
  const isInternational = /^(?:\+|00)/.test(dialled) || number.length > maxNationalDigits;
  const [code = ''] = (isInternational && countryCode.exec(number)) || [];
  const national = number.slice(code.length).replace(/^0+/, '');
  return national.length < minDigits ? undefined : { code, national };
};

/**
 * Finds a telephone number in any spelling: bare, with a leading 0, or with its country code after `+`, `00` or nothing,
 * with anything but letters between its digits. Its first group is the number. A number that is typed without its country code
 * is found with any code.
 */
const patternOf = ({ code, national }: TypedNumber): RegExp => {
  const begins = String.raw`(?<!\d)${otherNumber}(?:(?:\+|00)${between})?`;
  const anyCode = String.raw`(?!0)\d{1,3}`;
  const withCode = `(?:${code === '' ? anyCode : code}${between})?`;
  const withTrunk = `(?:0${between})?`;
  const spellings = `${begins}${withCode}${withTrunk}${[...national].join(between)}(?!\\d)`;
  return new RegExp(`${dateOrTime}|(${spellings})`, 'gu');
};

export const numberPattern = (typed: string): RegExp | undefined => {
  const number = typedNumber(typed);
  return number && patternOf(number);
};

/** An address has no blanks, and something that a plain word has not. */
const addressForm = /^(?=.*\p{L})(?=.*[\p{Nd}@:._-])[^\s"<>{}]{5,254}$/u;

/** An address of mail or a name in a chat, whole and in any case, as the first group. A plain word would be found too often. */
const addressPattern = (typed: string): RegExp | undefined => {
  const address = typed.trim();
  if (!addressForm.test(address)) return undefined;

  return new RegExp(
    String.raw`(?<![\p{L}\p{Nd}._%+-])(${literalPattern(address)})(?![\p{L}\p{Nd}_%+-]|[.@][\p{L}\p{Nd}])`,
    'giu',
  );
};

/** Finds a customer by number, address or name in a `plainText`: the first group, if there is one. Undefined for other texts. */
export const customerPattern = (typed: string): RegExp | undefined =>
  numberPattern(typed) ?? addressPattern(plainText(typed));

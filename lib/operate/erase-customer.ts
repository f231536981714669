import { erased } from '../calls/call-keys.ts';
import type { RecordFacts } from '../calls/merge-deliveries.ts';
import { once } from '../core/collections.ts';
import { percentDecoded } from '../core/encoding.ts';
import { between, dateOrTime, minDigits, separator } from '../core/numbers-in-text.ts';
import { literalPattern, type Person, replaceFields, replaceTexts } from './erase-person.ts';

/** A telephone number or an address, and nothing else: it goes whole, with whatever is around it. */
const numberFields = ['customerNumber', 'dialledNumber', 'participantNumber'];

/** Free text and recordings: no search finds the customer in them. */
const freeTexts = ['comments', 'uui', 'recordings', 'conferenceRecordings'];

/**
 * A customer, as `customerPattern` finds them. In the calls that name them the number or address, every recording, comment and
 * user-to-user information become the word `erased`, and undocumented fields go. A field stays where it was, because
 * deliveries are ranked by the fields that they have.
 */
export const customer = (pattern: RegExp, account: string | undefined): Person => {
  const isNamed = (text: string) => [...text.matchAll(pattern)].some(([, name]) => name !== undefined);
  const mask = (text: string) =>
    text.replace(pattern, (match, name: string | undefined) => (name === undefined ? match : erased));

  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return isNamed(value);
    const entries = Object.entries(value ?? {});
    return entries.flat().some(isIn);
  };
  const withoutCustomer = ({ extra: _extra, ...facts }: RecordFacts): RecordFacts => {
    const numberless = replaceFields(facts, numberFields, (value) => (isIn(value) ? erased : value));
    const rest = replaceFields(numberless, freeTexts, (value) => (Array.isArray(value) ? [erased] : erased));
    return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, replaceTexts(value, mask)]));
  };
  const isInText = (text: string) => [text, withoutEscapes(text)].some(isNamed);
  return { account, isIn, isInText, eraser: () => withoutCustomer };
};

/** A text as it was before it was encoded: JSON may write any character by its code, and forms by its bytes. */
const withoutEscapes = (text: string): string =>
  percentDecoded(text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));

/** The country codes of E.164: no code is the beginning of another one. */
const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** The beginning of somebody else's number: another country's code, or the code of an area. */
const otherNumber = String.raw`(?<!\+\p{Nd}[\p{Nd}\s().-]{0,8})(?<!(?<!\p{Nd})0\p{Nd}{2,4}[\s().-]{1,2})`;

/** A number with more digits has its country code, even without a `+`. */
const maxNationalDigits = 11;

/** The digits of every script. Unicode has those of a script side by side, from 0 to 9. */
const digits = once(() =>
  Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).filter((text) => /\p{Nd}/u.test(text)),
);

const digitPattern = (value: string): string => {
  const forms = digits().filter((_, index) => index % 10 === Number(value));
  return `[${forms.join('')}]`;
};

const inAscii = (typed: string): string => typed.replace(/\p{Nd}/gu, (digit) => String(digits().indexOf(digit) % 10));

/**
 * Finds a telephone number in any spelling: bare, with a leading 0, or with its country code after `+`, `00` or
 * nothing. Its digits may be of any script, with blanks, hyphens and the like between them. Its first group is the
 * number. A number that is typed without its country code is found with any code. Undefined if the text is no number of
 * 6 digits or more.
 */
const numberPattern = (typed: string): RegExp | undefined => {
  const ascii = inAscii(typed);
  if (!new RegExp(`^[\\d${separator}]+$`).test(ascii)) return undefined;

  const dialled = ascii.replace(/[^\d+]|(?<!^\s*)\+/g, '');
  const number = dialled.replace(/^[+0]+/, '');
  const isInternational = /^(?:\+|00)/.test(dialled) || number.length > maxNationalDigits;
  const [code = ''] = (isInternational && countryCode.exec(number)) || [];
  const national = number.slice(code.length).replace(/^0+/, '');
  if (national.length < minDigits) return undefined;

  const zero = digitPattern('0');
  const begins = String.raw`(?:(?<!\p{Nd})${otherNumber}|(?<=%[0-9A-Fa-f]{2}))(?:(?:\+|${zero}${zero})${between})?`;
  const anyCode = String.raw`(?!${zero})\p{Nd}{1,3}`;
  const withCode = `(?:${code === '' ? anyCode : [...code].map(digitPattern).join('')}${between})?`;
  const withTrunk = `(?:${zero}${between})?`;
  const spellings = `${begins}${withCode}${withTrunk}${[...national].map(digitPattern).join(between)}(?!\\p{Nd})`;
  return new RegExp(`${dateOrTime}|(${spellings})`, 'gu');
};

/** An address has no blanks, and something that a plain word has not. */
const addressForm = /^(?=.*\p{L})(?=.*[\p{Nd}@:._-])[^\s"<>{}]{5,254}$/u;

/**
 * Finds an address of mail, or the name of somebody in a chat, in capitals or small letters; not as a part of a longer one.
 * Its first group is the address. Undefined if the text is no address: a plain word would be found in many places.
 */
const addressPattern = (typed: string): RegExp | undefined => {
  const address = typed.trim();
  if (!addressForm.test(address)) return undefined;

  return new RegExp(
    String.raw`(?<![\p{L}\p{Nd}._%+-])(${literalPattern(address)})(?![\p{L}\p{Nd}_%+-]|[.@][\p{L}\p{Nd}])`,
    'giu',
  );
};

/**
 * Finds a customer by a telephone number, an address of mail, or a name in a chat. What is found is the first group; a match
 * without it is something else. Undefined if the text is none of them.
 */
export const customerPattern = (typed: string): RegExp | undefined => numberPattern(typed) ?? addressPattern(typed);

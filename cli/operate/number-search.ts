import { minDigits, plainText } from '../../lib/core/encoding.ts';
import { numberSearch, type Search } from '../../lib/core/numbers-in-text.ts';
import { e164, isLong, partsOf } from '../../lib/telephony/e164.ts';

/** How somebody is found in any text, and in a field that holds nothing but a number. */
export interface PersonSearch {
  readonly search: Search;
  readonly isSameNumber: (sent: string) => boolean;
}

/**
 * The search for a number that somebody typed; undefined for a text that is none. `countries` has the country of each account's
 * numbers. A number that is not the same one in all of them is found with any country code.
 */
export const searchForNumber = (
  typed: string,
  countries: readonly (string | undefined)[] = [],
): PersonSearch | undefined => {
  const plain = plainText(typed);
  if (/[^\d\s\p{P}\p{S}\p{Cf}]|@/u.test(plain)) return undefined;

  const [country, ...others] = countries;
  const inOne = e164(typed, country);
  const number = others.every((other) => e164(typed, other) === inOne) ? inOne : undefined;
  const allDigits = plain.replace(/\D/g, '');
  const digits = allDigits.replace(/^0+/, '');
  const hasCode = /^[^\d+]*(?:\+|00)/.test(plain) || isLong(digits);
  const known = partsOf(number ?? (hasCode ? `+${digits}` : ''));
  const national = known?.national ?? digits;
  if (national.length < minDigits) return undefined;

  const code = known === undefined ? String.raw`[1-9]\d{0,2}` : `(?:0|0?011)?${known.code}`;
  const usual = new RegExp(String.raw`^(?:${allDigits}|(?:\+|00)?(?:${code})?0?${national})$`);
  const isSameIn = (homes: readonly (string | undefined)[], sent: string) =>
    number !== undefined && homes.some((home) => e164(sent, home) === number);
  const isSameNumber = (sent: string) => isSameIn(countries, sent);

  const isNumber = (sent: string, before: string): boolean => {
    const isLocal = sent.length < national.length;
    if (!sent.startsWith('+') && isOthers(sent, before, isLocal)) return false;
    return usual.test(sent) || isSameNumber(sent) || (!isLocal && isSameIn(known?.countries ?? [], sent));
  };
  return { search: numberSearch(national.slice(-minDigits), isNumber), isSameNumber };
};

/** Whether somebody else's number begins before the digits: with another country's code, or with the code of an area. */
const isOthers = (digits: string, before: string, isLocal: boolean): boolean =>
  /\+(?:\d[\s().\u2010-\u2015\p{Cf}-]*){1,6}$/u.test(before) ||
  (isLocal && /\d[\s().\u2010-\u2015\p{Cf}-]*$/u.test(before)) ||
  (!digits.startsWith('0') && /(?<!\d)0\d{2,4}[\s().-]{1,2}$/.test(before));

import { keepLatest } from '../../lib/core/collections.ts';
import { minDigits, plainText } from '../../lib/core/encoding.ts';
import { numberSearch, type TextSearch } from '../../lib/core/numbers-in-text.ts';
import { callerKey } from '../../lib/telephony/caller-key.ts';
import { isLong, partsOf } from '../../lib/telephony/e164.ts';
import { numbersOfPerson } from '../../lib/telephony/former-numbers.ts';

/** How somebody is found in any text, and in a field that holds nothing but a number: undefined where only a search can say it. */
export interface PersonSearch {
  readonly search: TextSearch;
  readonly isSameNumber: (sent: string) => boolean | undefined;
}

/** More digits are several numbers, even where exit codes are before them. */
const maxDigits = 19;

/**
 * The search for a number that somebody typed; undefined for a text that is none. `countries` has the country of each account's
 * numbers. A number that is not the same one in all of them is found with any country code.
 */
export const searchForNumber = (
  typed: string,
  countries: readonly (string | undefined)[] = [],
): PersonSearch | undefined => {
  const plain = plainText(typed).replace(/^\s*tel:/i, '');
  if (/[^\d\s\p{P}\p{S}\p{Cf}]|@/u.test(plain)) return undefined;

  const [country, ...others] = countries;
  const inOne = personIn(plain, country);
  const number = others.every((other) => personIn(plain, other) === inOne) ? inOne : undefined;
  const allDigits = plain.replace(/\D/g, '');
  const digits = allDigits.replace(/^0+/, '');
  const hasCode = /^[^\d+]*(?:\+|00)/.test(plain) || isLong(digits);
  const numbering = partsOf(number ?? (hasCode ? `+${digits}` : ''));
  const national = numbering?.national ?? digits;
  // Small countries have shorter ones, which are found with their code alone.
  const isShort = national.length < minDigits;
  if ((isShort && numbering?.isValid !== true) || allDigits.length > maxDigits) return undefined;

  const code = numbering === undefined ? String.raw`[1-9]\d{0,2}` : `(?:0|0?011)?${numbering.code}`;
  const usual = new RegExp(String.raw`^(?:${allDigits}|(?:\+|00)?(?:${code})${isShort ? '' : '?'}0?${national})$`);
  const abroad = numbering?.countries ?? [];
  const soughtIn = new Map([...countries, ...abroad].map((home) => [home, number ?? personIn(plain, home)]));
  const read = reader();
  const isSameIn = (homes: readonly (string | undefined)[], sent: string) =>
    homes.some((home) => soughtIn.get(home) !== undefined && read(sent, home) === soughtIn.get(home));
  const isValid = (sent: string, home: string | undefined) => partsOf(read(sent, home) ?? '')?.isValid === true;
  const isSameNumber = (sent: string) => {
    if (isSameIn(countries, sent)) return true;
    const isAnothers = number !== undefined && countries.length > 0 && countries.every((home) => isValid(sent, home));
    return isAnothers ? false : undefined;
  };

  const endings = [allDigits, national, ...[...soughtIn.values()].flatMap(endingsOf)];
  const isLike = (digits: string): boolean => {
    // A part of it may be behind a trunk prefix: zeros, or any digit.
    const local = [digits, digits.slice(1), digits.replace(/^0+/, '')];
    return endings.some((ending) => digits.endsWith(ending) || local.some((part) => ending.endsWith(part)));
  };
  const isNumber = (sent: string, before: string): boolean => {
    // Most other numbers with its last digits end here: to read them takes a hundred times as long.
    if (!isLike(sent.replace('+', ''))) return false;
    const isLocal = sent.length < national.length;
    if (!sent.startsWith('+') && isOthers(sent, before, isLocal, read)) return false;
    return usual.test(sent) || isSameIn(countries, sent) || (!isLocal && isSameIn(abroad, sent));
  };
  return { search: numberSearch(national.slice(-minDigits), isNumber), isSameNumber };
};

/** What all numbers of one person have in common; undefined for a text that is no number in E.164. */
const personIn = (sent: string, country: string | undefined): string | undefined => {
  const key = callerKey(sent, country);
  return key?.startsWith('+') === true ? key : undefined;
};

/** What spellings of a person's numbers end with, if not with a part of them. In Argentina a mobile number has `15` within it at home. */
const endingsOf = (person: string | undefined): readonly string[] => {
  if (person === undefined) return [];
  const { code, national = '' } = partsOf(person) ?? {};
  const areas = code === '54' ? [2, 3, 4] : [];
  const atHome = areas.map((areaDigits) => `${national.slice(0, areaDigits)}15${national.slice(areaDigits)}`);
  return [...numbersOfPerson(person).map((number) => partsOf(number)?.national ?? national), ...atHome];
};

/** How many readings of numbers a search remembers. */
const maxRemembered = 1_000;

/** Reads numbers as `personIn` does, which takes long: what a text has again and again is read once. */
const reader = (): typeof personIn => {
  const numbers = new Map<string, { readonly number: string | undefined }>();
  return (sent, country) => {
    const key = `${country} ${sent}`;
    const { number } = numbers.get(key) ?? { number: personIn(sent, country) };
    keepLatest(numbers, key, { number }, maxRemembered);
    return number;
  };
};

/** Whether somebody else's number begins before the digits: with another country's code, or with the code of an area. */
const isOthers = (digits: string, before: string, isLocal: boolean, read: typeof personIn): boolean => {
  const [, code] = exitCodeBefore.exec(before) ?? [];
  const [, area] = areaBefore.exec(before) ?? [];
  return (
    plusBefore.test(before) ||
    (code !== undefined && read(`+${code}${digits}`, undefined) !== undefined) ||
    (area !== undefined && !digits.startsWith('0') && (isExitCode.test(area) || isOneNumber(area, digits))) ||
    (isLocal && digitBefore.test(before))
  );
};

/** What may stand between two groups of digits of one number. */
const gap = String.raw`[\s().\u2010-\u2015\p{Cf}-]*`;
const digitBefore = new RegExp(String.raw`\d${gap}$`, 'u');
const plusBefore = new RegExp(String.raw`\+(?:\d${gap}){1,6}$`, 'u');
const exitCodeBefore = new RegExp(String.raw`(?<!\d)00${gap}([1-9]\d{0,2})${gap}$`, 'u');
const areaBefore = /(?<!\d)(0\d{2,4})[\s().-]{1,2}$/;
const isExitCode = /^0(?:0|11$)/;

/** A time without its colon, such as 0930, is before more digits than an area is. */
const isOneNumber = (area: string, digits: string): boolean => area.length + digits.length <= 12;

import { minDigits } from '../core/encoding.ts';
import { e164, partsOf, readNumber } from './e164.ts';
import {
  commonNumber,
  currentNationalNumber,
  currentNumber,
  formerPrefixes,
  numbersOfPerson,
} from './former-numbers.ts';
import { digitsOf, numberIn } from './number-text.ts';

/**
 * A text that all spellings of a caller's number share: the number in E.164, which is the same for both numbers of a person. A number
 * without E.164, such as a short one, has its digits. Any other text is itself, if it has as many digits as a number. Undefined if
 * nobody can be called back: for a withheld number, and for none. `country` is as for `e164`.
 */
export const callerKey = (sent: string, country: string | undefined): string | undefined => {
  const { number, text } = numberIn(sent);
  if (number === undefined) return digitsOf(text).length < minDigits ? undefined : text.trim().toLowerCase();

  const { e164: inE164, isValid, isWithheld } = readNumber(number, country);
  if (isWithheld) return undefined;
  if (inE164 !== undefined && isValid === true) return commonNumber(inE164);
  const digits = inE164?.slice(1) ?? number.replace(/^(?:\+|00)/, '');
  const isNational = inE164 === undefined && !/^(?:\+|00)/.test(number);
  const current = currentNumber(digits) ?? (isNational ? currentNationalNumber(digits, country) : undefined);
  return current !== undefined && partsOf(current)?.isValid === true ? current : (inE164 ?? digits);
};

/**
 * The spellings in which machines write a caller's number: with `+`, with its country's code alone, with a 0, with `00`, and bare.
 * Those that mean another caller in an account of this `country` are left out. Empty for a number that has no E.164.
 */
export const machineSpellings = (number: string, country: string | undefined): readonly string[] => {
  const key = callerKey(number, country);
  if (key?.startsWith('+') !== true) return [];
  const spellings = [e164(number, country) ?? key, ...numbersOfPerson(key)].flatMap((one) => {
    const digits = one.slice(1);
    const national = partsOf(one)?.national ?? digits;
    const dialled = formerPrefixes(one).map((prefix) => `${prefix}${national}`);
    return [one, digits, `0${national}`, `00${digits}`, national, ...dialled];
  });
  return [...new Set(spellings)].filter((spelling) => callerKey(spelling, country) === key);
};

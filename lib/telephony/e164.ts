import {
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min/es6';
import { minDigits, plainText } from '../core/encoding.ts';

/** A longer text is no number, however it is decorated. */
const maxLength = 100;

/** National numbers are hardly ever longer, so a longer one may begin with the code of any country, even without a `+`. */
const maxNationalDigits = 11;
export const isLong = (digits: string): boolean => digits.length > maxNationalDigits;

/** More digits are several numbers. */
const maxDigits = 15;

/**
 * The E.164 form of a text that is one telephone number and nothing else: undefined for withheld and short numbers, for
 * extensions and several numbers in one. `country` (ISO 3166, two letters) is where a number belongs that has neither a `+` nor
 * an exit code, such as `00`. Machines also write a 0 before numbers of countries that have no trunk prefix, and leave out the `+`, so
 * several readings may be possible: a valid one comes first.
 * @example e164('09000000042', 'IN') // +919000000042
 */
export const e164 = (sent: string, country: string | undefined): string | undefined => {
  const text = dialled(sent) ?? '';
  const digits = digitsOf(text);
  if (digits.length < minDigits) return undefined;

  const possible: string[] = [];
  for (const reading of readingsOf(text, digits, country)) {
    if (reading?.isValid() === true) return reading.number;
    if (reading?.isPossible() === true) possible.push(reading.number);
  }
  return possible.at(isLong(digits) ? -1 : 0);
};

/**
 * What all spellings of a number have in common: its E.164, or the digits of a number that has none, such as a short one. A text
 * that is not one number, such as a withheld one, has nothing in common with another.
 */
export const numberKey = (sent: string, country: string | undefined): string | undefined => {
  const digits = digitsOf(dialled(sent) ?? '');
  return e164(sent, country) ?? (digits === '' || digits.length > maxDigits ? undefined : digits);
};

/** The digits of a text that is one number, with its `+`. One digit repeated is none: services send it for withheld numbers. */
const dialled = (sent: string): string | undefined => {
  if (sent.length > maxLength) return undefined;
  const text = plainText(sent)
    .replace(/\p{Cf}/gu, '')
    .trim()
    // A spreadsheet took it for a sum.
    .replace(/\.0$/, '');
  if (!telephoneNumber.test(text)) return undefined;
  const number = text.replace(/[^+\d]/g, '');
  return new Set(digitsOf(number)).size < 2 ? undefined : number;
};

/** Without `+` and the exit code `00`. */
const digitsOf = (text: string): string => text.replace(/^(?:\+|00)/, '');

/** Digits, and what people write between them: no slash, which also stands between two numbers. */
const telephoneNumber = /^\(?\+?[\d\s().\u2010-\u2015-]+$/u;

/** The likeliest first. A reading is made only if the ones before it are not valid, as it takes most of the time. */
function* readingsOf(
  text: string,
  digits: string,
  country: string | undefined,
): Generator<PhoneNumber | undefined, void> {
  const international = () => parsePhoneNumberFromString(`+${digits}`);
  if (/^(?:\+|00)/.test(text)) yield international();
  if (text.startsWith('+') || country === undefined || !isSupportedCountry(country)) return;
  if (text.startsWith('00')) {
    // The library knows the exit codes of each country, such as 0011, and that numbers of Japan may begin with 00.
    const abroad = parsePhoneNumberFromString(text, country);
    const isAbroad = abroad?.isValid() === true || abroad?.countryCallingCode !== getCountryCallingCode(country);
    return yield abroad && isAbroad && digits.endsWith(abroad.number.slice(1)) ? abroad : undefined;
  }

  if (isLong(digits) && digits.startsWith(getCountryCallingCode(country))) yield international();
  const national = parsePhoneNumberFromString(digits, country);
  if (digits.length === maxNationalDigits && !isUsual(national)) yield ifValid(international());
  yield national;
  if (digits.startsWith('0')) yield parsePhoneNumberFromString(digits.slice(1), country);
  if (isLong(digits)) yield international();
}

/** The rules of some countries allow numbers that nobody has. The library does not know how these are written. */
const isUsual = (national: PhoneNumber | undefined): boolean =>
  national?.isValid() === true && /\D/.test(national.formatNational());

/** Other readings count too where the number may be a new one, of which the library does not know yet. */
const ifValid = (reading: PhoneNumber | undefined) => (reading?.isValid() === true ? reading : undefined);

/**
 * The spellings in which machines write a number, which is in E.164: with `+`, with its country's code alone, with a 0, with `00`,
 * and bare. Those that mean another number in an account of this `country` are left out.
 */
export const machineSpellings = (number: string, country: string | undefined): readonly string[] => {
  const digits = number.slice(1);
  const national = partsOf(number)?.national ?? digits;
  const spellings = [number, digits, `0${national}`, `00${digits}`, national];
  return [...new Set(spellings)].filter((spelling) => e164(spelling, country) === number);
};

/** What a number in E.164 consists of, and the countries that it may be of: several where they share a code. */
export const partsOf = (number: string) => {
  const parsed = parsePhoneNumberFromString(number);
  if (parsed === undefined) return undefined;
  const { countryCallingCode: code, nationalNumber: national } = parsed;
  return { code, national, countries: parsed.getPossibleCountries(), isValid: parsed.isValid() };
};

import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max/es6';
import { minDigits } from '../core/encoding.ts';
import { currentNationalNumber } from './former-numbers.ts';
import { digitsOf, numberIn } from './number-text.ts';

/** National numbers are hardly ever longer, so a longer one may begin with the code of any country, even without a `+`. */
const maxNationalDigits = 11;
export const isLong = (digits: string): boolean => digits.length > maxNationalDigits;

/**
 * The E.164 form of a text that is one telephone number: what the text says by the full tables of the library, never a guess.
 * A text that names its country, by `+`, an exit code or the trunk prefix, may be a number that the tables do not know yet, if its
 * length is possible. Any other is a valid number of `country` (ISO 3166, two letters), or else a valid one of another country.
 * @example e164('09000000042', 'IN') // +919000000042
 */
export const e164 = (sent: string, country: string | undefined): string | undefined => {
  const { number } = numberIn(sent);
  return number === undefined ? undefined : readNumber(number, country).e164;
};

/** The number of a text that is in E.164 already, with or without its `+`; undefined unless the tables call it valid. */
export const validE164 = (sent: string): string | undefined =>
  ifValid(readNamed(digitsOf(numberIn(sent).number ?? ''))).e164;

/** What one number is: in E.164, valid by the tables or only possible; withheld; or neither, as a short one is. */
export interface NumberReading {
  readonly e164?: string;
  readonly isValid?: boolean;
  readonly isWithheld?: true;
}

/** Reads the digits of one number, with a `+` where one was sent. */
export const readNumber = (number: string, country: string | undefined): NumberReading => {
  const digits = digitsOf(number);
  if (isOneDigit(digits) || digits === anonymousOnKeypad) return { isWithheld: true };
  if (digits.length < minDigits) return {};
  // No country's code begins with 0: a plus before that is the blank of an address.
  if (number.startsWith('+') && !digits.startsWith('0')) return readNamed(digits);

  const home = country !== undefined && isSupportedCountry(country) ? planOf(country) : undefined;
  const abroad = readBehindExitCode(digits, home);
  if (abroad.isValid === true || home === undefined || digits.startsWith('00')) return abroad;
  return firstRead([() => readNational(digits, home), () => abroad]);
};

/** Services send it for withheld numbers. */
const isOneDigit = (digits: string): boolean => new Set(digits).size < 2;

/** The word `anonymous` on the keypad of a telephone. */
const anonymousOnKeypad = '266696687';

/** Later readings are made only if the ones before them read nothing, as that takes most of the time. */
const firstRead = (readings: readonly (() => NumberReading)[]): NumberReading => {
  for (const read of readings) {
    const reading = read();
    if (reading.e164 !== undefined || reading.isWithheld) return reading;
  }
  return {};
};

/** The exit code is `00`, as machines write it everywhere, or one that people dial in the country, such as 0011. */
const readBehindExitCode = (digits: string, home: Plan | undefined): NumberReading => {
  const usual = digits.startsWith('00') ? readNamed(digits.slice(2)) : {};
  const [own] = usual.isValid === true ? [] : (home?.exitCode.exec(digits) ?? []);
  const behindOwn = own === undefined ? {} : readNamed(digits.slice(own.length));
  return behindOwn.isValid === true ? behindOwn : firstRead([() => usual, () => behindOwn]);
};

/** Reads digits that begin with the code of their country. */
const readNamed = (digits: string): NumberReading => {
  const reading = parsePhoneNumberFromString(`+${digits}`);
  if (reading === undefined || !keepsDigits(reading, digits)) return {};
  if (reading.isValid()) return { e164: reading.number, isValid: true };
  if (isOneDigit(reading.nationalNumber)) return { isWithheld: true };
  return reading.isPossible() ? { e164: reading.number } : {};
};

/** Reads digits without a `+` and without an exit code. */
const readNational = (digits: string, home: Plan): NumberReading =>
  firstRead([
    () => readOwn(digits, home),
    () => readBehindTrunkPrefix(digits, home),
    () => readBare(digits, home),
    () => readBehindZero(digits, home),
  ]);

/** A number that is valid in the account's country, with or without the country's code and the trunk prefix. */
const readOwn = (digits: string, { country, code }: Plan): NumberReading => {
  const withCode = isLong(digits) && digits.startsWith(code) ? ifValid(readNamed(digits)) : {};
  if (withCode.isValid === true) return withCode;
  const reading = parsePhoneNumberFromString(digits, country);
  const isOwn = reading?.countryCallingCode === code && reading.isValid() && keepsDigits(reading, digits);
  return isOwn ? { e164: reading.number, isValid: true } : {};
};

const ifValid = (reading: NumberReading): NumberReading => (reading.isValid === true ? reading : {});

/** The tables may not know such a number yet, if it has as many digits as those of subscribers have. */
const readBehindTrunkPrefix = (digits: string, home: Plan): NumberReading => {
  const behind = behindTrunkPrefix(digits, home);
  if (behind === undefined) return {};
  if (isOneDigit(behind)) return { isWithheld: true };
  return home.subscriberLengths.has(behind.length) ? { e164: `+${home.code}${behind}` } : readBare(behind, home);
};

/** The digits behind the trunk prefix, if the text has one. */
const behindTrunkPrefix = (digits: string, { country, code }: Plan): string | undefined => {
  const { nationalNumber = digits, countryCallingCode } = parsePhoneNumberFromString(digits, country) ?? {};
  if (countryCallingCode !== code || nationalNumber === digits || !digits.endsWith(nationalNumber)) return undefined;
  const prefix = digits.slice(0, digits.length - nationalNumber.length);
  // In North America the trunk prefix and the code are the same digit.
  return prefix.length <= maxTrunkDigits && (prefix !== code || code === '1') ? nationalNumber : undefined;
};

/** As the 06 of Hungary. */
const maxTrunkDigits = 2;

/** A number of the account's country, or else of another one. */
const readBare = (digits: string, home: Plan): NumberReading => {
  const isWithheld = digits.startsWith(home.code) && isOneDigit(digits.slice(home.code.length));
  return firstRead([
    () => readOwn(digits, home),
    () => ifValid(readNamed(digits)),
    () => (isWithheld ? { isWithheld } : {}),
  ]);
};

/** Machines also write a 0 where a country has no trunk prefix. */
const readBehindZero = (digits: string, home: Plan): NumberReading => {
  if (!digits.startsWith('0') || currentNationalNumber(digits, home.country) !== undefined) return {};
  const behind = digits.slice(1);
  return isOneDigit(behind) ? { isWithheld: true } : readBare(behind, home);
};

/**
 * Whether a reading has all digits that were sent, but for the country's code, the trunk prefix and the code of a carrier. For
 * some countries the library also drops the prefix of a service, and adds the code of the only area.
 */
const keepsDigits = (reading: PhoneNumber, digits: string): boolean => {
  const { nationalNumber, countryCallingCode: code, country, carrierCode = '' } = reading;
  // 15 between the area and a mobile number becomes a 9 before the area.
  if (country === 'AR' || nationalNumber.endsWith(digits)) return true;
  if (!digits.endsWith(nationalNumber)) return false;
  const dropped = digits.slice(0, digits.length - nationalNumber.length);
  const prefix = dropped.startsWith(code) ? dropped.slice(code.length) : dropped;
  return prefix.endsWith(carrierCode) && prefix.length - carrierCode.length <= maxTrunkDigits;
};

/** What the tables say of a country. */
interface Plan {
  readonly country: CountryCode;
  readonly code: string;
  readonly exitCode: RegExp;
  /** The lengths of national numbers, without those of services: 1800 of India may have 13 digits. */
  readonly subscriberLengths: ReadonlySet<number>;
}

const plans = new Map<CountryCode, Plan>();

const planOf = (country: CountryCode): Plan => {
  const cached = plans.get(country);
  if (cached !== undefined) return cached;
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  // The types of the library lack its method `type`.
  const numbersOf = (type: string) => Object(metadata.numberingPlan).type(type);
  const plan = {
    country,
    code: getCountryCallingCode(country),
    exitCode: new RegExp(`^(?:${metadata.numberingPlan?.IDDPrefix()})`),
    subscriberLengths: new Set<number>(
      ['FIXED_LINE', 'MOBILE'].flatMap((type) => numbersOf(type)?.possibleLengths() ?? []),
    ),
  };
  plans.set(country, plan);
  return plan;
};

/** What a number in E.164 consists of, and the countries that it may be of: several where they share a code. */
export const partsOf = (number: string) => {
  const parsed = parsePhoneNumberFromString(number);
  if (parsed === undefined) return undefined;
  const { countryCallingCode: code, nationalNumber: national } = parsed;
  return { code, national, countries: parsed.getPossibleCountries(), isValid: parsed.isValid() };
};

import examples from 'libphonenumber-js/examples.mobile.json';
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max/es6';

/** Where the five spellings of machines name one number each. In Italy a 0 in front makes another number of it. */
export const numberCountries = 'IN GB US DE FR AU ZA AE SG BR JP ES NL PH MY KE NG PL CZ MX'.split(
  ' ',
) as CountryCode[];

/** A hundred numbers of a country: in E.164, as machines write them, and as people do. */
export const numbersOf = (country: CountryCode) => {
  const example = getExampleNumber(country, examples);
  if (example === undefined) throw new Error(`No example of ${country}`);
  const code = example.countryCallingCode;
  return Array.from({ length: 100 }, (_, index) => {
    const national = `${example.nationalNumber.slice(0, -3)}${String(index * 10 + 7).padStart(3, '0')}`;
    const number = `+${code}${national}`;
    const written = parsePhoneNumberFromString(number);
    const international = written?.formatInternational() ?? number;
    return {
      number,
      spellings: [number, `${code}${national}`, `0${national}`, `00${code}${national}`, national],
      typed: [
        international,
        `  ${written?.formatNational()}\n`,
        international.replace('+', '00'),
        international.replaceAll(/[ -]/g, '.'),
        number.replace(/\d/g, (digit) => String.fromCodePoint(0x0966 + Number(digit))),
      ],
    };
  });
};

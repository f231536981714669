import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import { e164 } from '../../lib/telephony/e164.ts';
import { code, markdownTable } from './markdown.ts';

/** The library's example of a mobile number of each country. */
const numbers = getCountries().flatMap((country) => {
  const example = getExampleNumber(country, examples);
  return example === undefined ? [] : [{ code: example.countryCallingCode, number: example.number }];
});

/** How the examples of other countries are read without their plus in an account of a country. */
const readAbroad = (country: (typeof countries)[number]) => {
  const foreign = numbers.filter((number) => number.code !== getCountryCallingCode(country));
  const read = foreign.map(({ number }) => ({ number, as: e164(number.slice(1), country) }));
  return {
    country,
    all: foreign.length,
    home: read.filter(({ number, as }) => as !== undefined && as !== number).length,
    absent: read.filter(({ as }) => as === undefined).length,
  };
};
const countries = getCountries();

/** Below this, countries are named together. */
const fewest = 10;

const homeReadings = (): string => {
  const all = countries.map(readAbroad).toSorted((a, b) => b.home - a.home);
  const rows = all.filter(({ home }) => home >= fewest);
  const most = Math.max(...all.filter(({ home }) => home < fewest).map(({ home }) => home));
  const byCount = Map.groupBy(rows, ({ home, absent, all: of }) => `${home} ${absent} ${of}`);
  return markdownTable(
    ['Account of', 'Foreign numbers', 'Read as a number of the account’s country', 'Without E.164'],
    [
      ...[...byCount.values()].map((same) => [
        same.map(({ country }) => code(country)).join(' '),
        ...['all', 'home', 'absent'].map((count) => String(Object(same[0])[count])),
      ]),
      ['any other country', '', `at most ${most}`, String(Math.max(...all.map(({ absent }) => absent)))],
    ],
  );
};

export const numberParts = () => ({ 'numbers-at-home': homeReadings() });

import fc from 'fast-check';
import metadata from 'libphonenumber-js/max/metadata';
import { describe, expect, it } from 'vitest';
import { minDigits } from '../../../lib/core/encoding.ts';
import { callerKey } from '../../../lib/telephony/caller-key.ts';
import { e164 } from '../../../lib/telephony/e164.ts';
import { holds, seed } from '../../support/arbitraries.ts';

/** Countries of accounts, and with the others those of numbers. */
const homes = 'IN US GB DE AT FR IT ES BR MX AR SG PK AE AU JP KR RU ZA NG KE PH MY ID TR PL NL HU'.split(' ');
const countries = [...homes, ...'CA NZ IE CH BE PT DK NO GR SA IL TH'.split(' ')];

/** What the tables have of a country. */
interface Table {
  readonly code: string;
  /** What is dialled before a national number. */
  readonly trunkPrefix: RegExp;
  readonly leadingDigits: RegExp | undefined;
  readonly fixedAndMobile: readonly RegExp[];
  readonly all: readonly RegExp[];
  /** How long fixed and mobile numbers are. */
  readonly lengths: ReadonlySet<number>;
}

type Type = readonly [pattern: string, lengths?: readonly number[]];

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const beginning = (pattern: unknown): RegExp => new RegExp(`^(?:${pattern || '(?!)'})`);

/** From the library's list of a country, by its places there. */
const tableOf = (listed: readonly unknown[]): Table => {
  const [code, , , lengths, , trunk, , forParsing, , , leading, types] = listed;
  const ofTypes = (types as readonly (Type | 0)[]).map((type) => (type === 0 || type[0] === '' ? undefined : type));
  const known = (some: typeof ofTypes) => some.filter((type) => type !== undefined);
  const fixedAndMobile = known(ofTypes.slice(0, 2));
  return {
    code: String(code),
    trunkPrefix: beginning(forParsing || trunk),
    leadingDigits: leading ? beginning(leading) : undefined,
    fixedAndMobile: fixedAndMobile.map(([pattern]) => whole(pattern)),
    all: known(ofTypes).map(([pattern]) => whole(pattern)),
    lengths: new Set(fixedAndMobile.flatMap(([, own]) => own ?? (lengths as readonly number[]))),
  };
};

const tables = new Map(
  Object.entries(metadata.countries).map(([country, listed]) => [country, tableOf(listed as readonly unknown[])]),
);

const tableFor = (country: string): Table => {
  const table = tables.get(country);
  if (table === undefined) throw new Error(`No table of ${country}`);
  return table;
};

const fits = (digits: string, patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(digits));

/** Countries that share a code know theirs by the first digits, or else by the patterns. */
const isValid = (code: string, national: string): boolean => {
  const sharing = [...tables.values()].filter((table) => table.code === code);
  const named = sharing.filter(({ leadingDigits }) => leadingDigits?.test(national));
  return (named.length > 0 ? named : sharing).some(({ all }) => fits(national, all));
};

const isValidAnywhere = (digits: string): boolean =>
  [1, 2, 3].some((length) => isValid(digits.slice(0, length), digits.slice(length)));

/** What the rule says of digits that name no country, in an account of `home`. Digits may be a number with its code and one without. */
const readBare = (digits: string, { code, trunkPrefix, lengths }: Table): readonly (string | undefined)[] => {
  const ofHome = [
    digits.startsWith(code) && isValid(code, digits.slice(code.length)) ? `+${digits}` : undefined,
    isValid(code, digits) ? `+${code}${digits}` : undefined,
  ].filter((number) => number !== undefined);
  if (ofHome.length > 0) return ofHome;
  const [prefix = ''] = trunkPrefix.exec(digits) ?? [];
  const behind = digits.slice(prefix.length);
  if (prefix !== '' && (isValid(code, behind) || lengths.has(behind.length))) return [`+${code}${behind}`];
  return [isValidAnywhere(digits) ? `+${digits}` : undefined];
};

const generated = countries.map((country) => ({
  code: tableFor(country).code,
  nationals: tableFor(country).fixedAndMobile.flatMap((pattern) =>
    fc.sample(fc.stringMatching(pattern), { seed, numRuns: 3 }),
  ),
}));

/** What people dial before a national number, where they do. */
const trunk = (country: string): string => {
  const [, , , , , prefix] = Object(metadata.countries)[country];
  return typeof prefix === 'string' ? prefix : '';
};

const decorated = (digits: string): readonly string[] => [
  `tel:${digits};ext=12`,
  `"Asha" <sip:${digits}@gw.example>`,
  `${digits} x12`,
  `->${digits}`,
  `'${digits}`,
  `${digits} (Mobile)`,
];

/** Every generated number, as it is sent to an account of `home`: with its country, and without. */
const sentTo = (home: string) =>
  generated.flatMap(({ code, nationals }) =>
    nationals.map((national) => {
      const number = `+${code}${national}`;
      const isOwn = code === tableFor(home).code;
      const withCountry = [number, `00${code}${national}`, ...decorated(number)];
      const bare = [`${code}${national}`, ...(isOwn && national.length >= minDigits ? [national] : [])];
      return { number, withCountry: isOwn ? [...withCountry, trunk(home) + national] : withCountry, bare };
    }),
  );

describe(`numbers of ${countries.length} countries, generated from the tables with the seed ${seed}`, () => {
  it.each(homes)('are what the rule says in an account of %s, and one caller in every spelling', (home) => {
    for (const { number, withCountry, bare } of sentTo(home)) {
      const key = callerKey(number, home);
      for (const sent of withCountry)
        expect([sent, e164(sent, home), callerKey(sent, home)]).toEqual([sent, number, key]);
      for (const sent of bare) expect(readBare(sent, tableFor(home))).toContain(e164(sent, home));
    }
  });

  it.each(homes)('are never made of digits that are none, in an account of %s', (home) => {
    holds(
      fc.property(fc.stringMatching(/^[1-9][0-9]{5,14}$/), (sent) => {
        expect(readBare(sent, tableFor(home))).toContain(e164(sent, home));
      }),
      60,
    );
  });
});

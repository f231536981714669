import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max/es6';
import { describe, expect, it } from 'vitest';
import { customerSearch, customerToErase } from '../../../cli/erase/erase-customer.ts';
import { eraseCall } from '../../../cli/erase/erase-person.ts';
import { dynamoVersionedRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { historyRowOf } from '../../../functions/transform-events/tables.ts';
import { plainText } from '../../../lib/core/encoding.ts';
import { replaceFound } from '../../../lib/core/numbers-in-text.ts';
import { ok } from '../../../lib/core/result.ts';
import { call, deployment } from '../../deployment/index.ts';
import { polledAccount } from '../../fixtures/accounts.ts';
import { holds } from '../../support/arbitraries.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { numberCountries, numbersOf } from '../../support/numbers.ts';
import { decompressed } from '../../support/posted-records.ts';

const searchOf = (typed: string, ...countries: readonly (string | undefined)[]) =>
  customerSearch(typed, countries) ?? expect.unreachable(typed);

describe('2,000 numbers of 20 countries', () => {
  it.each(numberCountries)('of %s are each found in every spelling, whichever is typed, and nobody else', (country) => {
    const all = numbersOf(country).map(({ spellings, typed }) => [...spellings, ...typed]);
    for (const [index, spellings] of all.entries()) {
      const person = customerToErase(searchOf(spellings[index % spellings.length] ?? '', country), undefined);
      const strangers = all[(index + 1) % all.length] ?? [];
      for (const isIn of [
        (sent: string) => person.isIn({ customerNumber: sent }),
        (sent: string) => person.isInText(JSON.stringify({ Comments: `call ${sent}, please` })),
      ])
        expect([spellings.filter((sent) => !isIn(sent)), strangers.filter(isIn)]).toEqual([[], []]);
    }
  });
});

describe('a number whose country is not one', () => {
  it.each([
    ['is found with any code where accounts have several countries', '02079460123', ['IN', 'GB'], true],
    ['is found with any code where no country is known', '02079460123', [], true],
    ['is one of the only country', '02079460123', ['IN'], false],
    ['has its own code where it is typed', '+91 20794 60123', ['IN', 'GB'], false],
    ['has its own code where no country is known', '+91 20794 60123', [], false],
  ])('%s', (_what, typed, countries, isAnyCode) => {
    const person = customerToErase(searchOf(typed, ...countries), undefined);
    const found = ['02079460123', '+912079460123', '+12079460123'].map((sent) => person.isIn({ customerNumber: sent }));
    expect(found).toEqual([true, true, isAnyCode]);
  });
});

/** A text as it may wait in quarantine: a record, a list of records, and a form. */
const bodiesOf = (comment: string): readonly string[] => {
  const record = JSON.stringify({ monitorUCID: '1', Comments: comment });
  return [record, `[${record}]`, new URLSearchParams({ data: record }).toString()];
};

const expectErased = ({ search, isSameNumber }: ReturnType<typeof searchOf>, sent: string) => {
  expect(search(plainText(`call ${sent}, please`), 'X')).toMatch(/^call \W*X\W*, please$/);
  const person = customerToErase({ search, isSameNumber }, undefined);
  expect(bodiesOf(`call ${sent}`).filter((body) => !person.isInText(body))).toEqual([]);
};

describe('a spelling that the library knows', () => {
  it.each([
    ['a 0 before the country’s code', 'IN', '+919876500000', '0919876500000'],
    ['a 0 before the country’s code in Britain', 'GB', '+447400123456', '0447400123456'],
    ['the exit code of another country', 'US', '+447700900674', '011447700900674'],
    ['an exit code that begins with 00', 'AU', '+919876500000', '0011 91 98765 00000'],
    ['a carrier', 'BR', '+5511961234567', '01511961234567'],
    ['a trunk prefix that is no 0', 'RU', '+7 912 345-67-89', '8 (912) 345-67-89'],
    ['a mobile prefix at home alone', 'AR', '+54 9 11 2345 6789', '011 15-2345-6789'],
    ['a number without its area', 'BS', '+1 242 345 6789', '345-6789'],
    ['a number without its area, behind a trunk prefix', 'BS', '+1 242 345 6789', '1 345-6789'],
    ['eleven digits without a +', 'IN', '+1 415 555 2671', '14155552671'],
    ['long gaps', 'IN', '+919876500000', '98765      00000'],
    ['what looks like a date, with its code', 'DK', '+4520261121', '+45 20261121'],
    ['a code in brackets', 'IN', '+919876500000', '(+91) 98765-00000'],
    ['a short number of a small country', 'IN', '+29051234', '00 290 51234'],
    ['the other number of somebody in Mexico', 'MX', '+52 55 1234 0002', '+5215512340002'],
    ['the other number of somebody in Mexico, at home', 'MX', '5512340002', '044 55 1234 0002'],
    ['the other number of somebody in Brazil', 'BR', '+5511987654321', '(11) 8765-4321'],
    ['the other number of somebody in Argentina', 'AR', '+54 9 11 2345 6789', '+54 11 2345-6789'],
  ])('is found in texts and bodies: %s', (_what, country, typed, sent) => {
    const person = searchOf(typed, country);
    expect([person.isSameNumber(sent), searchOf(sent, country).isSameNumber(typed)]).toEqual([true, true]);
    expectErased(person, sent);
    expectErased(searchOf(sent, country), typed);
  });

  it('is found in texts of another country’s account', () => {
    expectErased(searchOf('+7 912 345-67-89', 'IN'), '89123456789');
    expectErased(searchOf(' tel:+44-7700-900674', 'IN'), '011447700900674');
  });

  it.each([
    [['BR', 'IN'], '01511961234567', '+5511961234567'],
    [['BR', undefined], '01511961234567', '(11) 96123-4567'],
    [['AR', 'IN'], '011 15-2345-6789', '+54 9 11 2345 6789'],
    [['RU', 'IN'], '8 (912) 345-67-89', '+79123456789'],
  ])('is found as what it means in any of the accounts, which are of %j: %s', (countries, typed, sent) => {
    expectErased(searchOf(typed, ...countries), sent);
  });

  it.each(['call +/919876500000', '0930 9876500000', '042 919876500000', '2026-11-20 9876500000', '00 999 9876500000'])(
    'is found behind digits of something else: %s',
    (text) => expect(searchOf('+919876500000', 'IN').search(text, 'X')).toMatch(/ \(?X\)?$/),
  );

  it('is found behind a date without its area', () => {
    const { search } = searchOf('+1 242 345 6789', 'BS');
    expect(search('2026-11-20 345-6789, 12:30 345-6789', 'X')).toBe('2026-11-20 X, 12:30 X');
  });

  it.each([
    ['+19876500000', 'IN', '09876500000'],
    ['+447700900674', 'IN', '07700900674'],
    ['+12079460123', 'GB', '020 7946 0123'],
    ['+919876500000', 'IN', '00 44 98765 00000'],
    ['+914155552671', 'IN', '1-415-555-2671'],
  ])('typed as %s is not the number that a field of an account of %s has: %s', (typed, country, sent) => {
    expect(customerToErase(searchOf(typed, country), undefined).isIn({ customerNumber: sent })).toBe(false);
  });

  it.each([
    ['a number with another area', 'BS', '+1 242 345 6789', '202 345 6789'],
    ['another country’s code with a 0', 'IN', '+917700900674', '+44 (0)7700 900674'],
    ['a longer number', 'IN', '+919876500000', '91987650000012'],
    ['digits with a word among them', 'IN', '+919876500000', '98765 and 00000'],
    ['an area and an exit code', 'IN', '+4423456789', '011 23456789'],
    ['another country’s code in a group of its own', 'IN', '+919876500000', '00 44 98765 00000'],
  ])('is not found in %s', (_what, country, typed, other) => {
    const { search, isSameNumber } = searchOf(typed, country);
    expect([search(`call ${other}`, 'X'), isSameNumber(other) ?? false]).toEqual([`call ${other}`, false]);
  });

  const homes = [...numberCountries, ...(['AR', 'BS', 'CN', 'HU', 'IT', 'KR', 'NO', 'NZ', 'RU', 'SM'] as const)];
  const prefixes = '+ 0 00 000 001 0011 009 010 011 015 021 031 06 1 8 810 9 90 +0'.split(' ');
  const spelt = fc.record({
    home: fc.constantFrom(...homes),
    account: fc.option(fc.constantFrom(...homes), { nil: undefined, freq: 3 }),
    last: fc.integer({ min: 0, max: 9_999 }).map((last) => String(last).padStart(4, '0')),
    prefix: fc.constantFrom('', ...prefixes),
    form: fc.constantFrom('code', 'national', 'local', 'written'),
    gaps: fc.array(fc.constantFrom('', '', '', ' ', '-', '.', ') (', '\u2011', '\u00a0', '\u200e', '      '), {
      minLength: 30,
      maxLength: 30,
    }),
    zero: fc.constantFrom(0x30, 0x30, 0x966, 0xff10),
  });
  type Spelt = typeof spelt extends fc.Arbitrary<infer Value> ? Value : never;

  const numberOf = ({ home, last }: Spelt) => {
    const { countryCallingCode: code, nationalNumber } = getExampleNumber(home, examples) ?? expect.unreachable(home);
    const national = `${nationalNumber.slice(0, -4)}${last}`;
    return { code, national, number: `+${code}${national}` };
  };
  const spellingOf = (given: Spelt, code: string, national: string): string => {
    const written = parsePhoneNumberFromString(`+${code}${national}`)?.formatNational() ?? national;
    const bare = { code: `${code}${national}`, national, local: national.slice(3), written }[given.form];
    const digit = (at: string) => String.fromCodePoint(given.zero + Number(at));
    return `${given.prefix}${bare}`.replace(/\d/g, (at, index: number) => `${digit(at)}${given.gaps[index] ?? ''}`);
  };

  it('is found in texts and bodies for any number, and no other number is', () => {
    let same = 0;
    let others = 0;
    holds(
      fc.property(spelt, spelt, (given, other) => {
        const { number, code, national } = numberOf(given);
        const account = given.account ?? given.home;
        const sought = searchOf(number, account);
        const sent = spellingOf(given, code, national);
        fc.pre(!/(?:19|20)\d\d(?:0\d|1[0-2])[0-3]\d/.test(plainText(sent).replace(/\D/g, '')));
        if (sought.isSameNumber(sent)) {
          same += 1;
          expectErased(sought, sent);
        }
        const { code: otherCode, national: otherNational } = numberOf(other);
        const stranger = spellingOf(other, otherCode, otherNational);
        const strangersCode = `+${otherCode}`;
        const strangers = [...(national.slice(-6) === otherNational.slice(-6) ? [] : [stranger])];
        if (otherCode !== code)
          strangers.push(spellingOf({ ...given, prefix: '+', form: 'code' }, otherCode, national));
        for (const one of strangers.filter((each) => !sought.isSameNumber(each))) {
          others += 1;
          const text = plainText(`call ${one}, please`);
          expect([strangersCode, sought.search(text, 'X')]).toEqual([strangersCode, text]);
        }
      }),
      2_000,
    );
    expect([same > 0, others > 0]).toEqual([true, true]);
  });
});

describe('a number in HTML, or with an exponent', () => {
  it.each([
    ['a reference by name', '98765&nbsp;43210', 'X'],
    ['a reference by name without its end', '98765&nbsp 43210', 'X'],
    ['any other reference between digits', '+91&thinsp;98765&ndash;43210', 'X'],
    ['a reference by number', '98765&#160;43210 98765&#xA0;43210', 'X X'],
    ['digits by their numbers', '&#57;&#x38;765&#65300;3210', 'X'],
    ['a reference that was escaped again', '98765&amp;nbsp;43210 98765&amp;amp;#32;43210', 'X X'],
    ['a tag', 'call <b>98765</b>43210', 'call  X'],
    ['tags with attributes, around blanks and a mark', '98765</td>\n <td class="x 1" data-n=7> - <br/>43210', 'X'],
    ['a comment', '98765<!-- 12 -->43210', 'X'],
    ['a tag within the digits of a group', '9<wbr>8765<wbr />43210', 'X'],
    ['tags that were escaped', '98765&lt;/b&gt; &lt;i&gt;43210', 'X'],
    ['tags of a form', '98765%3C%2Fb%3E43210', 'X'],
    ['a reference within a tag', '<a href="tel:98765&nbsp;43210">', '<a href="tel:X">'],
    ['a link behind digits', '1 <a href="tel:9876543210">98765<i>43210</i></a>', '1  X '],
    ['an address between digits', '98765 <rao@example.com> 43210', undefined],
    ['other digits', '<b>98765</b>432101 <b>198765</b>43210', undefined],
    ['an exponent of Java', '9.87654321E9, 9.1987654321E11', 'X, X'],
    ['an exponent of a spreadsheet', 'to 9.87654321E+09.', 'to X.'],
    ['an exponent of a spreadsheet with a comma', '9,87654321e+9', 'X'],
    ['an exponent behind a plus sign', '+91.987654321E10', 'X'],
    ['a number that a spreadsheet has rounded', '9.88E+09 9.87654E+09', undefined],
    ['another exponent', '9.87654321E8 9.87654321E10 9.87654321E99 9.87654321E-9', undefined],
    ['a fraction', '987.65432109E7', undefined],
  ])('is searched as it is shown: %s', (_what, text, expected = text) => {
    const { search } = searchOf('+919876543210', 'IN');
    expect(replaceFound(text, [search], 'X')).toBe(expected);
    const person = customerToErase(searchOf('+919876543210', 'IN'), undefined);
    expect(bodiesOf(text).map(person.isInText)).toEqual(Array.from({ length: 3 }, () => expected !== text));
    expect([{ customerNumber: text }, { extra: { [text]: '' } }].map(person.isIn)).toEqual([
      expected !== text,
      expected !== text,
    ]);
  });

  it('leaves the references and tags of a text in which nothing is found', () => {
    const { search } = searchOf('rao@example.com');
    expect(replaceFound('<b>R&amp;D</b>, 1.5E9', [search], 'X')).toBe('<b>R&amp;D</b>, 1.5E9');
    expect(replaceFound('rao&#64;example&period;com', [search], 'X')).toBe('X');
  });
});

describe('erasing a customer by any spelling', () => {
  it('leaves none in rows, events afterwards, history and the names of recordings', async () => {
    const persons = numberCountries.map((country, index) => {
      const { spellings, typed } = numbersOf(country)[index] ?? expect.unreachable();
      return { country, spellings, typed, asked: [...spellings, ...typed][index % 10] ?? '' };
    });
    const accounts = persons.map(({ country }) => ({
      ...polledAccount,
      userName: country,
      apiKeys: [`key-of-${country}`],
      timeZone: 'Asia/Kolkata',
      country,
    }));
    const d = await deployment({ accounts, recordingHost: (url) => ok(`audio of ${url.length}`) });
    for (const { country, spellings, typed } of persons)
      for (const [index, sent] of spellings.entries()) {
        const [written = ''] = typed;
        const sender = { Apikey: `key-of-${country}`, UserName: country };
        const posted = call({ monitorUCID: `${country}${index}`, CallerID: sent, DialedNumber: sent, ...sender })
          .answered()
          .with({ Comments: `call ${written}`, Disposition: `wants ${written}`, Skill: `VIP ${sent}` })
          .withRecording(`https://recordings.example.com/${encodeURIComponent(sent)}.mp3`);
        expect(await d.post(posted)).toMatchObject({ stored: 1 });
      }
    await d.settled();
    await d.archive();
    await d.settled();
    const published = d.published().length;
    const read = (await d.rows('calls')).filter(({ customerNumberE164 }) => customerNumberE164 !== undefined);
    expect(read).toHaveLength(100);

    const rows = dynamoVersionedRows(d.dynamodb, d.tables.calls);
    const settings = { rows, retentionDays: 730, clock: () => new Date(d.now()) };
    for (const { country, asked } of persons) {
      const person = customerToErase(searchOf(asked, country), country);
      for (const row of (await d.rows('calls')).filter(({ kind, account }) => kind === 'call' && account === country))
        expect(await eraseCall(settings)([row], person, generousDeadline())).toBe(1);
    }
    await d.settled();
    await d.archive();

    const history = d.published().map(({ type, detail }) => historyRowOf({ 'detail-type': type, detail }));
    const kept = {
      rows: decompressed(JSON.stringify(await d.rows('calls'))),
      eventsAfterwards: JSON.stringify(d.published().slice(published)),
      history: JSON.stringify(history),
      recordings: JSON.stringify([...d.recordings().objects.keys()]),
    };
    expect(history.filter((row) => row.ok && row.value?.table === 'call_revisions')).toHaveLength(200);
    for (const [where, text] of Object.entries(kept)) {
      const digits = text.replace(/%2\w|[^\p{L}\d]/gu, '');
      // The last spelling is the bare number, which every other one ends with.
      const left = persons.filter(({ spellings }) => digits.includes(spellings.at(-1) ?? ''));
      expect([where, left]).toEqual([where, []]);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { customer, customerSearch } from '../../../cli/operate/erase-customer.ts';
import { eraseCall } from '../../../cli/operate/erase-person.ts';
import { dynamoVersionedRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { rowOf } from '../../../functions/transform-events/tables.ts';
import { ok } from '../../../lib/core/result.ts';
import { call, deployment } from '../../deployment/index.ts';
import { polledAccount } from '../../fixtures/accounts.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { numberCountries, numbersOf } from '../../support/numbers.ts';
import { decompressed } from '../../support/posted-records.ts';

const searchOf = (typed: string, ...countries: readonly (string | undefined)[]) =>
  customerSearch(typed, countries) ?? expect.unreachable(typed);

describe('2,000 numbers of 20 countries', () => {
  it.each(numberCountries)(
    'of %s are one search whichever spelling is typed, which finds each, and nobody else',
    (country) => {
      const all = numbersOf(country).map(({ spellings, typed }) => [...spellings, ...typed]);
      for (const [index, spellings] of all.entries()) {
        const [first, ...others] = spellings.map((typed) => searchOf(typed, country));
        expect(others.filter(({ pattern }) => pattern.source !== first?.pattern.source)).toEqual([]);
        const person = customer(first ?? expect.unreachable(), undefined);
        const strangers = all[(index + 1) % all.length] ?? [];
        for (const isIn of [
          (sent: string) => person.isIn({ customerNumber: sent }),
          (sent: string) => person.isInText(JSON.stringify({ Comments: `call ${sent}, please` })),
        ])
          expect([spellings.filter((sent) => !isIn(sent)), strangers.filter(isIn)]).toEqual([[], []]);
      }
    },
  );
});

describe('a number whose country is not one', () => {
  it.each([
    ['is found with any code where accounts have several countries', '09876500042', ['IN', 'GB'], true],
    ['is found with any code where no country is known', '09876500042', [], true],
    ['is one of the only country', '09876500042', ['IN'], false],
    ['has its own code where it is typed', '+91 98765 00042', ['IN', 'GB'], false],
  ])('%s', (_what, typed, countries, isAnyCode) => {
    const person = customer(searchOf(typed, ...countries), undefined);
    const found = ['09876500042', '+919876500042', '+449876500042'].map((sent) =>
      person.isIn({ customerNumber: sent }),
    );
    expect(found).toEqual([true, true, isAnyCode]);
  });

  it.each([
    ['a trunk prefix that is no 0', 'RU', '+7 912 345-67-89', '89123456789'],
    ['a mobile prefix at home alone', 'AR', '+54 9 11 2345 6789', '011 15-2345-6789'],
  ])('is found by what the library knows: %s', (_what, country, typed, sent) => {
    expect(customer(searchOf(typed, country), undefined).isIn({ customerNumber: sent })).toBe(true);
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
      ...{ userName: country, apiKeys: [`key-of-${country}`], timeZone: 'Asia/Kolkata', country },
    }));
    const d = await deployment({ accounts, recordingHost: (url) => ok(`audio of ${url.length}`) });
    for (const { country, spellings, typed } of persons)
      for (const [index, sent] of spellings.entries()) {
        const [written = ''] = typed;
        const posted = call({
          monitorUCID: `${country}${index}`,
          CallerID: sent,
          DialedNumber: sent,
          Apikey: `key-of-${country}`,
          UserName: country,
        })
          .answered()
          .with({ Comments: `call ${written}`, Disposition: `wants ${written}`, Skill: `VIP ${sent}` })
          .withRecording(`https://recordings.example.com/${encodeURIComponent(sent)}.mp3`);
        expect(await d.post(posted)).toMatchObject({ stored: 1 });
      }
    await d.settled();
    await d.archive();
    await d.settled();
    const published = d.published().length;
    expect((await d.rows('calls')).filter(({ customerNumberE164 }) => customerNumberE164 !== undefined)).toHaveLength(
      100,
    );

    const rows = dynamoVersionedRows(d.dynamodb, d.tables.calls);
    const settings = { rows, retentionDays: 730, clock: () => new Date(d.now()) };
    for (const { country, asked } of persons) {
      const person = customer(searchOf(asked, country), country);
      for (const row of (await d.rows('calls')).filter(({ kind, account }) => kind === 'call' && account === country))
        expect(await eraseCall(settings)([row], person, generousDeadline())).toBe(1);
    }
    await d.settled();
    await d.archive();

    const history = d.published().map(({ type, detail }) => rowOf({ 'detail-type': type, detail }));
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

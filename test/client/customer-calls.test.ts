import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstantRange } from '../../client/arguments.ts';
import { callList } from '../../client/calls.ts';
import { readCallsByTime } from '../../client/calls-by-time.ts';
import type { CallQuery } from '../../client/cursor.ts';
import {
  customerCallList,
  customerKeys,
  type Numbering,
  readNumbering,
  readOtherSpellings,
  sameCaller,
} from '../../client/customer-calls.ts';
import type { ListedCall, LookThrough } from '../../client/index.ts';
import { byCustomer } from '../../client/query-keys.ts';
import type { TableReader } from '../../client/table-reader.ts';
import { rowOf } from '../../lib/calls/call-row.ts';
import { joinedKey, marshalled, type Row } from '../../lib/storage/rows.ts';
import { holdsAsync, tried } from '../support/arbitraries.ts';
import { numberCountries, numbersOf } from '../support/numbers.ts';
import { callFacts, deliveryAt, recordFrom } from '../support/posted-records.ts';
import { collected } from './support/clients.ts';

const instantOf = (second: number): string => new Date(Date.UTC(2026, 10, 21) + second * 1_000).toISOString();

interface Drawn {
  readonly callId: string;
  readonly number: string;
  readonly listedAt: string;
}

/** The indexes by customer and by time over these calls. A request ends where DynamoDB's 1 MB do: after `maxRows` rows, or as many as it asks for. */
const readerOf = (calls: readonly Drawn[], maxRows = 1_000): TableReader => {
  // Calls come while somebody reads.
  const rows = () =>
    calls.map(
      ({ callId, number, listedAt }): Row => ({
        pk: joinedKey('demo', callId),
        sk: 'call',
        customerCalls: joinedKey('demo', number),
        listedAt,
        account: 'demo',
        callId,
        revision: 1,
        timeZone: 'UTC',
        customerNumber: number,
        accountCalls: 'demo',
      }),
    );
  return {
    row: async () => undefined,
    rows: async () => [],
    async page({ key, partition, from = '', to = '9' }, { after, limit = maxRows }) {
      const isWithin = (at: string) => at >= from && at <= to;
      const found = rows()
        .filter((row) => row[key.partition] === partition && isWithin(String(row['listedAt'])))
        .toSorted((a, b) => String(b['listedAt']).localeCompare(String(a['listedAt'])));
      const begin = after === undefined ? 0 : found.findIndex(({ pk }) => pk === after['pk']?.S) + 1;
      const page = found.slice(begin, begin + Math.min(limit, maxRows));
      const last = begin + page.length < found.length ? page.at(-1) : undefined;
      return { rows: page, next: last && marshalled({ pk: last['pk'] }) };
    },
  };
};

const forever = { from: undefined, to: undefined };
const accounts = [{ userName: 'demo', timeZone: 'Europe/London', isPolled: true }];
const tablesOf = (reader: TableReader) => ({
  calls: reader,
  agents: { ...reader, row: async () => ({ accounts }) },
  account: 'demo',
  clock: () => new Date('2026-11-22T00:00:00.000Z'),
});
const listOf = (reader: TableReader, number = '+44 7400 123456', range: InstantRange = forever) =>
  customerCallList(tablesOf(reader), { number, ...range });

it('a number without a country’s code is of the country of each call, where the account’s zone has none', () => {
  const isCaller = sameCaller('+44 7700 900674', undefined);
  const isOf = (timeZone: string) => isCaller({ customerNumber: '07700 900674', timeZone } as ListedCall);

  expect(['Asia/Kolkata', 'Europe/London', 'Asia/Kolkata', 'UTC'].map(isOf)).toEqual([false, true, false, false]);
});

const readInPages = async (list: ReturnType<typeof listOf>, size: number, betweenPages = () => {}) => {
  const read: ListedCall[] = [];
  let cursor: string | undefined;
  do {
    const [page] = await collected(list.pages(size, cursor));
    expect(page?.calls.length).toBeLessThanOrEqual(size);
    read.push(...(page?.calls ?? []));
    expect(read.length).toBeLessThan(200);
    cursor = page?.next;
    betweenPages();
  } while (cursor !== undefined);
  return read;
};

const usual = ['+44 7400 123456', '+447400123456', '07400123456', '447400123456', '00447400123456', '7400123456'];
/** Spellings of the same number under which nobody asks the index. */
const unusual = [
  '0447400123456',
  '44-7400123456',
  '447400123456.0',
  '+44 (0)7400 123456',
  '07400 123456',
  '7400-123-456',
  'tel:+447400123456;ext=12',
  '07400/123456',
];
const ofOthers = ['+17400123456', '0740012345', '+447400123457', '0447400123457', 'anonymous'];
const idsOf = (found: readonly { readonly callId: string }[]) => found.map(({ callId }) => callId);

describe('the calls of a customer', () => {
  it('are, of a range, those of any spelling, each once, also where calls come while somebody pages', async () => {
    const call = fc.tuple(fc.constantFrom(...usual, ...unusual, ...ofOthers), fc.integer({ min: 0, max: 6 }));
    const some = fc.array(call, { maxLength: 20 });
    const size = fc.integer({ min: 1, max: 5 });
    const range = fc.constantFrom({ from: instantOf(1), to: instantOf(5) }, { from: instantOf(1), to: undefined });
    const property = fc.asyncProperty(
      some,
      some,
      size,
      size,
      range,
      async (drawn, later, pageSize, maxRows, within) => {
        const drawnCall = ([number, second]: readonly [string, number], id: string): Drawn => ({
          callId: id,
          number,
          listedAt: instantOf(second),
        });
        const calls = drawn.map((one, index) => drawnCall(one, `c${index}`));
        const mine = () =>
          calls.filter(
            ({ number, listedAt }) =>
              !ofOthers.includes(number) && listedAt >= within.from && listedAt <= (within.to ?? listedAt),
          );
        const list = listOf(readerOf(calls, maxRows), '07400123456', within);
        const before = idsOf(mine());
        expect(idsOf(await collected(list)).sort()).toEqual(before.toSorted());

        const rest = later.map((one, index) => drawnCall(one, `d${index}`));
        const read = await readInPages(list, pageSize, () => void calls.push(...rest.splice(0, 2)));
        const ids = idsOf(read);
        expect(new Set(ids).size).toBe(ids.length);
        expect(before.filter((id) => !ids.includes(id))).toEqual([]);
        expect(ids.filter((id) => !idsOf(mine()).includes(id))).toEqual([]);
        expect(read.map(({ listedAt }) => listedAt)).toEqual(
          read
            .map(({ listedAt }) => listedAt)
            .sort()
            .reverse(),
        );
      },
    );
    await holdsAsync(property);
  });

  const both = ['07400123456', '0447400123456', '07400123456', '44-7400123456'].map((number, at) => ({
    callId: `c${at}`,
    number,
    listedAt: instantOf(at),
  }));
  it.each<[string, InstantRange, LookThrough, boolean]>([
    ['a day', { from: instantOf(0), to: instantOf(86_399) }, {}, true],
    ['up to an instant', { from: undefined, to: instantOf(86_399) }, {}, true],
    ['as many calls as may be read', { from: instantOf(0), to: instantOf(9) }, { maxCalls: 4 }, true],
    ['more calls than may be read', { from: instantOf(0), to: instantOf(9) }, { maxCalls: 3 }, false],
    ['all time', forever, {}, false],
  ])('say whether every spelling was looked for: of %s', async (_range, range, limit, isComplete) => {
    const tables = tablesOf(readerOf(both));
    const others = await readOtherSpellings(tables, { number: '07400123456', ...range }, limit);
    const list = customerCallList(tables, { number: '07400123456', ...range }, others);

    expect([others.isComplete, idsOf(others.calls)]).toEqual([isComplete, isComplete ? ['c3', 'c1'] : []]);
    expect(idsOf(await readInPages(list, 1))).toEqual(isComplete ? ['c3', 'c2', 'c1', 'c0'] : ['c2', 'c0']);
  });

  it('go on as they began where a range has too many calls: without another look at them', async () => {
    const reader = readerOf(both);
    const requests: string[] = [];
    const row = marshalled({ pk: 'x' });
    const readPage: TableReader['page'] = async (query, asked) => {
      requests.push(query.index ?? '');
      const page = await reader.page(query, asked);
      // As if each page had 1,000 calls.
      return query.index === 'byTime' ? { rows: Array(1_000).fill(page.rows[0]), next: row } : page;
    };
    const list = listOf({ ...reader, page: readPage }, '07400123456', {
      from: '2026-11-01T00:00:00.000Z',
      to: instantOf(9),
    });
    const [first] = await collected(list.pages(1));
    expect(requests.filter((index) => index === 'byTime')).toHaveLength(51);
    requests.splice(0);
    const [second] = await collected(list.pages(1, first?.next));

    expect([first, second].flatMap((page) => idsOf(page?.calls ?? []))).toEqual(['c2', 'c0']);
    expect(new Set(requests)).toEqual(new Set(['byCustomer']));
  });

  it('are too many since the last of those that may be read, also where that one ends a page', async () => {
    const calls = Array.from({ length: 1_001 }, (_, at) => ({
      callId: `c${at}`,
      number: 'x',
      listedAt: instantOf(at),
    }));
    const asked = { from: instantOf(0), to: instantOf(2_000), most: 1_000 };

    const found = await readCallsByTime(tablesOf(readerOf(calls)), asked, () => true);
    expect(found).toEqual({ moreThan: 1_000, since: instantOf(1) });
  });

  it('have a call once whose number changes from one spelling to another while they are read', async () => {
    const tables = tablesOf(readerOf(both));
    const range = { from: instantOf(0), to: instantOf(9) };
    const others = await readOtherSpellings(tables, { number: '07400123456', ...range });
    const corrected = tablesOf(readerOf(both.map((call) => ({ ...call, number: '07400123456' }))));
    const list = customerCallList(corrected, { number: '07400123456', ...range }, others);

    expect(idsOf(await collected(list))).toEqual(['c3', 'c2', 'c1', 'c0']);
  });

  it('have no other spelling where what is typed is no number: nothing is read for it', async () => {
    const reader = readerOf([{ callId: 'c', number: 'anonymous', listedAt: instantOf(0) }]);
    const readPage: TableReader['page'] = async (query, asked) => {
      expect(query.index).toBe('byCustomer');
      return await reader.page(query, asked);
    };
    const range = { from: instantOf(0), to: instantOf(9) };
    const list = listOf({ ...reader, page: readPage }, 'anonymous', range);

    expect(idsOf(await collected(list))).toEqual(['c']);
    const others = await readOtherSpellings(tablesOf(reader), { number: 'anonymous', ...range });
    expect(others).toEqual({ calls: [], isComplete: true });
  });

  it('are those of every usual spelling, newest first, in pages of any size, each call once', async () => {
    // Many calls have the same instant, as after an import.
    const some = fc.array(
      fc.tuple(fc.constantFrom(...usual, ...unusual, ...ofOthers), fc.integer({ min: 0, max: 4 })),
      {
        maxLength: 30,
      },
    );
    const sizes = fc.integer({ min: 1, max: 7 });
    const property = fc.asyncProperty(some, sizes, sizes, async (drawn, size, maxRows) => {
      const calls = drawn.map(([number, second], index) => ({
        callId: `c ${index}`,
        number,
        listedAt: instantOf(second),
      }));
      const list = listOf(readerOf(calls, maxRows));
      const expected = calls.filter(({ number }) => usual.includes(number));
      const ids = (found: readonly { readonly callId: string }[]) => found.map(({ callId }) => callId);

      const read = await readInPages(list, size);
      expect(read.map(({ listedAt }) => listedAt)).toEqual(
        expected
          .map(({ listedAt }) => listedAt)
          .sort()
          .reverse(),
      );
      expect(ids(read).sort()).toEqual(ids(expected).sort());
      expect(ids(await collected(list)).sort()).toEqual(ids(expected).sort());
      const pages = await collected(list.pages(size));
      expect(pages.flatMap(({ calls: of }) => ids(of))).toEqual(ids(read));
    });
    await holdsAsync(property);
  });

  it('have a cursor that names nobody, and reject that of another number', async () => {
    const calls = [1, 2].map((second) => ({
      callId: `c${second}`,
      number: '07400123456',
      listedAt: instantOf(second),
    }));
    const list = listOf(readerOf(calls));
    const [first] = await collected(list.pages(1));

    expect(Buffer.from(first?.next ?? '', 'base64url').toString()).not.toContain('7400123456');
    expect((await collected(list.pages(1, first?.next))).map((page) => page.calls[0]?.callId)).toEqual(['c1']);
    expect(() => list.pages(1, 'x')).toThrow('cursor: expected the unchanged');
    expect(() => listOf(readerOf(calls), '+44 7400 123457').pages(1, first?.next)).toThrow('not of another');
  });

  it('are read only as far as a page needs', async () => {
    const number = '07400123456';
    const reader = readerOf(
      Array.from({ length: 90 }, (_, at) => ({ callId: `${at}`, number, listedAt: instantOf(at) })),
    );
    let read = 0;
    const readPage: TableReader['page'] = async (...asked) => {
      const page = await reader.page(...asked);
      read += page.rows.length;
      return page;
    };
    const { value: page } = await listOf({ ...reader, page: readPage }, number)
      .pages(10)
      [Symbol.asyncIterator]()
      .next();

    expect([page.calls.length, read]).toEqual([10, 12]);
  });

  it('continue at a cursor of the version before, whose list had one spelling', async () => {
    const number = '07400123456';
    const reader = readerOf(
      [1, 2, 3].map((at) => ({ callId: `c${at}`, number, listedAt: instantOf(at) })),
      2,
    );
    const before: CallQuery = { ...byCustomer, partition: joinedKey('demo', number), ...forever };
    // A page ends where the answer does, which may have fewer calls.
    const [first] = await collected(callList(reader, before).pages(5));

    const rest = await collected(listOf(reader, number).pages(5, first?.next));
    expect(rest.flatMap(({ calls }) => calls.map(({ callId }) => callId))).toEqual(['c1']);
  });

  const foreign = ['+44 7400 123456', '+447400123456', '447400123456', '00447400123456'];
  it.each([
    ['a short number', '1947', 'IN', ['1947']],
    ['letters', ' anonymous\n', 'IN', ['anonymous']],
    ['several numbers', '09876512345,09876512346', 'IN', ['09876512345,09876512346']],
    ['one digit repeated', '0000000000', 'IN', ['0000000000']],
    ['a number of another country', '+44 7400 123456', 'IN', foreign],
    ['a country that nobody knows yet', '09876512345', undefined, ['09876512345']],
  ])('are asked for in the spellings that can be theirs: %s', (_which, typed, country, keys) => {
    expect(customerKeys(typed, country)).toEqual(keys);
  });
});

describe('the numbers of an account', () => {
  const newest = { pk: 'demo#9', sk: 'call' };
  /** The newest call, with the country that the account had at each of its deliveries. */
  const ofCall = (...countries: readonly (string | undefined)[]): Row => {
    const deliveries = countries.map((country, index) => ({
      ...deliveryAt(callFacts({ Disposition: String(index) }), instantOf(index)),
      country,
    }));
    return { ...rowOf(recordFrom(deliveries, { kind: 'call', account: 'demo', callId: '9' }), 9), ...newest };
  };
  const named = { userName: 'demo', timeZone: 'Europe/London', isPolled: false };
  const known = { country: 'FR', sharedNumbers: ['1'] };
  const inIreland = { country: 'IE', sharedNumbers: ['2'] };

  it.each<[string, readonly object[], Numbering | undefined, Row | undefined, Numbering]>([
    ['the row names it', [{ ...named, ...inIreland }], known, ofCall('IN'), inIreland],
    ['the row of a release before names its zone', [named], known, undefined, { country: 'GB' }],
    ['no row names it, and the caller knows it', [{ ...named, userName: 'other' }], known, ofCall('IN'), known],
    ['nobody knows it, and calls name it', [], undefined, ofCall('US', 'IE', undefined), { country: 'IE' }],
    ['calls name its zone alone', [], undefined, ofCall(undefined), { country: 'IN' }],
    ['there is no call', [], undefined, undefined, { country: undefined }],
  ])('are of the country that is known where %s', async (_where, accounts, numbering, newestCall, expected) => {
    const calls: TableReader = {
      row: async () => newestCall,
      rows: async () => [],
      page: async ({ isBackwards }) => ({ rows: newestCall && isBackwards ? [newest] : [], next: undefined }),
    };
    const agents = { ...calls, row: async () => (accounts.length === 0 ? undefined : { accounts }) };
    const found = await readNumbering({ calls, agents, account: 'demo', numbering: async () => numbering });

    expect({ country: found.country, sharedNumbers: found.sharedNumbers }).toEqual({
      sharedNumbers: undefined,
      ...expected,
    });
  });
});

describe('numbers of 20 countries, a hundred of each', () => {
  it('have each of their calls found by every spelling, and by no other number’s', () => {
    for (const country of numberCountries) {
      const owners = new Map(
        numbersOf(country).flatMap(({ number, spellings }) => spellings.map((spelling) => [spelling, number])),
      );
      for (const { number, spellings, typed } of tried(numbersOf(country)))
        for (const spelling of [...spellings, ...typed]) {
          const sent = customerKeys(spelling, country).filter((key) => owners.has(key));
          expect(sent.toSorted()).toEqual(spellings.toSorted());
          expect(sent.map((key) => owners.get(key))).toEqual(sent.map(() => number));
        }
    }
  });
});

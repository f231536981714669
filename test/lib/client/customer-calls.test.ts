import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowOf } from '../../../lib/calls/call-row.ts';
import { type CallQuery, callList } from '../../../lib/client/calls.ts';
import { customerCallList, customerKeys, type Numbering, readNumbering } from '../../../lib/client/customer-calls.ts';
import type { ListedCall } from '../../../lib/client/index.ts';
import { byCustomer, type TableReader } from '../../../lib/client/table-reader.ts';
import { joinedKey, marshalled, type Row } from '../../../lib/storage/rows.ts';
import { holdsAsync } from '../../support/arbitraries.ts';
import { numberCountries, numbersOf } from '../../support/numbers.ts';
import { callFacts, deliveryAt, recordFrom } from '../../support/posted-records.ts';
import { collected } from './support/clients.ts';

const instantOf = (second: number): string => new Date(Date.UTC(2026, 10, 21) + second * 1_000).toISOString();

interface Drawn {
  readonly callId: string;
  readonly number: string;
  readonly listedAt: string;
}

/** The index by customer over these calls. A request ends where DynamoDB's 1 MB do: after `maxRows` rows, or as many as it asks for. */
const readerOf = (calls: readonly Drawn[], maxRows = 1_000): TableReader => {
  const rows = calls.map(
    ({ callId, number, listedAt }): Row => ({
      ...{ pk: joinedKey('demo', callId), sk: 'call', customerCalls: joinedKey('demo', number), listedAt },
      ...{ account: 'demo', callId, revision: 1, timeZone: 'UTC', customerNumber: number },
    }),
  );
  return {
    row: async () => undefined,
    rows: async () => [],
    async portion({ partition, to = '9' }, { after, limit = maxRows }) {
      const found = rows
        .filter((row) => row['customerCalls'] === partition && String(row['listedAt']) <= to)
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
const listOf = (reader: TableReader, number = '+44 7400 123456') =>
  customerCallList(
    { calls: reader, agents: { ...reader, row: async () => ({ accounts }) }, account: 'demo' },
    { number, ...forever },
  );

const readInPages = async (list: ReturnType<typeof listOf>, size: number) => {
  const read: ListedCall[] = [];
  let cursor: string | undefined;
  do {
    const [page] = await collected(list.pages(size, cursor));
    expect(page?.calls.length).toBeLessThanOrEqual(size);
    read.push(...(page?.calls ?? []));
    cursor = page?.next;
  } while (cursor !== undefined);
  return read;
};

describe('the calls of a customer', () => {
  it('are those of every spelling, newest first, in pages of any size, each call once', async () => {
    const [mine, others] = [
      ['+44 7400 123456', '+447400123456', '07400123456', '447400123456', '00447400123456', '7400123456'],
      ['+17400123456', '0740012345', '+447400123457'],
    ];
    // Many calls have the same instant, as after an import.
    const some = fc.array(fc.tuple(fc.constantFrom(...mine, ...others), fc.integer({ min: 0, max: 4 })), {
      maxLength: 30,
    });
    const sizes = fc.integer({ min: 1, max: 7 });
    const property = fc.asyncProperty(some, sizes, sizes, async (drawn, size, maxRows) => {
      const calls = drawn.map(([number, second], index) => ({
        ...{ callId: `c ${index}`, number, listedAt: instantOf(second) },
      }));
      const list = listOf(readerOf(calls, maxRows));
      const expected = calls.filter(({ number }) => mine.includes(number));
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
      ...{ callId: `c${second}`, number: '07400123456', listedAt: instantOf(second) },
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
    const portion: TableReader['portion'] = async (...asked) => {
      const page = await reader.portion(...asked);
      read += page.rows.length;
      return page;
    };
    const { value: page } = await listOf({ ...reader, portion }, number)
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
      portion: async ({ isBackwards }) => ({ rows: newestCall && isBackwards ? [newest] : [], next: undefined }),
    };
    const agents = { ...calls, row: async () => (accounts.length === 0 ? undefined : { accounts }) };
    const found = await readNumbering({ calls, agents, account: 'demo', numbering: async () => numbering });

    expect({ country: found.country, sharedNumbers: found.sharedNumbers }).toEqual({
      sharedNumbers: undefined,
      ...expected,
    });
  });
});

describe('2,000 numbers of 20 countries', () => {
  it('have each of their calls found by every spelling, and by no other number’s', () => {
    for (const country of numberCountries) {
      const owners = new Map(
        numbersOf(country).flatMap(({ number, spellings }) => spellings.map((spelling) => [spelling, number])),
      );
      for (const { number, spellings, typed } of numbersOf(country))
        for (const spelling of [...spellings, ...typed]) {
          const sent = customerKeys(spelling, country).filter((key) => owners.has(key));
          expect(sent.toSorted()).toEqual(spellings.toSorted());
          expect(sent.map((key) => owners.get(key))).toEqual(sent.map(() => number));
        }
    }
  });
});

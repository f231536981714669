import { describe, expect, it } from 'vitest';
import { callerTest, readCustomer } from '../../../cli/console/customer.ts';
import { durationText, noStatesText, percentText } from '../../../cli/console/page/words.ts';
import { customerKeys } from '../../../client/customer-calls.ts';
import type { CallfeedClient, CallList, CallPage, ListedCall } from '../../../client/index.ts';

describe('a caller', () => {
  it.each<[typed: string, number: string, fits: boolean, country?: string]>([
    ['0042', '09876500042', true],
    ['00042', '+919876500042', true],
    ['0042', '+919876510042', true],
    ['0042', '09876500421', false],
    ['042', '09876500042', false],
    ['09876500042', '+91 98765-00042', true],
    ['+44 7700 900123', '07700 900123', true, 'GB'],
    ['+44 7700 900123', '07700 900123', false],
    ['+44 7700 900123', '+1 7700 900123', false],
    ['٠٩٨٧٦٥٠٠٠٤٢', '0091 98765.00042', true],
    ['a0042', '09876500042', false],
  ])('or last digits, typed as %j, fit %j: %s', (typed, number, fits, country = 'IN') => {
    expect(callerTest(typed, country)(number)).toBe(fits);
  });
});

it.each<[title: string, ...Parameters<typeof noStatesText>, doubts: boolean, absence: RegExp]>([
  ['has calls', 14, false, false, /^No states are stored .* not polled/],
  ['has a call and is logged in now', 1, true, false, /^No states are stored/],
  ['has calls that were not read yet', undefined, false, false, /^Not logged in on this day, agents were not polled/],
  ['is logged in now, and has no calls', 0, true, false, /^Not logged in on this day/],
  ['is known by nothing', 0, false, true, /^Not logged in on this day/],
])(
  'a day without states of an agent who %s says why, and doubts the id where nothing knows it',
  (_title, calls, isLoggedIn, doubts, absence) => {
    const text = noStatesText(calls, isLoggedIn);
    expect(text).toMatch(absence);
    expect(text.includes('Is the id spelt')).toBe(doubts);
  },
);

it.each([
  ['seconds', durationText(8), '8 s'],
  ['minutes and seconds', durationText(192), '3 min 12 s'],
  ['hours and minutes', durationText(3_720), '1 h 2 min'],
  ['a share', percentText(0.125), '13 %'],
])('no line ends within a value: %s', (_what, text, words) => {
  expect(text).toBe(words.replaceAll(' ', '\u00a0'));
});

/** A client over these calls. A page ends where DynamoDB's 1 MB do: after `pageRows` calls, or as many as were asked for. */
const clientOf = (calls: readonly Partial<ListedCall>[], pageRows = 1_000) => {
  const listOf = (all: readonly ListedCall[]): CallList => {
    const sorted = all.toSorted((a, b) => b.listedAt.localeCompare(a.listedAt));
    async function* pages(size: number): AsyncGenerator<CallPage> {
      for (let from = 0; from === 0 || from < sorted.length; from += Math.min(size, pageRows)) {
        const end = from + Math.min(size, pageRows);
        yield { calls: sorted.slice(from, end), next: end < sorted.length ? String(end) : undefined };
      }
    }
    return {
      pages,
      [Symbol.asyncIterator]: async function* () {
        yield* sorted;
      },
    };
  };
  const callsOfCustomer = (typed: string) =>
    listOf(
      (calls as readonly ListedCall[]).filter((call) => customerKeys(typed, 'IN').includes(`${call.customerNumber}`)),
    );
  return { callsOfCustomer, calls: () => listOf(calls as readonly ListedCall[]) } as unknown as CallfeedClient;
};

const instantOf = (second: number): string => new Date(Date.UTC(2026, 10, 21) + second * 1_000).toISOString();

describe('the page of a caller', () => {
  const settings = { clock: () => new Date(instantOf(0)), isPersonal: true, country: 'IN' };
  const read = (client: CallfeedClient, number: string) => readCustomer({ ...settings, client }, { number });

  it('finds the usual spellings over all days, and any other among the newest calls', async () => {
    const numbers = [
      '09876500042',
      '+919876500042',
      '+91 98765-00042',
      '(098765) 00042',
      '+449876500042',
      '09876500043',
    ];
    const calls = numbers.map((customerNumber, index) => ({
      callId: `c${index}`,
      listedAt: instantOf(-index),
      customerNumber,
    }));
    const found = await read(clientOf(calls), '0091 98765 00042');
    expect(found.calls.map(({ callId }) => callId)).toEqual(['c0', 'c1', 'c2', 'c3']);
    expect(found).toMatchObject({ numbers: numbers.slice(0, 4), numbersNotRead: 0, hasMore: false });
  });

  it('searches the newest 1,000 calls, however few of them a page of DynamoDB has', async () => {
    const calls = Array.from({ length: 1_500 }, (_, index) => ({
      callId: `c${index}`,
      listedAt: instantOf(-index),
      customerNumber: `0987650${1_000 + index}`,
    }));
    const last = await read(clientOf(calls, 335), '1999');
    expect(last).toMatchObject({ searched: 1_000, numbers: ['09876501999'], hasMore: false, numbersNotRead: 0 });
    expect(last.calls).toHaveLength(1);
    expect(await read(clientOf(calls, 335), '2000')).toMatchObject({ searched: 1_000, calls: [] });
  });

  it('says how many calls and numbers it leaves out', async () => {
    const calls = Array.from({ length: 600 }, (_, index) => ({
      callId: `c${index}`,
      listedAt: instantOf(-index),
      customerNumber: index < 580 ? '0042' : `0${index}0042`,
    }));
    const found = await read(clientOf(calls), '0042');
    expect(found.calls).toHaveLength(500);
    expect(found).toMatchObject({ hasMore: true, numbersNotRead: 9 });
    for (const [count, hasMore] of [
      [500, false],
      [501, true],
    ] as const)
      expect(await read(clientOf(calls.slice(0, count)), '0042')).toMatchObject({ hasMore, numbersNotRead: 0 });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerTest, callsOfCaller, firstPage, spellingsOf } from '../../cli/call-list.ts';
import { readCustomer } from '../../cli/console/people.ts';
import type { CallfeedClient, CallList, CallPage, ListedCall } from '../../lib/client/index.ts';
import { holdsAsync } from '../support/arbitraries.ts';

describe('the spellings of a number', () => {
  it.each([
    ['09876512345', ['09876512345', '9876512345', '+9876512345', '009876512345']],
    [
      '+44 7700 900123',
      ['+44 7700 900123', '447700900123', '+447700900123', '00447700900123', '7700900123', '07700900123'],
    ],
    ['0044 (0)7700 900123', expect.arrayContaining(['+447700900123', '07700900123'])],
    ['٠٩٨٧٦٥', expect.arrayContaining(['98765', '098765'])],
    ['1234', ['1234', '+1234', '001234', '01234']],
    [' anonymous\n', ['anonymous']],
    ['@asha1234', ['@asha1234']],
    ['000', ['000']],
  ])('typed as %j are these', (typed, spellings) => {
    expect(spellingsOf(typed)).toEqual(spellings);
  });

  it.each([
    ['0042', '09876500042', true],
    ['00042', '+919876500042', true],
    ['0042', '+919876510042', true],
    ['0042', '09876500421', false],
    ['042', '09876500042', false],
    ['09876500042', '+91 98765-00042', true],
    ['+44 7700 900123', '07700 900123', true],
    ['+44 7700 900123', '+1 7700 900123', false],
    ['a0042', '09876500042', false],
  ])('or last digits, typed as %j, fit %j: %s', (typed, number, fits) => {
    expect(callerTest(typed)(number)).toBe(fits);
  });
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
  const callsOfCustomer = (number: string, { to = '9' }: { readonly to?: string }) =>
    listOf((calls as readonly ListedCall[]).filter((call) => call.customerNumber === number && call.listedAt <= to));
  return { callsOfCustomer, calls: () => listOf(calls as readonly ListedCall[]) } as unknown as CallfeedClient;
};

const instantOf = (second: number): string => new Date(Date.UTC(2026, 10, 21) + second * 1_000).toISOString();

describe('the calls of a caller', () => {
  it('are those of every spelling, newest first, in pages of any size, each call once', async () => {
    const [mine, others] = [
      ['+447700900123', '07700900123', '447700900123'],
      ['+17700900123', '0770090012'],
    ];
    // Many calls have the same instant, as after an import.
    const some = fc.array(fc.tuple(fc.constantFrom(...mine, ...others), fc.integer({ min: 0, max: 4 })), {
      maxLength: 30,
    });
    const property = fc.asyncProperty(some, fc.integer({ min: 1, max: 7 }), async (drawn, size) => {
      const calls = drawn.map(([customerNumber, second], index) => ({
        ...{ callId: `c${index}`, customerNumber, listedAt: instantOf(second) },
      }));
      const list = callsOfCaller(clientOf(calls), '+44 7700 900123', { from: undefined, to: undefined });
      const read: ListedCall[] = [];
      let cursor: string | undefined;
      do {
        const page = await firstPage(list.pages(size, cursor));
        expect(page.calls.length).toBeLessThanOrEqual(size);
        read.push(...page.calls);
        cursor = page.next;
      } while (cursor !== undefined);

      const expected = calls.filter(({ customerNumber }) => mine.includes(customerNumber));
      expect(read.map(({ listedAt }) => listedAt)).toEqual(
        expected
          .map(({ listedAt }) => listedAt)
          .sort()
          .reverse(),
      );
      expect(read.map(({ callId }) => callId).sort()).toEqual(expected.map(({ callId }) => callId).sort());
    });
    await holdsAsync(property);
  });

  it('have a cursor that names nobody, and reject another one', async () => {
    const calls = [1, 2].map((second) => ({
      callId: `c${second}`,
      customerNumber: '07700900123',
      listedAt: instantOf(second),
    }));
    const list = callsOfCaller(clientOf(calls), '+447700900123', { from: undefined, to: undefined });
    const first = await firstPage(list.pages(1));

    expect(Buffer.from(first.next ?? '', 'base64url').toString()).not.toContain('7700900123');
    await expect(firstPage(list.pages(1, 'x'))).rejects.toThrow('cursor: expected the unchanged');
  });
});

describe('the page of a caller', () => {
  const settings = { clock: () => new Date(instantOf(0)), isPersonal: true };
  const read = (client: CallfeedClient, typed: string) =>
    readCustomer(settings, { client } as unknown as Parameters<typeof readCustomer>[1], typed);

  it('searches the newest 1,000 calls, however few of them a page of DynamoDB has', async () => {
    const calls = Array.from({ length: 1_500 }, (_, index) => ({
      ...{ callId: `c${index}`, listedAt: instantOf(-index), customerNumber: `0987650${1_000 + index}` },
    }));
    const last = await read(clientOf(calls, 335), '1999');
    expect(last).toMatchObject({ searched: 1_000, numbers: ['09876501999'], isAtLeast: false, otherNumbers: 0 });
    expect(last.calls).toHaveLength(1);
    expect(await read(clientOf(calls, 335), '2000')).toMatchObject({ searched: 1_000, calls: [] });
  });

  it('says how many calls and numbers it leaves out', async () => {
    const calls = Array.from({ length: 600 }, (_, index) => ({
      ...{ callId: `c${index}`, listedAt: instantOf(-index), customerNumber: index < 580 ? '0042' : `0${index}0042` },
    }));
    const found = await read(clientOf(calls), '0042');
    expect(found.calls).toHaveLength(500);
    expect(found).toMatchObject({ isAtLeast: true, otherNumbers: 12 });
  });
});

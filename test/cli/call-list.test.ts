import { describe, expect, it } from 'vitest';
import { firstMatching, type Portion } from '../../cli/call-list.ts';
import type { CallList, ListedCall } from '../../lib/client/index.ts';

/** Calls with ids from 0: even ones are answered, odd ones missed, and the first has no type. */
const calls = Array.from(
  { length: 1_000 },
  (_, index): ListedCall => ({
    account: 'demo',
    callId: String(index),
    revision: 1,
    timeZone: 'UTC',
    listedAt: '2026-11-21T10:00:00.000Z',
    status: index % 2 === 0 ? 'answered' : 'not-answered',
    ...(index > 0 && { type: 'inbound' }),
  }),
);

/** A list with at most `maxPage` calls a page; a cursor is the number of calls before it. */
const listOf = (maxPage: number) => {
  const sizes: number[] = [];
  const list: CallList = {
    async *pages(size, cursor = '0') {
      sizes.push(size);
      const end = Number(cursor) + Math.min(size, maxPage);
      yield { calls: calls.slice(Number(cursor), end), next: end < calls.length ? String(end) : undefined };
    },
    async *[Symbol.asyncIterator]() {
      yield* calls;
    },
  };
  return { list, sizes };
};

const read = async (portion: Partial<Portion>, maxPage = 1_000) => {
  const { list, sizes } = listOf(maxPage);
  const ids: string[] = [];
  const found = await firstMatching(
    list,
    { limit: Number.POSITIVE_INFINITY, cursor: undefined, filters: {}, ...portion },
    (some) => ids.push(...some.map(({ callId }) => callId)),
  );
  return { ...found, ids, sizes };
};
const missed = { status: 'not-answered' } as const;

describe('firstMatching', () => {
  it.each<[string, Partial<Portion>, number, object]>([
    [
      'finds all calls without a limit',
      {},
      400,
      { found: 1_000, read: 1_000, next: undefined, sizes: [1_000, 1_000, 1_000] },
    ],
    [
      'asks for as many calls as are still missing',
      { limit: 5 },
      2,
      { found: 5, read: 5, next: '5', sizes: [5, 3, 1] },
    ],
    [
      'searches in larger pages',
      { limit: 3, filters: missed },
      1_000,
      { ids: ['1', '3', '5'], next: '6', sizes: [200, 6] },
    ],
    [
      'searches several pages',
      { limit: 3, filters: missed },
      2,
      { ids: ['1', '3', '5'], next: '6', sizes: [200, 200, 200] },
    ],
    [
      'continues behind the last call that it returned',
      { limit: 2, cursor: '6', filters: missed },
      1_000,
      { ids: ['7', '9'], next: '10' },
    ],
    [
      'finds no more than there are',
      { limit: 501, filters: missed },
      1_000,
      { found: 500, read: 1_000, next: undefined },
    ],
    [
      'ends with the list when the limit is the number of matches',
      { limit: 500, filters: missed },
      1_000,
      { found: 500, next: undefined },
    ],
    [
      'matches both filters',
      { limit: 1, filters: { status: 'answered', type: 'inbound' } },
      1_000,
      { ids: ['2'], next: '3' },
    ],
    ['finds none if none matches', { filters: { type: 'chat' } }, 1_000, { found: 0, read: 1_000, next: undefined }],
  ])('%s', async (_title, portion, maxPage, expected) => {
    expect(await read(portion, maxPage)).toMatchObject(expected);
  });

  it('finds each call once, whatever the limit', async () => {
    for (const limit of [1, 7, 150, 333]) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const some = await read({ limit, cursor, filters: missed }, 90);
        ids.push(...some.ids);
        cursor = some.next;
      } while (cursor !== undefined);

      expect(ids).toEqual(calls.filter(({ status }) => status === 'not-answered').map(({ callId }) => callId));
    }
  });
});

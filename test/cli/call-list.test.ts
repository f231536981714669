import { describe, expect, it } from 'vitest';
import { firstMatching, type Portion } from '../../cli/call-list.ts';
import type { CallList, ListedCall } from '../../lib/client/index.ts';

/** Calls by their ids, an answered one first and then each other one missed; the first of them has no type. */
const calls = Array.from(
  { length: 1_000 },
  (_, index): ListedCall => ({
    account: 'demo',
    callId: String(index),
    leg: 'main',
    revision: 1,
    timeZone: 'UTC',
    listedAt: '2026-11-21T10:00:00.000Z',
    status: index % 2 === 0 ? 'answered' : 'not-answered',
    ...(index > 0 && { type: 'inbound' }),
  }),
);

/** A list of which a page has at most `most` calls, and a cursor is how many are before it. */
const listOf = (most: number) => {
  const sizes: number[] = [];
  const list: CallList = {
    async *pages(size, cursor = '0') {
      sizes.push(size);
      const end = Number(cursor) + Math.min(size, most);
      yield { calls: calls.slice(Number(cursor), end), next: end < calls.length ? String(end) : undefined };
    },
    async *[Symbol.asyncIterator]() {
      yield* calls;
    },
  };
  return { list, sizes };
};

const read = async (portion: Partial<Portion>, most = 1_000) => {
  const { list, sizes } = listOf(most);
  const ids: string[] = [];
  const found = await firstMatching(
    list,
    { limit: Number.POSITIVE_INFINITY, cursor: undefined, filters: {}, ...portion },
    (some) => ids.push(...some.map(({ callId }) => callId)),
  );
  return { ...found, ids, sizes };
};
const missed = { status: 'not-answered' } as const;

describe('the first calls of a list', () => {
  it.each<[string, Partial<Portion>, number, object]>([
    [
      'are all of them without a limit',
      {},
      400,
      { found: 1_000, read: 1_000, next: undefined, sizes: [1_000, 1_000, 1_000] },
    ],
    [
      'are asked for by as many as are still filters',
      { limit: 5 },
      2,
      { found: 5, read: 5, next: '5', sizes: [5, 3, 1] },
    ],
    [
      'are searched for in larger pages',
      { limit: 3, filters: missed },
      1_000,
      { ids: ['1', '3', '5'], next: '6', sizes: [200, 6] },
    ],
    [
      'are searched for over several pages',
      { limit: 3, filters: missed },
      2,
      { ids: ['1', '3', '5'], next: '6', sizes: [200, 200, 200] },
    ],
    [
      'go on behind the last one that was taken',
      { limit: 2, cursor: '6', filters: missed },
      1_000,
      { ids: ['7', '9'], next: '10' },
    ],
    [
      'are no more than there are',
      { limit: 501, filters: missed },
      1_000,
      { found: 500, read: 1_000, next: undefined },
    ],
    [
      'end with the list if they are as many as are filters',
      { limit: 500, filters: missed },
      1_000,
      { found: 500, next: undefined },
    ],
    [
      'are of both words',
      { limit: 1, filters: { status: 'answered', type: 'inbound' } },
      1_000,
      { ids: ['2'], next: '3' },
    ],
    ['are none if none is filters', { filters: { type: 'chat' } }, 1_000, { found: 0, read: 1_000, next: undefined }],
  ])('%s', async (_title, portion, most, expected) => {
    expect(await read(portion, most)).toMatchObject(expected);
  });

  it('are each listed once, whatever the limit cuts the list to', async () => {
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

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { meaningOf } from '../../../torture/posting/meaning-of.ts';
import { posts } from '../../../torture/posting/posts.ts';

const firstPosts = (seed: number, count: number) => {
  const series = posts(seededRandom(seed));
  return Array.from({ length: count }, () => series.next().value);
};
const some = firstPosts(1, 1_000);

describe('posts', () => {
  it('are the same for the same seed', () => {
    expect(firstPosts(1, 100)).toEqual(some.slice(0, 100));
    expect(firstPosts(2, 100)).not.toEqual(some.slice(0, 100));
  });

  it('hold new calls, repeats, later versions, lists and posts that are no calls', () => {
    const kinds = new Set(some.flatMap((post) => post.kinds));

    for (const kind of [
      'redelivery',
      'late-disposition',
      'poorer-later',
      'advanced',
      'several-legs',
      'screen-pop',
      'json-body',
    ])
      expect(kinds).toContain(kind);
    expect(new Set(some.map(({ body, query }) => body + query)).size).toBeLessThan(some.length);
  });

  it('bring later versions of a call after other calls', () => {
    const late = some.filter(({ kinds }) => kinds.includes('late-disposition'));
    const places = late.map(({ callId }) => some.flatMap((post, place) => (post.callId === callId ? [place] : [])));

    expect(places.some(([first = 0, second = 0]) => second > first + 5)).toBe(true);
  });
});

describe('meaningOf', () => {
  it('names what a post is to be answered, and what is to be kept of it', async () => {
    const meanings = await Promise.all(some.map(meaningOf));
    const kept = meanings.flatMap(({ items }) => items);

    expect(new Set(meanings.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(new Set(kept.map((item) => (item.kind === 'delivery' ? item.key.kind : item.kind)))).toEqual(
      new Set(['call', 'participant', 'quarantine']),
    );
    for (const [index, { callId }] of some.entries())
      if (callId !== undefined)
        expect(meanings[index]?.items).toContainEqual(expect.objectContaining({ kind: 'delivery' }));
  });
});

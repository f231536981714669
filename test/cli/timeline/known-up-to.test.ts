import { describe, expect, it } from 'vitest';
import { knownUpTo } from '../../../cli/timeline/known-up-to.ts';
import { newFeed } from '../../../lib/feed/feed.ts';

const [start, end] = ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'];
const feed = newFeed('demo', new Date(start));
const known = (asOf: string, now: string) =>
  knownUpTo({ freshness: 'stale', asOf, ageSeconds: 1, feed }, { start, end }, new Date(now));

describe('a day', () => {
  it.each([
    ['as far as the picture has come', '2026-11-21T10:00:00.000Z', '2026-11-21T12:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['not at all if the picture is older', '2026-11-20T10:00:00.000Z', '2026-11-21T12:00:00Z', start],
    ['not at all if it is to come', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00Z', start],
    ['to its end if the picture is newer', '2026-11-23T10:00:00.000Z', '2026-11-23T10:00:00Z', end],
    ['not beyond now', '2026-11-21T10:00:00.000Z', '2026-11-21T09:59:59Z', '2026-11-21T09:59:59.000Z'],
  ])('is known %s', (_title, asOf, now, upTo) => {
    expect(known(asOf, now)).toBe(upTo);
  });

  it('is not known without a picture', () => {
    expect(knownUpTo({ freshness: 'none', feed: undefined }, { start, end }, new Date(end))).toBe(start);
  });
});

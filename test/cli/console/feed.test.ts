import { describe, expect, it } from 'vitest';
import type { Answers } from '../../../cli/console/api.ts';
import { asReadLast, isStale, pollsText } from '../../../cli/console/page/feed.ts';

const asOf = '2026-11-22T09:00:00.000Z';
const polled = {
  account: 'demo',
  status: 'live',
  statusSince: asOf,
  asOf,
  staleAt: '2026-11-22T09:00:30.000Z',
  agentCount: 5,
  counts: {},
  unreadableRecords: 0,
  version: 1,
  attemptedAt: asOf,
} as unknown as NonNullable<Answers['health']['feed']>;
const live: Answers['health'] = {
  now: asOf,
  freshness: 'live',
  asOf,
  feed: polled,
  changes: [],
  problem: undefined,
  earlier: undefined,
  next: ['status', '--since', '3h'],
};
const stale: Answers['health'] = {
  ...live,
  freshness: 'stale',
  problem: { text: 'the telephony service does not answer', since: '2026-11-22T08:59:00.000Z' },
};
const { asOf: _none, ...never } = { ...live, freshness: 'none' as const, feed: undefined };

/** The card of polls so many seconds after the latest picture, and whether the bar says stale then. */
const shown = (answer: Answers['health'], seconds: number, isUnread = false) => {
  const now = Date.parse(asOf) + seconds * 1_000;
  const { verdict, lines } = pollsText(answer, { timeZone: 'UTC', now, isUnread });
  return { verdict, text: lines.join(' '), isStale: isStale(answer, now) };
};

describe('the card of polls', () => {
  it.each<
    [title: string, answer: Answers['health'], seconds: number, isUnread: boolean, verdict: string, text: RegExp]
  >([
    ['right', live, 12, false, 'good', /^Polls succeed; the latest picture is 12\ss old, with 5 agents\.$/],
    ['right up to the limit', live, 30, false, 'good', /^Polls succeed;/],
    [
      'stale beyond it, though the answer was live',
      live,
      31,
      false,
      'bad',
      /^No newer poll has succeeded; .* 31\ss old/,
    ],
    ['stale', stale, 90, false, 'bad', /^Since 08:59:00 the telephony service .* Polls do not succeed;/],
    [
      'not known where nothing newer was read',
      live,
      300,
      true,
      'unknown',
      /^Polls succeeded when this was read last; .* 5\smin old/,
    ],
    ['not known where it cannot be read, however young', live, 12, true, 'unknown', /^Polls succeeded when/],
    ['stale as it was, where nothing newer was read', stale, 300, true, 'bad', /Polls do not succeed;/],
    [
      'not known before the first poll',
      never,
      300,
      false,
      'unknown',
      /^No poll has succeeded yet, and none was tried\.$/,
    ],
  ])('is %s', (_title, answer, seconds, isUnread, verdict, text) => {
    expect(shown(answer, seconds, isUnread)).toMatchObject({ verdict, text: expect.stringMatching(text) });
  });

  it('is never green while the bar says stale', () => {
    for (const answer of [live, stale, never])
      for (const isUnread of [false, true])
        for (let seconds = 0; seconds < 100; seconds++) {
          const { verdict, isStale: saysStale } = shown(answer, seconds, isUnread);
          expect([seconds, verdict === 'good' && saysStale]).toEqual([seconds, false]);
        }
  });

  it('names an earlier problem, and records that could not be read', () => {
    const earlier = { text: 'the limit is used up', since: asOf };
    const { lines } = pollsText(
      { ...live, earlier, feed: { ...polled, unreadableRecords: 2 } },
      { timeZone: 'UTC', now: Date.parse(asOf), isUnread: false },
    );
    expect(lines.slice(1)).toEqual([
      ['An earlier problem is over: the limit is used up, last met at', asOf],
      '2 records of the latest answer could not be read.',
    ]);
  });
});

it('a card that could not be read again is no longer green, and a red one stays red', () => {
  const verdicts = (['good', 'bad', 'unknown'] as const).map((verdict) => asReadLast({ verdict, lines: [] }).verdict);
  expect(verdicts).toEqual(['unknown', 'bad', 'unknown']);
});

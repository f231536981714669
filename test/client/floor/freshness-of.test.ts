import { describe, expect, it } from 'vitest';
import { floorOf } from '../../../client/floor/floor-of.ts';
import { freshnessOf } from '../../../client/floor/freshness-of.ts';
import type { AgentNow, FeedNow } from '../../../client/index.ts';
import { loggedIn } from '../../lib/support/agents.ts';
import { feedAtNoon as feed } from '../support/feed-now.ts';

const { staleAt: _staleAt, ...feedWithoutStaleAt } = feed;
const { asOf: _asOf, ...neverAnswered } = feedWithoutStaleAt;

const asha: AgentNow = { account: 'demo', ...loggedIn('2026-11-21T11:00:00.000Z') };

describe('freshnessOf', () => {
  it.each<[why: string, feed: FeedNow, now: string, freshness: string, ageSeconds: number]>([
    ['at the poll', feed, '12:00:00.000', 'live', 0],
    ['between two polls', feed, '12:00:14.500', 'live', 14.5],
    ['at the last moment', feed, '12:00:30.000', 'live', 30],
    ['a millisecond later, whatever the row says', feed, '12:00:30.001', 'stale', 30.001],
    ['an hour later', feed, '13:00:00.000', 'stale', 3600],
    ['interrupted, however young', { ...feed, status: 'interrupted' }, '12:00:01.000', 'stale', 1],
    ['being started anew', { ...feed, status: 'starting' }, '12:00:01.000', 'stale', 1],
    ['by a clock that is behind', feed, '11:59:00.000', 'live', 0],
    ['without staleAt, up to 30 seconds', feedWithoutStaleAt, '12:00:30.000', 'live', 30],
    ['without staleAt, after 30 seconds', feedWithoutStaleAt, '12:00:30.001', 'stale', 30.001],
    ['kept up for longer', { ...feed, staleAt: '2026-11-21T12:01:00.000Z' }, '12:00:59.000', 'live', 59],
  ])('%s', (_why, row, time, freshness, ageSeconds) => {
    expect(freshnessOf(row, new Date(`2026-11-21T${time}Z`))).toEqual({
      freshness,
      feed: row,
      asOf: '2026-11-21T12:00:00.000Z',
      ageSeconds,
    });
  });

  it.each([
    ['the account was never polled', undefined],
    ['no poll was answered yet', { ...neverAnswered, status: 'starting' as const }],
    ['no poll was ever answered', { ...neverAnswered, status: 'interrupted' as const }],
  ])('knows no picture where %s', (_why, row) => {
    expect(freshnessOf(row, new Date('2026-11-21T12:00:00.000Z'))).toEqual({ freshness: 'none', feed: row });
  });
});

describe('floorOf', () => {
  it.each([
    ['12:00:30.000', ['agents']],
    ['12:00:30.001', ['lastKnownAgents']],
  ])('names the agents at %s by what is known of them', (time, names) => {
    const floor = floorOf({ feed, agents: [asha] }, new Date(`2026-11-21T${time}Z`));

    expect(Object.entries(floor).filter(([, value]) => Array.isArray(value))).toEqual([[names[0], [asha]]]);
  });

  it('shows nobody where there is no picture', () => {
    expect(floorOf({ feed: undefined, agents: [asha] }, new Date(0))).toEqual({ freshness: 'none', feed: undefined });
  });
});

import { describe, expect, it } from 'vitest';
import { pastFloorOf } from '../../../client/floor/past-floor-of.ts';
import type { PastFloor } from '../../../lib/contract/rows.ts';

const at = '2026-11-21T11:00:00.000Z';
const kept: PastFloor = { account: 'demo', at, asOf: at, status: 'live', part: 0, parts: 1, counts: {}, agents: [] };
const { asOf: _asOf, ...neverSeen } = kept;

describe('pastFloorOf', () => {
  it.each<[string, PastFloor, moment: string, freshness: string]>([
    ['at once', kept, at, 'live'],
    ['within the longest day', kept, '2026-11-22T12:00:30.000Z', 'live'],
    ['after it, as every day that is polled keeps a floor', kept, '2026-11-22T12:00:30.001Z', 'stale'],
    ['interrupted', { ...kept, status: 'interrupted' }, at, 'stale'],
    ['never seen', { ...neverSeen, status: 'interrupted' }, at, 'stale'],
  ])('says how true the floor is %s', (_when, floor, moment, freshness) => {
    expect(pastFloorOf([floor], moment)).toEqual({
      freshness,
      at,
      asOf: floor.asOf,
      [freshness === 'live' ? 'agents' : 'lastKnownAgents']: [],
    });
  });

  it('is nothing without parts', () => {
    expect(pastFloorOf([], at)).toBeUndefined();
  });
});

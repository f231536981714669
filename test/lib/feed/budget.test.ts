import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, hasRoom, pollBudget, recent, tokenBudget } from '../../../lib/feed/budget.ts';
import { holds } from '../support/property.ts';

const now = Date.parse('2026-11-20T06:00:00.000Z');

const limits: readonly (readonly [string, Budget, number, number])[] = [
  ['of getAgentLogins', pollBudget, 5, 60_000],
  ['of tokens', tokenBudget, 10, 3_600_000],
];

describe.each(limits)('the budget %s', (_title, budget, most, perMs) => {
  const full = (arrivedBy: number) => Array.from({ length: most }, () => arrivedBy);

  it('is what the service allows', () => {
    expect(budget).toEqual({ most, perMs });
  });

  it('has room for so many requests and no more', () => {
    expect(hasRoom(budget, [], now)).toBe(true);
    expect(hasRoom(budget, full(now).slice(1), now)).toBe(true);
    expect(hasRoom(budget, full(now), now)).toBe(false);
  });

  it.each([
    ['is still under way', 5_000, false],
    ['is under way at this millisecond', 0, false],
    ['has arrived a window ago to the millisecond', -perMs, false],
    ['has arrived a millisecond earlier', -perMs - 1, true],
  ])('counts a request that %s', (_when, offsetMs, hasRoomAgain) => {
    expect(hasRoom(budget, full(now + offsetMs), now)).toBe(hasRoomAgain);
    expect(recent(budget, full(now + offsetMs), now)).toHaveLength(hasRoomAgain ? 0 : most);
  });

  it('never lets more into any window, whenever it is asked and however long requests are under way', () => {
    const asked = fc.array(fc.tuple(fc.nat({ max: perMs / 4 }), fc.nat({ max: 8_000 })), { maxLength: 60 });
    holds(
      fc.property(asked, (steps) => {
        let atMs = now;
        let noted: readonly number[] = [];
        const arrivals: number[] = [];
        for (const [waitMs, travelMs] of steps) {
          atMs += waitMs;
          if (!hasRoom(budget, noted, atMs)) continue;
          noted = [...recent(budget, noted, atMs), atMs + 8_000];
          arrivals.push(atMs + travelMs);
        }
        for (const from of arrivals)
          expect(arrivals.filter((arrival) => arrival >= from && arrival <= from + perMs).length).toBeLessThanOrEqual(
            most,
          );
      }),
    );
  });
});

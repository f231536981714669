import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, hasRoom, pollBudget, recent, roomAt, tokenBudget } from '../../../lib/feed/budget.ts';
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

  it('has room at once while there are fewer', () => {
    expect(roomAt(budget, [], now)).toBe(now);
    expect(roomAt(budget, full(now).slice(1), now)).toBe(now);
    expect(roomAt(budget, full(now - perMs - 1), now)).toBe(now);
  });

  it('has room again a millisecond after the oldest that counts has left the window', () => {
    const requests = full(now - 1_000).with(0, now - 5_000);

    expect(roomAt(budget, requests, now)).toBe(now - 5_000 + perMs + 1);
    expect(roomAt(budget, requests.toReversed(), now)).toBe(now - 5_000 + perMs + 1);
    expect(roomAt(budget, full(now + 4_000), now)).toBe(now + 4_000 + perMs + 1);
  });

  it('waits for as many to leave as there are too many', () => {
    const requests = Array.from({ length: most + 2 }, (_, index) => now - 10_000 + index * 1_000);

    expect(roomAt(budget, requests, now)).toBe(now - 8_000 + perMs + 1);
  });

  it('says the first millisecond at which there is room, whatever is noted', () => {
    const offsets = fc.array(fc.integer({ min: -2 * perMs, max: 8_000 }), { maxLength: 30 });
    holds(
      fc.property(offsets, (noted) => {
        const requests = noted.map((offset) => now + offset);
        const room = roomAt(budget, requests, now);

        expect(hasRoom(budget, requests, room)).toBe(true);
        if (room > now) expect(hasRoom(budget, requests, room - 1)).toBe(false);
      }),
    );
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

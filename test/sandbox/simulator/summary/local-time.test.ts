import { describe, expect, it } from 'vitest';
import { clockOf, localTime, secondsOf } from '../../../../sandbox/simulator/summary/local-time.ts';

describe('localTime', () => {
  it.each([
    ['UTC', '2026-07-01T23:59:59Z', '2026-07-01 23:59:59'],
    ['Asia/Kolkata', '2026-07-01T23:59:59Z', '2026-07-02 05:29:59'],
    ['America/New_York', '2026-01-01T04:00:00Z', '2025-12-31 23:00:00'],
    ['Europe/London', '2026-07-01T23:00:00Z', '2026-07-02 00:00:00'],
  ])('is the clock of %s', (timeZone, instant, expected) => {
    expect(localTime(Date.parse(instant), timeZone)).toBe(expected);
  });
});

describe('clockOf', () => {
  it.each([
    [0, '00:00:00'],
    [59, '00:00:59'],
    [61, '00:01:01'],
    [3_661, '01:01:01'],
    [360_000, '100:00:00'],
  ])('writes %i seconds, and secondsOf reads them', (seconds, clock) => {
    expect(clockOf(seconds)).toBe(clock);
    expect(secondsOf(clock)).toBe(seconds);
  });
});

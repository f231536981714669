import { describe, expect, it } from 'vitest';
import { isTimeZone, offsetAt } from '../../../lib/core/time-zone.ts';

const minuteMs = 60_000;

describe('isTimeZone', () => {
  it.each(['Asia/Kolkata', 'Europe/London', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])(
    'accepts %s',
    (zone) => {
      expect(isTimeZone(zone)).toBe(true);
    },
  );

  it.each(['Asia/Nowhere', '', 'India', '5.5', 'IST', '+05:30', 'utc', '/Kolkata'])('rejects "%s"', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});

describe('offsetAt', () => {
  it.each([
    ['Asia/Kolkata', '2026-11-20T00:00:00Z', 330],
    ['America/New_York', '2026-11-01T05:59:59Z', -240],
    ['America/New_York', '2026-11-01T06:00:00Z', -300],
    ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', 630],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 660],
  ])('of %s at %s is %d minutes', (zone, at, minutes) => {
    expect(offsetAt(zone, Date.parse(at))).toBe(minutes * minuteMs);
  });

  it('is exact to the second while clocks showed the local solar time', () => {
    expect(offsetAt('Asia/Kolkata', Date.parse('1900-01-01T00:00:00Z'))).toBe((5 * 3600 + 21 * 60 + 10) * 1000);
  });

  it('is the same after more instants than the cache holds', () => {
    const hours = Array.from({ length: 10_001 }, (_, hour) => Date.UTC(2026, 0, 1) + hour * 60 * minuteMs);

    expect(new Set(hours.map((ms) => offsetAt('Asia/Kolkata', ms)))).toEqual(new Set([330 * minuteMs]));
    expect(offsetAt('Asia/Kolkata', hours[0] ?? 0)).toBe(330 * minuteMs);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, justBefore, localDate, midnights, offsetAt, startOfDay } from '../../../lib/core/time.ts';
import { holds } from '../../support/property.ts';

describe('localDate', () => {
  it.each([
    ['Asia/Kolkata', '2026-11-20T18:29:59.999Z', '2026-11-20'],
    ['Asia/Kolkata', '2026-11-20T18:30:00.000Z', '2026-11-21'],
    ['UTC', '2026-11-20T23:59:59.999Z', '2026-11-20'],
    ['America/New_York', '2026-11-21T04:59:59.999Z', '2026-11-20'],
    ['America/New_York', '2026-07-21T04:00:00.000Z', '2026-07-21'],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00.000Z', '2026-11-21'],
  ])('in %s at %s is %s', (zone, at, date) => {
    expect(localDate(at, zone)).toBe(date);
  });
});

describe('startOfDay', () => {
  it.each([
    ['an ordinary day', 'Asia/Kolkata', '2026-11-21', '2026-11-20T18:30:00.000Z'],
    ['the day on which clocks go forward later', 'Europe/London', '2026-03-29', '2026-03-29T00:00:00.000Z'],
    ['the day after it', 'Europe/London', '2026-03-30', '2026-03-29T23:00:00.000Z'],
    ['a day whose midnight is skipped', 'Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['a day whose midnight is skipped in the west', 'America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['a day whose first hour occurs twice', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['a day before which an hour occurs twice', 'Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
    ['a day beyond the last of the calendar', 'America/New_York', '9999-12-32', '9999-12-32T00:00:00.000Z'],
  ])('is the first instant of %s', (_title, zone, date, at) => {
    expect(startOfDay(date, zone)).toBe(at);
  });
});

describe('midnights', () => {
  const zone = 'Asia/Kolkata';

  it.each([
    ['none within a day', '2026-11-20T06:00:00.000Z', '2026-11-20T18:29:59.999Z', []],
    ['the one at the end', '2026-11-20T06:00:00.000Z', '2026-11-20T18:30:00.000Z', ['2026-11-20T18:30:00.000Z']],
    ['not the one at the beginning', '2026-11-20T18:30:00.000Z', '2026-11-20T18:31:00.000Z', []],
    ['none in an empty interval', '2026-11-20T18:30:00.000Z', '2026-11-20T18:30:00.000Z', []],
    ['none where the end is before the beginning', '2026-11-21T06:00:00.000Z', '2026-11-20T06:00:00.000Z', []],
    [
      'each of several days, in order',
      '2026-11-20T06:00:00.000Z',
      '2026-11-22T19:00:00.000Z',
      ['2026-11-20T18:30:00.000Z', '2026-11-21T18:30:00.000Z', '2026-11-22T18:30:00.000Z'],
    ],
  ])('returns %s', (_title, after, until, expected) => {
    expect(midnights(after, until, zone)).toEqual(expected);
  });

  it('returns at most the last 31', () => {
    const found = midnights('2026-01-01T00:00:00.000Z', '2026-11-20T19:00:00.000Z', zone);

    expect(found).toHaveLength(31);
    expect(found.at(0)).toBe('2026-10-21T18:30:00.000Z');
    expect(found.at(-1)).toBe('2026-11-20T18:30:00.000Z');
  });

  const zones = [
    'Asia/Kolkata',
    'Europe/London',
    'America/New_York',
    'America/Havana',
    'America/Santiago',
    'Africa/Cairo',
    'Asia/Beirut',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'UTC',
  ];
  const quarterHourMs = 900_000;
  const yearMs = 365 * 86_400_000;

  const dayMs = 86_400_000;
  const timesFrom = (startMs: number, stepMs: number, count: number) =>
    Array.from({ length: count }, (_, index) => startMs + index * stepMs);
  /** The instants of a year at which the clocks of a zone change. */
  const changesOf = (zone: string): readonly number[] => {
    const changesIn = (times: readonly number[]) =>
      times.filter((ms, index) => offsetAt(zone, ms) !== offsetAt(zone, times[index + 1] ?? ms));
    const days = changesIn(timesFrom(Date.UTC(2026, 0, 1), dayMs, 365));
    return days.flatMap((ms) => changesIn(timesFrom(ms, quarterHourMs, 97))).map((ms) => ms + quarterHourMs);
  };
  const anyTime = fc.nat({ max: yearMs / 1000 }).map((seconds) => Date.UTC(2026, 0, 1) + seconds * 1000);
  /** A zone, and a beginning at any time of the year or up to two days before the zone's clocks change. */
  const beginningsIn = (zone: string) => {
    const changes = changesOf(zone).map((changeMs) =>
      fc.nat({ max: 2 * dayMs }).map((beforeMs) => changeMs - beforeMs),
    );
    return fc.tuple(fc.constant(zone), fc.oneof(anyTime, ...changes));
  };

  it('are the instants at which the date changes, whatever the clocks do', () => {
    holds(
      fc.property(fc.oneof(...zones.map(beginningsIn)), fc.nat({ max: 4 * 86_400 }), ([zone, fromMs], seconds) => {
        const untilMs = fromMs + seconds * 1000;
        const expected: string[] = [];
        const firstQuarter = (Math.floor(fromMs / quarterHourMs) + 1) * quarterHourMs;
        for (let ms = firstQuarter; ms <= untilMs; ms += quarterHourMs) {
          const at = new Date(ms).toISOString();
          if (localDate(at, zone) !== localDate(new Date(ms - 1).toISOString(), zone)) expected.push(at);
        }

        expect(midnights(new Date(fromMs).toISOString(), new Date(untilMs).toISOString(), zone)).toEqual(expected);
      }),
    );
  });
});

describe('addDays', () => {
  it.each([
    ['2026-11-20', '2026-11-21'],
    ['2026-11-30', '2026-12-01'],
    ['2026-12-31', '2027-01-01'],
    ['2028-02-28', '2028-02-29'],
  ])('of %s is %s', (date, next) => {
    expect(addDays(date, 1)).toBe(next);
  });
});

describe('justBefore', () => {
  it.each([
    ['2026-11-20T18:30:00.000Z', '2026-11-20T18:29:59.999Z'],
    ['2027-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ])('%s is %s', (instant, before) => {
    expect(justBefore(instant)).toBe(before);
  });
});

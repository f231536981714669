import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  askForOffsetsFirst,
  instantOf,
  isTimeZone,
  localDate,
  midnights,
  offsetAt,
  secondsFrom,
  startOfDay,
  zoneName,
} from '../../../lib/core/time.ts';
import { holds } from '../../support/arbitraries.ts';

// Test files share modules, and the deployed receiver names another source of offsets.
beforeAll(() => askForOffsetsFirst(() => undefined));

describe('instant', () => {
  /** Usual zones, and zones with half hours, quarters, a change of 30 minutes, Ramadan and a skipped day. */
  const zones = [
    ...['Asia/Kolkata', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
    ...['America/St_Johns', 'Africa/Casablanca', 'Pacific/Chatham', 'Pacific/Apia', 'UTC'],
  ] as const;

  const minuteMs = 60_000;
  const quarterMs = 15 * minuteMs;

  const formats = new Map(
    zones.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
    ]),
  );

  /** The time that a clock in the zone shows at an instant: `YYYY-MM-DD HH:MM:SS`. */
  const shown = (zone: (typeof zones)[number], ms: number): string => formats.get(zone)?.format(ms) ?? '';

  /** All instants at which a clock shows a text: an independent oracle, which tries every offset. */
  const instantsShowing = (zone: (typeof zones)[number], text: string): readonly number[] => {
    const wallMs = Date.parse(`${text.replace(' ', 'T')}Z`);
    return Array.from({ length: 2 * 4 * 15 + 1 }, (_, quarter) => wallMs + (quarter - 60) * quarterMs).filter(
      (ms) => shown(zone, ms) === text,
    );
  };

  /** Since 2012, roughly, zones change their offset only on a quarter of an hour. */
  const second = fc.integer({ min: Date.UTC(2011, 11, 20) / 1000, max: Date.UTC(2036, 0, 1) / 1000 });
  const zone = fc.constantFrom(...zones);

  /** Days on which an hour occurs twice or never: mistakes are likely there. */
  const changes = zones.flatMap((name) => {
    const days = Array.from({ length: 366 * 3 }, (_, day) => Date.UTC(2025, 0, 1 + day));
    const offsetAt = (ms: number) => Date.parse(`${shown(name, ms).replace(' ', 'T')}Z`) - ms;
    return days.filter((ms) => offsetAt(ms) !== offsetAt(ms + 24 * 60 * minuteMs)).map((ms) => ({ name, ms }));
  });

  const expectedAt = (name: (typeof zones)[number], text: string) => {
    const [first, ...others] = instantsShowing(name, text);
    if (first === undefined) return { note: 'skipped-local-time' };
    return { at: new Date(first).toISOString(), ...(others.length > 0 && { note: 'ambiguous-local-time' }) };
  };

  const wallText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

  describe('instantOf', () => {
    const at = (time: string) => ({ at: `2026-11-20T${time}Z` });
    const skipped = (local: string, time: string) => ({ at: time, note: 'skipped-local-time', local });

    it.each<[what: string, text: string, instant: object | undefined, zone?: string]>([
      ['hyphens between the date parts', '2026-11-20 11:00:00', at('05:30:00.000')],
      ['colons between the date parts', '2026:11:20 11:00:00', at('05:30:00.000')],
      ['slashes between the date parts', '2026/11/20 11:00:00', at('05:30:00.000')],
      ['a T', '2026-11-20T11:00:00', at('05:30:00.000')],
      ['two spaces', '2026-11-20  11:00:00', at('05:30:00.000')],
      ['a small t', '2026-11-20t11:00:00', at('05:30:00.000')],
      ['Z', '2026-11-20T05:30:00Z', at('05:30:00.000')],
      ['Z and milliseconds', '2026-11-20T05:30:00.000Z', at('05:30:00.000')],
      ['a space before Z', '2026-11-20 05:30:00 Z', at('05:30:00.000')],
      ['an offset', '2026-11-20T11:00:00+05:30', at('05:30:00.000')],
      ['an offset without colon', '2026-11-20T00:30:00-0500', at('05:30:00.000')],
      ['one digit of a fraction', '2026-11-20 11:00:00.5', at('05:30:00.500')],
      ['three digits', '2026-11-20 11:00:00.123', at('05:30:00.123')],
      ['six digits', '2026-11-20 11:00:00.123456', at('05:30:00.123')],
      ['the greatest offset', '2026-11-20 11:00:00+23:59', { at: '2026-11-19T11:01:00.000Z' }],
      ['the smallest offset', '2026-11-20 11:00:00-23:59', { at: '2026-11-21T10:59:00.000Z' }],
      // Some write the last second of the calendar for "never".
      ['the last millisecond', '9999-12-31 23:59:59.999Z', { at: '9999-12-31T23:59:59.999Z' }],
      ['the last second', '9999-12-31 23:59:59', { at: '9999-12-31T18:29:59.000Z' }],
      ['a year of five digits in UTC', '9999-12-31 23:59:59', undefined, 'America/New_York'],
      ['31 February', '2026-02-31 10:00:00', undefined],
      ['29 February in a common year', '2026-02-29 10:00:00', undefined],
      ['a month 13', '2026-13-01 10:00:00', undefined],
      ['hour 24', '2026-11-20 24:00:00', undefined],
      ['second 60', '2026-11-20 10:00:60', undefined],
      ['the zero date', '0000-00-00 00:00:00', undefined],
      ['a year of two digits', '0026-11-20 10:00:00', undefined],
      ['a date alone', '2026-11-20', undefined],
      ['a time alone', '10:00:00', undefined],
      ['seconds since the epoch', '1795225731', undefined],
      ['days before months and years', '20-11-2026 10:00:00', undefined],
      ['words behind it', '2026-11-20 10:00:00 IST', undefined],
      ['words before it', 'at 2026-11-20 10:00:00', undefined],
      ['an offset of more than a day', '2026-11-20 11:00:00+99:99', undefined],
      ['an offset of 24 hours', '2026-11-20 11:00:00+24:00', undefined],
      ['an offset of 60 minutes', '2026-11-20 11:00:00+05:60', undefined],
      ['an instant beyond the year 9999', '9999-12-31 23:59:59-01:00', undefined],
      ['nothing', '', undefined],
    ])('reads a time with %s, or takes it for none: %s', (_what, text, instant, zone = 'Asia/Kolkata') => {
      expect(instantOf(text, zone)).toEqual(instant);
    });

    it.each<[zone: string, text: string, instant: object]>([
      // Where clocks go forward, a time moves later by the gap.
      ['Europe/London', '2026-03-29 01:30:00', skipped('2026-03-29 01:30:00', '2026-03-29T01:30:00.000Z')],
      ['America/New_York', '2026-03-08 02:00:00', skipped('2026-03-08 02:00:00', '2026-03-08T07:00:00.000Z')],
      ['Australia/Lord_Howe', '2026-10-04 02:15:00', skipped('2026-10-04 02:15:00', '2026-10-03T15:45:00.000Z')],
      ['Pacific/Apia', '2011-12-30 12:00:00', skipped('2011-12-30 12:00:00', '2011-12-30T22:00:00.000Z')],
      // The first of two instants, and the second, as if its zone had not been sent.
      ['Europe/London', '2026-10-25T00:30:00Z', { at: '2026-10-25T00:30:00.000Z', note: 'ambiguous-local-time' }],
      ['Europe/London', '2026-10-25T01:30:00Z', { at: '2026-10-25T01:30:00.000Z' }],
      // The last second before a change, and the first after it.
      ['Europe/London', '2026-10-25 00:59:59', { at: '2026-10-24T23:59:59.000Z' }],
      ['Europe/London', '2026-10-25 02:00:00', { at: '2026-10-25T02:00:00.000Z' }],
      ['Europe/London', '2026-03-29 00:59:59', { at: '2026-03-29T00:59:59.000Z' }],
      ['Europe/London', '2026-03-29 02:00:00', { at: '2026-03-29T01:00:00.000Z' }],
    ])('reads a time around a change of clocks in %s: %s', (zone, text, instant) => {
      expect(instantOf(text, zone)).toEqual(instant);
    });

    it('agrees with the runtime’s clocks for any second of many years', () => {
      holds(
        fc.property(zone, second, (name, seconds) => {
          const text = shown(name, seconds * 1000);

          expect(instantOf(text, name)).toEqual(expectedAt(name, text));
        }),
        300,
      );
    });

    const near = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -86_400, max: 2 * 86_400 }));

    it('agrees with the runtime’s clocks for any second around a change of clocks', () => {
      holds(
        fc.property(near, ([{ name, ms }, seconds]) => {
          const text = wallText(ms + seconds * 1000);

          expect(instantOf(text, name)).toMatchObject(expectedAt(name, text));
        }),
        1_500,
      );
    });

    it('reads a time with a zone as the same time without one, unless it is the second of two', () => {
      holds(
        fc.property(near, ([{ name, ms: day }, seconds]) => {
          const ms = day + seconds * 1000;
          const [first] = instantsShowing(name, shown(name, ms));
          const without = instantOf(shown(name, ms), name);

          const at = new Date(ms).toISOString();
          expect(instantOf(at, name)).toEqual(first === ms ? without : { at });
        }),
        1_500,
      );
    });
  });

  describe('secondsFrom', () => {
    it.each([
      ['hours, minutes and seconds', '01:02:03', 3723],
      ['zero', '00:00:00', 0],
      ['59 minutes and seconds beside hours', '01:59:59', 7199],
      ['one digit for the hours', '1:02:03', 3723],
      ['more than a day', '100:00:00', 360_000],
      ['minutes and seconds', '02:03', 123],
      ['minutes beyond an hour', '75:00', 4500],
      ['seconds as a number', '250', 250],
      ['a fraction of seconds', '250.5', 250.5],
      ['milliseconds', '250.125', 250.125],
      ['the most seconds that are accepted', '999999999', 999_999_999],
      ['60 seconds as nothing', '00:00:60', undefined],
      ['60 minutes beside hours as nothing', '01:60:00', undefined],
      ['60 seconds beside minutes as nothing', '01:60', undefined],
      ['a sign as nothing', '-5', undefined],
      ['words as nothing', '5 min', undefined],
      ['nothing', '', undefined],
      ['an exponent as nothing', '1e3', undefined],
      ['one digit for the seconds as nothing', '00:00:5', undefined],
      ['four parts as nothing', '00:00:00:00', undefined],
      ['ten digits as nothing', '1000000000', undefined],
      ['five digits of hours as nothing', '10000:00:00', undefined],
      ['a fraction behind a clock time as nothing', '00:00:01.5', undefined],
    ])('reads %s', (_title, text, expected) => {
      expect(secondsFrom(text)).toBe(expected);
    });
  });
});

describe('time zone', () => {
  const minuteMs = 60_000;

  it.each([
    ['ASIA/KOLKATA', 'Asia/Kolkata'],
    ['america/new_york', 'America/New_York'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
    ['africa/dar_es_salaam', 'Africa/Dar_es_Salaam'],
    ['US/EASTERN', 'US/Eastern'],
    ['us/eastern', 'US/Eastern'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['Brazil/DeNoronha', 'Brazil/DeNoronha'],
    ['Etc/UTC', 'Etc/UTC'],
    ['asia/calcutta', 'Asia/Calcutta'],
    ['utc', 'UTC'],
    ['singapore', 'Singapore'],
    ['Nz-Chat', 'NZ-CHAT'],
    ['Antarctica/DumontDUrville', 'Antarctica/DumontDUrville'],
    ['nowhere/at_all', 'nowhere/at_all'],
  ])('names the zone %s as the IANA does: %s', (zone, name) => {
    expect(zoneName(zone)).toBe(name);
  });

  it('is one of the IANA, spelt as it does', () => {
    const zones = [
      'Asia/Kolkata',
      'Europe/London',
      'America/Argentina/Buenos_Aires',
      'Etc/GMT+5',
      'UTC',
      'Japan',
      'GB',
    ];
    const others = ['Asia/Nowhere', '', 'India', '5.5', 'IST', 'EST', 'CET', 'GMT', '+05:30', 'utc', '/Kolkata'];
    expect([...zones, ...others].filter(isTimeZone)).toEqual(zones);
  });

  describe('offsetAt', () => {
    it.each([
      ['Asia/Kolkata', '2026-11-20T00:00:00Z', 330],
      ['America/New_York', '2026-11-01T05:59:59Z', -240],
      ['America/New_York', '2026-11-01T06:00:00Z', -300],
      ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', 630],
      ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 660],
      ['Africa/Abidjan', '2026-11-20T00:00:00Z', 0],
      ['America/Argentina/Ushuaia', '2026-11-20T00:00:00Z', -180],
      ['asia/tokyo', '2026-11-20T00:00:00Z', 540],
    ])('of %s at %s is %d minutes', (zone, at, minutes) => {
      expect(offsetAt(zone, Date.parse(at))).toBe(minutes * minuteMs);
    });

    it('is taken from another source first, if there is one that knows the zone', () => {
      askForOffsetsFirst((zone) => (zone === 'Asia/Dili' ? 1 : undefined));
      const found = ['Asia/Dili', 'Asia/Baku'].map((zone) => offsetAt(zone, Date.UTC(2026, 10, 20)));
      askForOffsetsFirst(() => undefined);

      expect(found).toEqual([1, 240 * minuteMs]);
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
});

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
  const threeDays = ['20', '21', '22'].map((day) => `2026-11-${day}T18:30:00.000Z`);

  it.each([
    ['none within a day', '2026-11-20T06:00:00.000Z', '2026-11-20T18:29:59.999Z', []],
    ['the one at the end', '2026-11-20T06:00:00.000Z', '2026-11-20T18:30:00.000Z', ['2026-11-20T18:30:00.000Z']],
    ['not the one at the beginning', '2026-11-20T18:30:00.000Z', '2026-11-20T18:31:00.000Z', []],
    ['none in an empty interval', '2026-11-20T18:30:00.000Z', '2026-11-20T18:30:00.000Z', []],
    ['none where the end is before the beginning', '2026-11-21T06:00:00.000Z', '2026-11-20T06:00:00.000Z', []],
    ['each of several days, in order', '2026-11-20T06:00:00.000Z', '2026-11-22T19:00:00.000Z', threeDays],
  ])('returns %s', (_title, after, until, expected) => {
    expect(midnights(after, until, zone)).toEqual(expected);
  });

  it('returns at most the last 31', () => {
    const found = midnights('2026-01-01T00:00:00.000Z', '2026-11-20T19:00:00.000Z', zone);

    expect([found.length, found.at(0), found.at(-1)]).toEqual([
      ...[31, '2026-10-21T18:30:00.000Z', '2026-11-20T18:30:00.000Z'],
    ]);
  });

  const zones = [
    ...['Asia/Kolkata', 'Europe/London', 'America/New_York', 'America/Havana', 'America/Santiago'],
    ...['Africa/Cairo', 'Asia/Beirut', 'Australia/Lord_Howe', 'Pacific/Chatham', 'UTC'],
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

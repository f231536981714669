import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { instantOf, isTimeZone, offsetAt, secondsFrom } from '../../../lib/core/time.ts';
import { holds } from '../../support/property.ts';

describe('instant', () => {
  const kolkata = 'Asia/Kolkata';

  /** Usual zones, and zones with half hours, quarters, a change of 30 minutes, Ramadan and a skipped day. */
  const zones = [
    'Asia/Kolkata',
    'Europe/London',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Africa/Casablanca',
    'Pacific/Chatham',
    'Pacific/Apia',
    'UTC',
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
    it.each([
      ['hyphens between the date parts', '2026-11-20 11:00:00'],
      ['colons between the date parts', '2026:11:20 11:00:00'],
      ['slashes between the date parts', '2026/11/20 11:00:00'],
      ['a T', '2026-11-20T11:00:00'],
      ['two spaces', '2026-11-20  11:00:00'],
      ['a small t', '2026-11-20t11:00:00'],
      ['Z', '2026-11-20T05:30:00Z'],
      ['Z and milliseconds', '2026-11-20T05:30:00.000Z'],
      ['a space before Z', '2026-11-20 05:30:00 Z'],
      ['an offset', '2026-11-20T11:00:00+05:30'],
      ['an offset without colon', '2026-11-20T00:30:00-0500'],
    ])('reads a time with %s', (_title, text) => {
      expect(instantOf(text, kolkata)).toEqual({ at: '2026-11-20T05:30:00.000Z' });
    });

    it.each([
      ['.5', '.500'],
      ['.123', '.123'],
      ['.123456', '.123'],
    ])('reads %s of a second as %s', (fraction, expected) => {
      expect(instantOf(`2026-11-20 11:00:00${fraction}`, kolkata)?.at).toBe(`2026-11-20T05:30:00${expected}Z`);
    });

    it.each([
      ['Europe/London', '2026-10-25 01:30:00', '2026-10-25T00:30:00.000Z'],
      ['America/New_York', '2026-11-01 01:00:00', '2026-11-01T05:00:00.000Z'],
      ['America/New_York', '2026-11-01 01:59:59', '2026-11-01T05:59:59.000Z'],
      ['Australia/Lord_Howe', '2026-04-05 01:45:00', '2026-04-04T14:45:00.000Z'],
    ])('chooses the first of two instants where clocks go back in %s at %s', (zone, text, at) => {
      expect(instantOf(text, zone)).toEqual({ at, note: 'ambiguous-local-time' });
    });

    it.each([
      ['Europe/London', '2026-03-29 01:30:00', '2026-03-29T01:30:00.000Z'],
      ['America/New_York', '2026-03-08 02:00:00', '2026-03-08T07:00:00.000Z'],
      ['Australia/Lord_Howe', '2026-10-04 02:15:00', '2026-10-03T15:45:00.000Z'],
      ['Pacific/Apia', '2011-12-30 12:00:00', '2011-12-30T22:00:00.000Z'],
    ])('moves a time later by the gap where clocks go forward in %s at %s', (zone, text, at) => {
      expect(instantOf(text, zone)).toEqual({ at, note: 'skipped-local-time', local: text });
    });

    it.each([
      ['the first', '2026-10-25T00:30:00Z', { at: '2026-10-25T00:30:00.000Z', note: 'ambiguous-local-time' }],
      ['the second', '2026-10-25T01:30:00Z', { at: '2026-10-25T01:30:00.000Z' }],
    ])('has the same note on %s of two instants as if its zone had not been sent', (_which, text, instant) => {
      expect(instantOf(text, 'Europe/London')).toEqual(instant);
    });

    it.each([
      ['the last second before clocks go back', '2026-10-25 00:59:59', '2026-10-24T23:59:59.000Z'],
      ['the first second after clocks went back', '2026-10-25 02:00:00', '2026-10-25T02:00:00.000Z'],
      ['the last second before clocks go forward', '2026-03-29 00:59:59', '2026-03-29T00:59:59.000Z'],
      ['the first second after clocks went forward', '2026-03-29 02:00:00', '2026-03-29T01:00:00.000Z'],
    ])('adds no note to %s in London', (_title, text, at) => {
      expect(instantOf(text, 'Europe/London')).toEqual({ at });
    });

    it.each([
      ['31 February', '2026-02-31 10:00:00'],
      ['29 February in a common year', '2026-02-29 10:00:00'],
      ['a month 13', '2026-13-01 10:00:00'],
      ['hour 24', '2026-11-20 24:00:00'],
      ['second 60', '2026-11-20 10:00:60'],
      ['the zero date', '0000-00-00 00:00:00'],
      ['a year of two digits', '0026-11-20 10:00:00'],
      ['a date alone', '2026-11-20'],
      ['a time alone', '10:00:00'],
      ['seconds since the epoch', '1795225731'],
      ['days before months and years', '20-11-2026 10:00:00'],
      ['words behind it', '2026-11-20 10:00:00 IST'],
      ['words before it', 'at 2026-11-20 10:00:00'],
      ['an offset of more than a day', '2026-11-20 11:00:00+99:99'],
      ['an offset of 24 hours', '2026-11-20 11:00:00+24:00'],
      ['an offset of 60 minutes', '2026-11-20 11:00:00+05:60'],
      ['an instant beyond the year 9999', '9999-12-31 23:59:59-01:00'],
      ['nothing', ''],
    ])('returns undefined for %s', (_title, text) => {
      expect(instantOf(text, kolkata)).toBeUndefined();
    });

    it.each([
      ['2026-11-20 11:00:00+23:59', '2026-11-19T11:01:00.000Z'],
      ['2026-11-20 11:00:00-23:59', '2026-11-21T10:59:00.000Z'],
      ['9999-12-31 23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ])('reads %s, which is at the limit', (text, at) => {
      expect(instantOf(text, kolkata)).toEqual({ at });
    });

    it('reads the last second of the calendar, which some write for "never", while its UTC year has four digits', () => {
      expect(instantOf('9999-12-31 23:59:59', 'Asia/Kolkata')).toEqual({ at: '9999-12-31T18:29:59.000Z' });
      expect(instantOf('9999-12-31 23:59:59', 'America/New_York')).toBeUndefined();
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

    it('agrees with the runtime’s clocks for any second around a change of clocks', () => {
      const near = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -86_400, max: 2 * 86_400 }));
      holds(
        fc.property(near, ([{ name, ms }, seconds]) => {
          const text = wallText(ms + seconds * 1000);

          expect(instantOf(text, name)).toMatchObject(expectedAt(name, text));
        }),
        1_500,
      );
    });

    it('reads a time with a zone as the same time without one, unless it is the second of two', () => {
      const near = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -86_400, max: 2 * 86_400 }));
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
    ])('reads %s', (_title, text, expected) => {
      expect(secondsFrom(text)).toBe(expected);
    });

    it.each([
      ['60 seconds', '00:00:60'],
      ['60 minutes beside hours', '01:60:00'],
      ['60 seconds beside minutes', '01:60'],
      ['a sign', '-5'],
      ['words', '5 min'],
      ['nothing', ''],
      ['an exponent', '1e3'],
      ['one digit for the seconds', '00:00:5'],
      ['four parts', '00:00:00:00'],
      ['ten digits', '1000000000'],
      ['five digits of hours', '10000:00:00'],
      ['a fraction behind a clock time', '00:00:01.5'],
    ])('returns undefined for %s', (_title, text) => {
      expect(secondsFrom(text)).toBeUndefined();
    });
  });
});

describe('time zone', () => {
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

    it.each([
      ['a zone that is always at UTC', 'Africa/Abidjan', 0],
      ['a name of several parts', 'America/Argentina/Ushuaia', -180],
      ['a name in other letters', 'asia/tokyo', 540],
    ])('of %s is right', (_title, zone, minutes) => {
      expect(offsetAt(zone, Date.UTC(2026, 10, 20))).toBe(minutes * minuteMs);
    });

    it('is the same where Date has one zone only, as in a browser', () => {
      vi.stubGlobal('process', undefined);
      const offset = offsetAt('Asia/Yangon', Date.UTC(2026, 10, 20));
      vi.unstubAllGlobals();

      expect(offset).toBe(390 * minuteMs);
    });

    it('leaves the zone of the process as it was', () => {
      const zones = [undefined, 'Asia/Tokyo'].map((own, hour) => {
        vi.stubEnv('TZ', own);
        // Another hour, as offsets are cached.
        offsetAt('Asia/Dhaka', Date.UTC(2026, 10, 20, hour));
        return [process.env['TZ'], new Date(0).getHours()];
      });
      vi.unstubAllEnvs();
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

      expect(zones).toEqual([
        [undefined, Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric' }).format(0))],
        ['Asia/Tokyo', 9],
      ]);
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantOf } from '../../../lib/time/instant-of.ts';
import { holds } from '../support/property.ts';

/** Usual zones, and those with half hours, quarters, a change of 30 minutes, Ramadan and a skipped day. */
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

/** What a clock in the zone shows at an instant: `YYYY-MM-DD HH:MM:SS`. */
const shown = (zone: (typeof zones)[number], ms: number): string => formats.get(zone)?.format(ms) ?? '';

/** All instants at which a clock shows a text, by trying every offset there is. */
const instantsShowing = (zone: (typeof zones)[number], text: string): readonly number[] => {
  const wallMs = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Array.from({ length: 2 * 4 * 15 + 1 }, (_, step) => wallMs + (step - 60) * quarterMs).filter(
    (ms) => shown(zone, ms) === text,
  );
};

/** From the year from which zones change on a quarter of an hour only. */
const second = fc.integer({ min: Date.UTC(2011, 11, 20) / 1000, max: Date.UTC(2036, 0, 1) / 1000 });
const zone = fc.constantFrom(...zones);

/** Near a change of clocks, where an hour is doubled or missing: mistakes are there. */
const changes = zones.flatMap((name) => {
  const offsets = Array.from({ length: 366 * 3 }, (_, day) => Date.UTC(2025, 0, 1 + day));
  const offsetAt = (ms: number) => Date.parse(`${shown(name, ms).replace(' ', 'T')}Z`) - ms;
  return offsets.filter((ms) => offsetAt(ms) !== offsetAt(ms + 24 * 60 * minuteMs)).map((ms) => ({ name, ms }));
});

const expectedAt = (name: (typeof zones)[number], text: string) => {
  const [first, ...others] = instantsShowing(name, text);
  if (first === undefined) return { note: 'skipped-local-time' };
  return { at: new Date(first).toISOString(), ...(others.length > 0 && { note: 'ambiguous-local-time' }) };
};

const wallText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

describe('instantOf', () => {
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
});

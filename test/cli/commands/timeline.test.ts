import { describe, expect, it } from 'vitest';
import { knownUpTo } from '../../../cli/commands/timeline.ts';
import { type BarDay, barParts, barStyles, hourScale, renderBar } from '../../../cli/output/timeline-bar.ts';
import { newFeed } from '../../../lib/agents/feed.ts';

describe('drawn day', () => {
  const [start, end] = ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'];
  const hour = (hours: number) => new Date(Date.parse(start) + hours * 3_600_000).toISOString();
  type Stretch = BarDay['intervals'][number];
  const stretch = (state: Stretch['state'], from: number, to?: number): Stretch => ({
    state,
    from: hour(from),
    ...(to !== undefined && { to: hour(to) }),
  });
  const drawn = (intervals: readonly Stretch[], upTo: number, parts = 24) =>
    renderBar({ hasColours: false }, barParts({ start, end, upTo: hour(upTo), intervals }, parts));

  describe('a drawn day', () => {
    it.each<[string, readonly Stretch[], number, number, string]>([
      ['nobody', [], 24, 6, '......'],
      ['a day to come', [], 0, 6, '      '],
      ['one state all day', [stretch('ready', 0, 24)], 24, 6, 'RRRRRR'],
      ['states one after the other', [stretch('ready', 4, 8), stretch('in-call', 8, 16)], 24, 6, '.RCC..'],
      ['an open state up to where it is known', [stretch('acw', 4)], 12, 6, '.WW   '],
      ['what filled most of a part', [stretch('ready', 0, 2.1), stretch('pause', 2.1, 4)], 24, 6, 'R.....'],
      [
        'pieces of one state together',
        [stretch('aux', 0, 1), stretch('busy', 1, 2.5), stretch('aux', 2.5, 4)],
        4,
        1,
        ' ',
      ],
      [
        'the same within what is known',
        [stretch('aux', 0, 9), stretch('busy', 9, 16), stretch('aux', 16, 24)],
        24,
        1,
        'X',
      ],
      [
        'what came first of two that filled it equally',
        [stretch('idle', 0, 2), stretch('busy', 2, 4)],
        24,
        6,
        'I.....',
      ],
      ['a state that begins and ends within a part', [stretch('busy', 5, 5.5)], 24, 6, '......'],
    ])('shows %s', (_title, intervals, upTo, parts, line) => {
      expect(drawn(intervals, upTo, parts)).toBe(line);
    });

    it('has a letter of its own for each state, and colours where there are some', () => {
      const letters = Object.values(barStyles).map(({ letter }) => letter);

      expect(new Set(letters).size).toBe(letters.length);
      expect(letters.every(({ length }) => length === 1)).toBe(true);
      expect(renderBar({ hasColours: true }, ['ready', 'ready', 'acw'])).toBe(
        '\u001B[30m\u001B[42mRR\u001B[49m\u001B[39m\u001B[30m\u001B[43mW\u001B[49m\u001B[39m',
      );
    });
  });

  describe('the scale of hours', () => {
    const utc = { day: '2026-11-21', timeZone: 'UTC', start, end };

    it.each([
      [10, '00   12'],
      [24, '00    06    12    18'],
      [48, '00    03    06    09    12    15    18    21'],
    ])('has as many as there is room for in %i characters', (width, scale) => {
      expect(hourScale(utc, width)).toBe(scale);
    });

    it('stands where hours were on a day of 23 hours, of which one never was', () => {
      const spring = {
        day: '2026-03-29',
        timeZone: 'Europe/London',
        start: '2026-03-29T00:00:00.000Z',
        end: '2026-03-29T23:00:00.000Z',
      };
      const scale = hourScale(spring, 23 * 6);

      expect(scale).toMatch(/^00 {4}0[12] {4}03 {4}04/);
      expect(scale.indexOf('23')).toBe(22 * 6);
    });
  });
});

describe('a day', () => {
  const [start, end] = ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'];
  const feed = newFeed('demo', new Date(start));
  const known = (asOf: string, now: string) =>
    knownUpTo({ freshness: 'stale', asOf, ageSeconds: 1, feed }, { start, end }, new Date(now));

  it.each([
    ['as far as the picture has come', '2026-11-21T10:00:00.000Z', '2026-11-21T12:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['not at all if the picture is older', '2026-11-20T10:00:00.000Z', '2026-11-21T12:00:00Z', start],
    ['not at all if it is to come', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00Z', start],
    ['to its end if the picture is newer', '2026-11-23T10:00:00.000Z', '2026-11-23T10:00:00Z', end],
    ['not beyond now', '2026-11-21T10:00:00.000Z', '2026-11-21T09:59:59Z', '2026-11-21T09:59:59.000Z'],
  ])('is known %s', (_title, asOf, now, upTo) => {
    expect(known(asOf, now)).toBe(upTo);
  });

  it('is not known without a picture', () => {
    expect(knownUpTo({ freshness: 'none', feed: undefined }, { start, end }, new Date(end))).toBe(start);
  });
});

import { describe, expect, it } from 'vitest';
import { type BarDay, barParts, barStyles, hourScale, renderBar } from '../../../cli/output/timeline-bar.ts';

describe('renderBar', () => {
  const [start, end] = ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'];
  const hour = (hours: number) => new Date(Date.parse(start) + hours * 3_600_000).toISOString();
  type Interval = BarDay['intervals'][number];
  const interval = (state: Interval['state'], from: number, to?: number): Interval => ({
    state,
    from: hour(from),
    ...(to !== undefined && { to: hour(to) }),
  });
  const barOf = (intervals: readonly Interval[], upTo: number, parts = 24) =>
    renderBar({ hasColours: false }, barParts({ start, end, upTo: hour(upTo), intervals }, parts));

  describe('of a day', () => {
    it.each<[string, readonly Interval[], number, number, string]>([
      ['an agent who was not logged in', [], 24, 6, '......'],
      ['a day in the future', [], 0, 6, '      '],
      ['one state all day', [interval('ready', 0, 24)], 24, 6, 'RRRRRR'],
      ['consecutive states', [interval('ready', 4, 8), interval('in-call', 8, 16)], 24, 6, '.RCC..'],
      ['an open interval up to the last poll', [interval('acw', 4)], 12, 6, '.WW   '],
      ['the state that filled most of a part', [interval('ready', 0, 2.1), interval('pause', 2.1, 4)], 24, 6, 'R.....'],
      [
        'the sum of one state within a part',
        [interval('aux', 0, 1), interval('busy', 1, 2.5), interval('aux', 2.5, 4)],
        4,
        1,
        ' ',
      ],
      [
        'the sum of one state within the known time',
        [interval('aux', 0, 9), interval('busy', 9, 16), interval('aux', 16, 24)],
        24,
        1,
        'X',
      ],
      ['the earlier of two equal shares', [interval('idle', 0, 2), interval('busy', 2, 4)], 24, 6, 'I.....'],
      ['nothing of a state too short for a part', [interval('busy', 5, 5.5)], 24, 6, '......'],
    ])('shows %s', (_title, intervals, upTo, parts, line) => {
      expect(barOf(intervals, upTo, parts)).toBe(line);
    });

    it('has one letter for each state, and colours if they are on', () => {
      const letters = Object.values(barStyles).map(({ letter }) => letter);

      expect(new Set(letters).size).toBe(letters.length);
      expect(letters.every(({ length }) => length === 1)).toBe(true);
      expect(renderBar({ hasColours: true }, ['ready', 'ready', 'acw'])).toBe(
        '\u001B[30m\u001B[42mRR\u001B[49m\u001B[39m\u001B[30m\u001B[43mW\u001B[49m\u001B[39m',
      );
    });
  });

  describe('hourScale', () => {
    const utc = { day: '2026-11-21', timeZone: 'UTC', start, end };

    it.each([
      [10, '00   12'],
      [24, '00    06    12    18'],
      [48, '00    03    06    09    12    15    18    21'],
    ])('has as many hours as fit into %i characters', (width, scale) => {
      expect(hourScale(utc, width)).toBe(scale);
    });

    it('puts each hour above its instant on a day of 23 hours', () => {
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

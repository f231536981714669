import { describe, expect, it } from 'vitest';
import { createFloor } from '../../../../sandbox/simulator/floor/floor.ts';
import { type Shifts, shiftsFor, stretchAt, worksThrough } from '../../../../sandbox/simulator/floor/shifts.ts';
import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { noon } from '../support/calls.ts';

const second = 1000;
const minute = 60 * second;
const { agents } = createFloor(seededRandom(1), 60);
const shiftsOf = (seed: number) => [...shiftsFor(seededRandom(seed), agents, noon).values()];
const times = (minutes: number, every = second) =>
  Array.from({ length: (minutes * minute) / every }, (_, index) => noon + index * every);
const stateAt = (shifts: Shifts, at: number) => stretchAt(shifts, at).state ?? 'logged out';

describe('shiftsFor', () => {
  const everybody = shiftsOf(1);

  it('is the same for the same seed, and another for another', () => {
    expect(shiftsOf(1)).toEqual(everybody);
    expect(shiftsOf(2)).not.toEqual(everybody);
  });

  it.each([20, 60])('has somebody of %i come, go and take a break within two minutes of the start', (count) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const some = [...shiftsFor(seededRandom(seed), agents.slice(0, count), noon).values()];
      const moves = times(2).flatMap((at) =>
        some.map((shifts) => [stateAt(shifts, at), stateAt(shifts, at + second)] as const),
      );
      const has = (isOne: (before: string, after: string) => boolean) => moves.some((move) => isOne(...move));

      expect(has((before, after) => before === 'logged out' && after !== 'logged out')).toBe(true);
      expect(has((before, after) => before !== 'logged out' && after === 'logged out')).toBe(true);
      expect(has((before, after) => before === 'READY' && after !== 'READY' && after !== 'logged out')).toBe(true);
    }
  });

  it('keeps most agents for long: at every time more than four of five are there, never all of them come or go', () => {
    const counts = times(60, 15 * second).map(
      (at) => everybody.filter((shifts) => stateAt(shifts, at) !== 'logged out').length,
    );

    expect(Math.min(...counts)).toBeGreaterThan(0.8 * everybody.length);
    expect(counts.every((count, index) => Math.abs(count - (counts[index - 1] ?? count)) <= 4)).toBe(true);
  });

  it('uses the words of practice for a break, in more than one letter case', () => {
    const words = new Set(everybody.flatMap((shifts) => times(60, 5 * second).map((at) => stateAt(shifts, at))));

    for (const word of ['PAUSE', 'Pause', 'AUX', 'Idle', 'BUSY', 'release']) expect(words).toContain(word);
  });
});

describe('stretchAt', () => {
  it('says how long it lasts: the next stretch begins where it ends', () => {
    for (const shifts of shiftsOf(3).slice(0, 10)) {
      let stretch = stretchAt(shifts, noon);
      while (stretch.until < noon + 60 * minute) {
        const next = stretchAt(shifts, stretch.until);

        expect(next.from).toBe(stretch.until);
        expect(stretchAt(shifts, stretch.until - 1)).toEqual(stretch);
        stretch = next;
      }
    }
  });
});

describe('worksThrough', () => {
  const [shifts] = shiftsOf(1);
  if (shifts === undefined) throw new Error('Nobody has shifts');

  it('is so exactly as long as every instant of it is spent ready', () => {
    for (const from of times(30, 20 * second))
      for (const length of [1, 30, 120, 200].map((seconds) => seconds * second)) {
        const instants = Array.from({ length: length / second }, (_, index) => from + index * second);

        expect(worksThrough(shifts, from, from + length)).toBe(instants.every((at) => stateAt(shifts, at) === 'READY'));
      }
  });
});

import { describe, expect, it } from 'vitest';
import { slowSteps, type Work, workTable } from '../../../bench/work/work-table.ts';

/** Rounds in which the floor takes 10 and 20 microseconds, and all steps so many times as long. */
const work = (name: string, times: number): Work => ({
  name,
  bytes: 1_000,
  rounds: [10, 20, 20].map((floor) => ({
    floor,
    least: floor,
    form: floor,
    open: 2 * floor,
    check: 2 * floor,
    normalise: times * floor,
  })),
  handlerUs: [900, 1_000, 5_000],
});

describe('the table of steps', () => {
  it('holds each step against the floor of the same round', () => {
    expect(workTable([work('typical', 2.5)]).rows).toEqual([
      [
        'typical',
        '1000',
        '20.0',
        '20.0 (1.0 x)',
        '20.0 (1.0 x)',
        '40.0 (2.0 x)',
        '40.0 (2.0 x)',
        '50.0 (2.5 x)',
        '1000',
      ],
    ]);
  });
});

describe('the bar of the steps', () => {
  it.each([
    ['typical', 3, []],
    ['typical', 3.5, ['A typical callback takes 3.5 x the bare decoding; the bar is 3 x.']],
    ['small', 9, []],
  ])('for a %s callback of %d x the floor: %j', (name, times, missed) => {
    expect(slowSteps([work(name, times)])).toEqual(missed);
  });
});

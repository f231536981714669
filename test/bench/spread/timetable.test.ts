import { describe, expect, it } from 'vitest';
import { timetable } from '../../../bench/spread/timetable.ts';

describe('a timetable', () => {
  it('gives back what was put down for a second, once', () => {
    const { add, take } = timetable(3);
    add(0, 7);
    add(3, 8);
    add(0, 9);

    expect([...take(0)]).toEqual([7, 9]);
    expect([...take(0)]).toEqual([]);
    expect([...take(3)]).toEqual([8]);
  });

  it('uses the place of a second that is over for a later one', () => {
    const { add, take } = timetable(1);
    add(0, 1);
    take(0);
    add(2, 2);

    expect([...take(1)]).toEqual([]);
    expect([...take(2)]).toEqual([2]);
  });

  it('has room for any number of values', () => {
    const { add, take } = timetable(1);
    const values = Array.from({ length: 5_000 }, (_, index) => index);
    for (const value of values) add(0, value);

    expect([...take(0)]).toEqual(values);
  });
});

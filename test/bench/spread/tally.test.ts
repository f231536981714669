import { describe, expect, it } from 'vitest';
import { tally } from '../../../bench/spread/tally.ts';

describe('a tally', () => {
  it('tells of a second what its busiest key took, what all took, and how many there were', () => {
    const { add, close } = tally(3);
    add(0, 2);
    add(2, 1);
    add(0, 2);

    expect(close()).toEqual({ most: 4, units: 5, keys: 2 });
  });

  it('begins each second anew', () => {
    const { add, close } = tally(1);
    add(0, 5);
    close();
    add(0, 1);

    expect(close()).toEqual({ most: 1, units: 1, keys: 1 });
    expect(close()).toEqual({ most: 0, units: 0, keys: 0 });
  });
});

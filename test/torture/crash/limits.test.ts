import { describe, expect, it } from 'vitest';
import { watchLimits } from '../../../torture/crash/limits.ts';

/** The offences after requests of processes at these seconds. */
const offencesOf = (logins: readonly (readonly [second: number, by: number])[], tokens: readonly number[] = []) => {
  let nowMs = 0;
  const limits = watchLimits(() => new Date(nowMs));
  for (const [second, by] of logins) {
    nowMs = second * 1_000;
    limits.login(by);
  }
  for (const second of tokens) {
    nowMs = second * 1_000;
    limits.token();
  }
  return limits.offences();
};

describe('a service that watches its limits', () => {
  it('minds five requests in a minute, both its ends included, no more than it minds two of one process in a slot', () => {
    expect(offencesOf([0, 1, 15, 30, 45].map((second) => [second, 1]))).toEqual([]);
  });

  it('tells of a sixth request in any minute', () => {
    expect(offencesOf([0, 15, 30, 45, 46, 60].map((second) => [second, 1]))).toEqual([
      'request 6 is more than 5 in a minute',
    ]);
    expect(offencesOf([0, 15, 30, 45, 46, 60.001].map((second) => [second, 1]))).toEqual([]);
  });

  it('tells of two processes that ask in one slot', () => {
    const two = (first: number, second: number) =>
      offencesOf([
        [first, 1],
        [second, 2],
      ]);

    expect(two(0, 14.999)).toEqual(['processes 1 and 2 asked in the same slot']);
    expect(two(14.999, 15)).toEqual([]);
  });

  it('tells of an eleventh token in an hour', () => {
    const every = (seconds: number) => Array.from({ length: 11 }, (_, index) => index * seconds);

    expect(offencesOf([], every(360))).toEqual(['token 11 is more than 10 in an hour']);
    expect(offencesOf([], every(361))).toEqual([]);
  });
});

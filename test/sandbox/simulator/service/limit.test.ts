import { describe, expect, it } from 'vitest';
import { createLimit, loginsLimit } from '../../../../sandbox/simulator/service/limit.ts';

const second = 1000;

/** Which of the requests at these seconds are within the limit of five a minute, and what was counted. */
const arriving = (...seconds: readonly number[]) => {
  let now = 0;
  const limit = createLimit({ ...loginsLimit, now: () => now });
  const within = seconds.map((at) => {
    now = at * second;
    return limit.arrive();
  });
  return { within, counts: limit.counts() };
};

describe('createLimit', () => {
  it.each<[string, readonly number[], readonly boolean[]]>([
    ['five in a minute', [0, 1, 2, 3, 4], [true, true, true, true, true]],
    ['a sixth one not', [0, 1, 2, 3, 4, 59], [true, true, true, true, true, false]],
    ['nor one a minute after the first', [0, 1, 2, 3, 4, 60], [true, true, true, true, true, false]],
    ['but one after that minute', [0, 1, 2, 3, 4, 60.001], [true, true, true, true, true, true]],
    ['a minute that begins anywhere', [50, 55, 58, 62, 65, 70], [true, true, true, true, true, false]],
    ['one every 15 seconds for ever', Array.from({ length: 9 }, (_, index) => 15 * index), Array(9).fill(true)],
    [
      'who keeps asking not',
      [0, 0, 0, 0, 0, 30, 61, 62, 63, 64, 65],
      [...Array(5).fill(true), false, true, true, true, true, false],
    ],
  ])('lets through %s', (_what, seconds, within) => {
    expect(arriving(...seconds).within).toEqual(within);
  });

  it('counts what came, what was too much, and the fullest window', () => {
    expect(arriving(0, 10, 20, 30, 40, 50, 200, 201).counts).toEqual({
      requests: 8,
      offences: 1,
      mostInAnyWindow: 6,
      requestTimes: [0, 10, 20, 30, 40, 50, 200, 201].map((at) => at * second),
    });
  });

  it('remembers the latest ten thousand requests', () => {
    const { counts } = arriving(...Array.from({ length: 10_050 }, (_, index) => 100 * index));

    expect(counts.requests).toBe(10_050);
    expect(counts.requestTimes).toHaveLength(10_000);
    expect(counts.requestTimes.at(-1)).toBe(10_049 * 100 * second);
  });
});

import type { Random } from '../../sandbox/simulator/random.ts';

/**
 * When so many posts are due, in milliseconds from the start: independent of each other and of their answers, at a rate
 * a second on average.
 */
export const arrivals = (random: Random, perSecond: number, count: number): readonly number[] => {
  const times: number[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    at += (-Math.log(1 - random()) * 1_000) / perSecond;
    times.push(at);
  }
  return times;
};

import { lineThrough } from '../../figures/line-through.ts';

/** The first rounds compile code, fill caches and start timers that run for two minutes. */
const warmUp = 1 / 3;

/** By how many bytes the memory in use grows with each case, once it is warm. */
export const bytesPerCase = (used: readonly number[], casesPerRound: number): number =>
  lineThrough(used.slice(Math.floor(used.length * warmUp)).map((value, at) => ({ at, value }))).slope / casesPerRound;

/** What is wrong with the memory, if more than so many bytes stay with each case. */
export const memoryFailures = (used: readonly number[], casesPerRound: number, most: number): readonly string[] => {
  const grown = bytesPerCase(used, casesPerRound);
  if (grown <= most) return [];
  const series = used.map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(', ');
  return [`The memory in use grows by ${Math.round(grown)} bytes with each case; after each round it was ${series} MB`];
};

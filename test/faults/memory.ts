import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { lineThrough, type Point } from '../support/statistics.ts';

/** A function that collects all garbage. V8 offers it only with a flag. */
const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 offers no garbage collection on demand');
  return () => collect();
};

/** How many bytes are in use once all garbage is collected, buffers included. */
export const usedBytes = async (): Promise<number> => {
  const collect = collector();
  // What a settled promise referred to becomes garbage a turn later.
  for (let time = 0; time < 3; time++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** A large young generation: nearly everything that a case allocates is garbage at once. */
export const threadOptions = { resourceLimits: { maxYoungGenerationSizeMb: 128 } };

/** The share of rounds to ignore: they compile code, fill caches and start timers that run for two minutes. */
const warmUp = 1 / 3;

/** How many bytes each case retains, once the process is warm: points of the bytes in use by the number of cases so far. */
export const bytesPerCase = (used: readonly Point[]): number =>
  lineThrough(used.slice(Math.floor(used.length * warmUp))).slope;

/** A failure, if each case retains more than `most` bytes. */
export const memoryFailures = (used: readonly Point[], most: number): readonly string[] => {
  const grown = bytesPerCase(used);
  if (grown <= most) return [];
  const series = used.map(({ value }) => (value / 2 ** 20).toFixed(1)).join(', ');
  return [`The memory in use grows by ${Math.round(grown)} bytes with each case. After each round it was ${series} MB`];
};

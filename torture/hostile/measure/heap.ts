import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects all garbage; V8 has it only where it was asked for. */
const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 does not let its garbage be collected');
  return () => collect();
};

/** How many bytes are in use after all garbage has gone, buffers included. */
export const usedBytes = async (): Promise<number> => {
  const collect = collector();
  // What was let go of by a promise is garbage only a turn later.
  for (let time = 0; time < 3; time++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/**
 * By how much a series rises from one to the next: the median of the slopes between all pairs, which a few outliers
 * (code that is compiled late, a buffer that grows once) do not move.
 */
export const slopeOf = (series: readonly number[]): number => {
  const slopes = series.flatMap((value, index) =>
    series.slice(index + 1).map((later, gap) => (later - value) / (gap + 1)),
  );
  const sorted = slopes.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { lineThrough } from './statistics.ts';

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

/** A large nursery: what a history or a request leaves behind is garbage at once, and so is collected seldom. */
export const threadOptions = { resourceLimits: { maxYoungGenerationSizeMb: 128 } };

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

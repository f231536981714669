import { lineThrough } from '../../support/statistics.ts';
import { bytesOf, eventOf } from './carriers.ts';
import { type GrowingPost, growingLists, growingPosts } from './growing-posts.ts';
import type { Receiver } from './receiver.ts';

export interface Growth {
  readonly name: string;
  readonly bytes: readonly number[];
  readonly cpuMs: readonly number[];
  /** The power of the size with which the time grows: 1 if it is in proportion. */
  readonly exponent: number;
}

/** The clock of CPU time has ticks of four milliseconds on some machines. */
const minMs = 40;
const maxRuns = 40;
const repeats = 3;
const longMs = 8_000;

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
};

/** The CPU time of a run: the mean of as many as the clock needs. */
const timeOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  let runs = 0;
  do {
    await run();
    runs += 1;
  } while (cpuMs(before) < minMs && runs < maxRuns);
  return cpuMs(before) / runs;
};

/** The least of several times: other work of the machine can only make it longer. */
const bestOf = async (run: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let time = 0; time < repeats; time++) times.push(await timeOf(run));
  return Math.min(...times);
};

/** The slope of the line through the logarithms. */
const exponentOf = (sizes: readonly number[], times: readonly number[]): number =>
  lineThrough(sizes.map((size, index) => ({ at: Math.log(size), value: Math.log(Math.max(times[index] ?? 0, 1e-3)) })))
    .slope;

const growthOf = async (
  name: string,
  counts: readonly number[],
  prepare: (count: number) => { readonly bytes: number; readonly run: () => Promise<unknown> },
): Promise<Growth> => {
  const bytes: number[] = [];
  const times: number[] = [];
  for (const count of counts) {
    const prepared = prepare(count);
    const before = process.threadCpuUsage();
    await prepared.run();
    const isLong = cpuMs(before) > longMs;
    bytes.push(prepared.bytes);
    times.push(isLong ? cpuMs(before) : await bestOf(prepared.run));
    // The next sizes would take minutes and show nothing new.
    if (isLong && times.length > 1) break;
  }
  return { name, bytes, cpuMs: times, exponent: exponentOf(bytes, times) };
};

/** Each size twice the one before. */
const growthSizes = {
  quick: { bytes: [240_000, 480_000, 960_000], records: [30, 60, 120], everyNth: 30 },
  full: { bytes: [60_000, 120_000, 240_000, 480_000, 960_000], records: [30, 60, 120, 240, 480], everyNth: 1 },
} as const;

/** It is 1 in proportion, about 1.1 for n log n at these sizes, and 2 for a square. */
const usualMaxExponent = 1.5;

const measurements = 3;

/** Shorter times are noise. */
const negligibleMs = 4;

export interface MeasuredGrowth extends Growth {
  readonly maxExponent: number;
}

export const grow = async (
  receiver: Receiver,
  size: keyof typeof growthSizes,
  onProgress: (line: string) => void,
): Promise<readonly MeasuredGrowth[]> => {
  const { bytes, records, everyNth } = growthSizes[size];
  const growths: MeasuredGrowth[] = [];
  const measure = async (posts: readonly GrowingPost[], sizes: readonly number[]): Promise<void> => {
    for (const { name, of, maxExponent = usualMaxExponent } of posts.filter((_, index) => index % everyNth === 0)) {
      const prepare = (count: number) => {
        const posted = of(count);
        return { bytes: bytesOf(posted), run: () => receiver.receive(eventOf(posted)) };
      };
      let growth = await growthOf(name, sizes, prepare);
      // A shared core slows down one size more than another. What grows too fast does so each time.
      for (let time = 1; time < measurements && growth.exponent > maxExponent; time++)
        growth = await growthOf(name, sizes, prepare);
      growths.push({ ...growth, maxExponent });
    }
  };
  await measure(growingPosts, bytes);
  onProgress(`${growths.length} kinds of text measured at ${bytes.length} sizes`);
  await measure(growingLists, records);
  return growths;
};

export const tooFast = (growths: readonly MeasuredGrowth[]): readonly string[] =>
  growths
    .filter(({ exponent, maxExponent, cpuMs }) => exponent > maxExponent && Math.max(...cpuMs) > negligibleMs)
    .map(({ name, bytes, cpuMs, exponent }) => {
      const times = cpuMs.map((ms, index) => `${bytes[index]} bytes ${ms.toFixed(1)} ms`).join(', ');
      return `The time of “${name}” grows with the power ${exponent.toFixed(2)} of its size: ${times}`;
    });

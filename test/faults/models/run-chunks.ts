import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { fork, seededRandom } from '../../../sandbox/simulator/random.ts';
import { lineThrough, type Point } from '../../support/statistics.ts';
import type { Figure, PartOptions } from '../parts.ts';
import type { Chunk, ChunkReport } from './model.ts';
import { modelNamed } from './models.ts';

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
const threadOptions = { resourceLimits: { maxYoungGenerationSizeMb: 128 } };

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

/** How many histories of each model are played, and in chunks of how many. */
export type Histories = Readonly<Record<string, { readonly runs: number; readonly chunk: number }>>;

/** A chunk that was played, by which thread, and what memory was in use afterwards. */
export interface PlayedChunk extends ChunkReport {
  readonly thread: number;
  readonly usedBytes: number;
}

const threads = 2;

/** After so many failures no chunk is begun any more. */
const maxFailures = 5;

/** Plays histories, in threads for the full size, and reports every chunk. */
export const runChunks = async (
  histories: Histories,
  { seed, size, onProgress }: PartOptions,
): Promise<readonly PlayedChunk[]> => {
  const chunks = chunksOf(histories, seed);
  const played: PlayedChunk[] = [];
  const onReport = (report: PlayedChunk): void => {
    played.push(report);
    const failure = report.failure === undefined ? '' : `, ${report.failure}`;
    if (played.length % 25 === 1 || failure !== '') onProgress(`${played.length} of ${chunks.length} chunks${failure}`);
  };
  const isOver = (): boolean => played.filter(({ failure }) => failure !== undefined).length >= maxFailures;
  const left = chunks[Symbol.iterator]();
  const next = (): Chunk | undefined => (isOver() ? undefined : left.next().value);

  if (size === 'full')
    await Promise.all(Array.from({ length: threads }, (_, thread) => workIn(thread, next, onReport)));
  // To start threads takes longer than the few histories of the quick size.
  else
    for (let chunk = next(); chunk !== undefined; chunk = next())
      onReport({ ...(await modelNamed(chunk.model).run(chunk)), thread: 0, usedBytes: await usedBytes() });
  return played;
};

/** A case that takes longer hangs. A thread that loops for ever cannot interrupt itself, so its parent watches it. */
const hangsAfterMs = 120_000;
const lookEveryMs = 5_000;

const workIn = async (
  thread: number,
  next: () => Chunk | undefined,
  onReport: (report: PlayedChunk) => void,
): Promise<void> => {
  const shared = new SharedArrayBuffer(4);
  const position = new Int32Array(shared);
  const worker = new Worker(new URL('chunk-worker.ts', import.meta.url), { ...threadOptions, workerData: shared });
  try {
    for (let chunk = next(); chunk !== undefined; chunk = next()) {
      worker.postMessage(chunk);
      const watch = watchFor(chunk, position);
      const done = once(worker, 'message').then(([report]) => report);
      const report = await Promise.race([done, watch.hung]).finally(watch.stop);
      onReport({ thread, ...report });
      if (report.isHung) return;
    }
  } finally {
    await worker.terminate();
  }
};

/** Watches a chunk: `hung` resolves with a failure once its position stays the same for too long. */
const watchFor = ({ model, seed }: Chunk, position: Int32Array) => {
  const { promise: hung, resolve } = Promise.withResolvers<ChunkReport & { readonly isHung: true }>();
  let seen = { number: -1, since: Date.now() };
  const timer = setInterval(() => {
    const number = Atomics.load(position, 0);
    if (number !== seen.number) seen = { number, since: Date.now() };
    if (Date.now() - seen.since <= hangsAfterMs) return;
    const failure = `${model}: case ${number} of seed ${seed} did not end in ${hangsAfterMs / 1_000} s`;
    resolve({ model, played: number, counters: {}, failure, isHung: true });
  }, lookEveryMs);
  return { hung, stop: () => clearInterval(timer) };
};

/** Chunks of all models in turn, so that a failure of any comes early. */
const chunksOf = (histories: Histories, seed: number): readonly Chunk[] => {
  const random = seededRandom(seed);
  return Object.entries(histories)
    .flatMap(([model, { runs, chunk }]) => {
      const own = fork(random);
      const count = Math.ceil(runs / chunk);
      return Array.from({ length: count }, (_, index) => ({
        at: index / count,
        chunk: { model, seed: Math.floor(own() * 2 ** 31), runs: Math.min(chunk, runs - index * chunk) },
      }));
    })
    .sort((a, b) => a.at - b.at)
    .map(({ chunk }) => chunk);
};

/** The number of histories of each model, and the sums of its counters. */
export const figuresOf = (played: readonly PlayedChunk[]): readonly Figure[] =>
  [...Map.groupBy(played, ({ model }) => model)].flatMap(([model, own]) => {
    const counters: Record<string, number> = {};
    for (const report of own)
      for (const [what, count] of Object.entries(report.counters)) counters[what] = (counters[what] ?? 0) + count;
    const counts = Object.entries(counters).map(([what, value]) => ({ what: `${model}: ${what}`, value }));
    return [{ what: `histories of ${model}`, value: own.reduce((sum, one) => sum + one.played, 0) }, ...counts];
  });

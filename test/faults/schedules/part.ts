import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fork, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import { threadOptions } from '../memory.ts';
import type { Figure, Part, PartOptions } from '../part.ts';
import type { Chunk, ChunkReport } from './model.ts';
import { modelNamed, readRegressions } from './models.ts';

/** Runs chunks on so many threads, and tells what came of each. After a failure none is begun any more. */
const runChunks = async (
  chunks: readonly Chunk[],
  threads: number,
  onReport: (report: ChunkReport) => void,
): Promise<void> => {
  const left = [...chunks];
  let hasFailed = false;

  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('chunk-worker.ts', import.meta.url), threadOptions);
    try {
      for (let chunk = left.shift(); chunk !== undefined && !hasFailed; chunk = left.shift()) {
        worker.postMessage(chunk);
        const [report]: ChunkReport[] = await once(worker, 'message');
        if (report === undefined) throw new Error('A thread reported nothing');
        hasFailed ||= report.failure !== undefined;
        onReport(report);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
};

/** How many histories of each model are played, and in chunks of how many. */
const sizes = {
  full: {
    calls: { runs: 80_000, chunk: 100 },
    agents: { runs: 5_000, chunk: 50 },
    'agents-at-ports': { runs: 15_000, chunk: 100 },
  },
  quick: {
    calls: { runs: 100, chunk: 50 },
    agents: { runs: 12, chunk: 12 },
    'agents-at-ports': { runs: 30, chunk: 30 },
  },
} as const;

const threads = 2;

/** Random histories of calls and of agents, each checked against the guarantees. */
export const schedules: Part = {
  name: 'schedules',
  what: 'random histories of posts, polls, faults, restarts and clocks',
  async run(options) {
    const failures: string[] = [];
    const reports: ChunkReport[] = [];
    const kept = await replayRegressions(failures);
    const chunks = chunksOf(options);
    const onReport = (report: ChunkReport): void => {
      reports.push(report);
      if (report.failure !== undefined) failures.push(report.failure);
      if (reports.length % 25 === 1 || report.failure !== undefined)
        options.onProgress(`${reports.length} of ${chunks.length} chunks, ${sum(reports)} histories`);
    };
    if (failures.length === 0) await runAll(chunks, options, onReport);
    return { figures: [{ what: 'kept histories', value: kept }, ...figuresOf(reports)], failures };
  },
};

const runAll = async (
  chunks: readonly Chunk[],
  { size }: PartOptions,
  onReport: (report: ChunkReport) => void,
): Promise<void> => {
  if (size === 'full') return runChunks(chunks, threads, onReport);
  // To start threads takes longer than so few histories.
  for (const chunk of chunks) onReport(await modelNamed(chunk.model).run(chunk));
};

const replayRegressions = async (failures: string[]): Promise<number> => {
  const kept = await readRegressions();
  for (const [name, { model, history }] of kept)
    await modelNamed(model)
      .replay(history)
      .catch((error: unknown) => failures.push(`${name}: ${error}`));
  return kept.size;
};

/** Long chunks of all models in turn, so that a failure of any comes early. */
const chunksOf = ({ seed, size }: PartOptions): readonly Chunk[] => {
  const random = seededRandom(seed);
  const lists = Object.entries(sizes[size]).map(([model, { runs, chunk }]) => {
    const own = fork(random);
    const count = Math.ceil(runs / chunk);
    return Array.from({ length: count }, (_, index) => ({
      at: index / count,
      chunk: { model, seed: seedFrom(own), runs: Math.min(chunk, runs - index * chunk) },
    }));
  });
  return lists
    .flat()
    .sort((a, b) => a.at - b.at)
    .map(({ chunk }) => chunk);
};

const seedFrom = (random: Random): number => Math.floor(random() * 2 ** 31);

const sum = (reports: readonly ChunkReport[]): number => reports.reduce((total, { played }) => total + played, 0);

const figuresOf = (reports: readonly ChunkReport[]): readonly Figure[] =>
  [...Map.groupBy(reports, ({ model }) => model)].flatMap(([model, own]) => {
    const tally: Record<string, number> = {};
    for (const report of own)
      for (const [what, count] of Object.entries(report.tally)) tally[what] = (tally[what] ?? 0) + count;
    const counts = Object.entries(tally).map(([what, value]) => ({ what: `${model}: ${what}`, value }));
    return [{ what: `histories of ${model}`, value: sum(own) }, ...counts];
  });

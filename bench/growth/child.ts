import { GCProfiler } from 'node:v8';
import { print, printError } from '../../sandbox/cli/run-command.ts';
import { Quantity, type Reading } from './part.ts';
import { deliveries, polls, records, type Work } from './subjects.ts';
import { startThreadedTables } from './threaded-tables.ts';

export interface Gauge {
  measure(work: Work): Promise<number>;
  /** Called while the work waits for an answer. */
  onWait(): void;
}

/** Short work is repeated until it takes so long in all, or so often. */
const minMeasuredUs = 60_000;
const maxRepetitions = 60;

/**
 * The processor time of a piece of work, in milliseconds. Only the function's thread counts, not the tables and no other
 * process. Garbage collection is in that thread if Node's flags say so.
 */
export const cpuGauge: Gauge = {
  onWait: () => undefined,
  async measure({ prepare, run }) {
    let usedUs = 0;
    let times = 0;
    while (times === 0 || (usedUs < minMeasuredUs && times < maxRepetitions)) {
      await prepare();
      const before = process.threadCpuUsage();
      await run();
      const { user, system } = process.threadCpuUsage(before);
      usedUs += user + system;
      times += 1;
    }
    return usedUs / times / 1_000;
  },
};

/** The heap is collected at the first waits, and then at one of so many: a large poll has hundreds. */
const firstWaits = 20;
const waitInterval = 16;

const collect = (): void => {
  if (globalThis.gc === undefined) throw new Error('Start Node with --expose-gc');
  globalThis.gc();
};

const heldBytes = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/**
 * How much more memory is live at the worst moment of a piece of work than before it, in megabytes: the most that a garbage
 * collection left. There is a full collection while the work waits. With a tight heap, V8 adds its own after every megabyte
 * or two, so the figure is exact to that amount.
 */
export const heapGauge = (): Gauge => {
  let waits = 0;
  return {
    onWait() {
      waits += 1;
      if (waits <= firstWaits || waits % waitInterval === 0) collect();
    },
    async measure({ prepare, run }) {
      await prepare();
      const before = heldBytes();
      waits = 0;
      const profiler = new GCProfiler();
      profiler.start();
      await run();
      const { statistics } = profiler.stop();
      const held = statistics.map(({ afterGC: { heapStatistics: heap } }) => heap.usedHeapSize + heap.externalMemory);
      return Math.max(0, ...held.map((bytes) => bytes - before)) / 2 ** 20;
    },
  };
};

const [quantity, rounds, ...names] = process.argv.slice(2);
const gauge = Quantity.parse(quantity) === 'time' ? cpuGauge : heapGauge();
const tables = startThreadedTables(gauge.onWait);
const all = [polls(tables, gauge.onWait), deliveries(tables), records(tables)];
const subjects = all.filter(({ name }) => names.includes(name));
const readings: Reading[] = [];

// The first round warms up. Each of the others visits all sizes, so that a busy minute affects all of them.
for (let round = 0; round <= Number(rounds); round++)
  for (const { name: subject, counted, base, sizes, visit } of subjects) {
    printError(`${quantity}: ${subject}, round ${round} of ${rounds}`);
    const order = round % 2 === 0 ? sizes : sizes.toReversed();
    for (const size of order)
      await visit(size, async (work, piece) => {
        const value = await gauge.measure(piece);
        if (round > 0) readings.push({ subject, counted, base, work, size, round, value });
      });
  }

await tables.stop();
print(JSON.stringify(readings));

import { GCProfiler } from 'node:v8';
import { print, printError } from '../../../sandbox/cli/run-command.ts';
import { Quantity, type Reading } from './part.ts';
import { deliveries, polls, records, type Work } from './subjects.ts';
import { startThreadedTables } from './threaded-tables.ts';

/** One way to measure work. */
export interface Gauge {
  measure(work: Work): Promise<number>;
  /** Called while the work waits for somebody else. */
  onWait(): void;
}

/** Shorter work is done again until it adds up to as much. */
const enoughUs = 60_000;
const mostTimes = 60;

/**
 * How long the processor works on a piece of work, in milliseconds. Only the thread that runs the function counts: not the
 * tables, nor what else the machine does meanwhile. Garbage is collected in that thread if Node is told so.
 */
export const cpuGauge: Gauge = {
  onWait: () => undefined,
  async measure({ prepare, run }) {
    let usedUs = 0;
    let times = 0;
    while (times === 0 || (usedUs < enoughUs && times < mostTimes)) {
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

/** So many waits are looked at from the start, and then one of so many: a large poll has hundreds. */
const always = 20;
const each = 16;

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
 * How much more memory is held at the worst moment of a piece of work than before it, in megabytes: the most that a
 * collection of garbage left. There is a full one at moments in which the work waits, and, if Node is told to let the heap hold next to
 * nothing else, V8 makes its own after some megabyte or two in between; as much may be garbage all the same, or not be seen.
 */
export const heapGauge = (): Gauge => {
  let waits = 0;
  return {
    onWait() {
      waits += 1;
      if (waits <= always || waits % each === 0) collect();
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

const [quantity, rounds, ...asked] = process.argv.slice(2);
const gauge = Quantity.parse(quantity) === 'time' ? cpuGauge : heapGauge();
const tables = startThreadedTables(gauge.onWait);
const all = [polls(tables, gauge.onWait), deliveries(tables), records(tables)];
const subjects = all.filter(({ name }) => asked.includes(name));
const readings: Reading[] = [];

// The first round warms up. Every other one visits all sizes, so that a busy minute meets all of them.
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

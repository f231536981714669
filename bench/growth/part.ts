import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { type Exponent, growthExponent, median, type Point } from '../../test/support/statistics.ts';
import { figure, type Part, type TitledTable } from '../part.ts';

export interface Growth {
  readonly subject: string;
  readonly work: string;
  readonly counted: string;
  /** The medians of all rounds, from the smallest size to the largest. */
  readonly points: readonly Point[];
  /** Undefined where it does not grow. */
  readonly fit: Exponent | undefined;
  /** The lowest and the highest exponent of a single round, which shows the noise. */
  readonly range: readonly [number, number] | undefined;
}

const fitGrowths = (readings: readonly Reading[]): readonly Growth[] =>
  [...Map.groupBy(readings, ({ subject, work }) => JSON.stringify([subject, work])).values()].flatMap((some) => {
    const [first] = some;
    return first === undefined ? [] : [fitGrowth(first, some)];
  });

const fitGrowth = ({ subject, work, counted, base }: Reading, readings: readonly Reading[]): Growth => {
  const points = pointsOf(readings);
  const fitted = (all: readonly Point[]) => growthExponent(all.filter(({ at }) => at >= base));
  const rounds = [...Map.groupBy(readings, ({ round }) => round).values()];
  const exponents = rounds.flatMap((round) => fitted(pointsOf(round))?.exponent ?? []);
  const fit = fitted(points);
  const range = exponents.length === 0 ? undefined : ([Math.min(...exponents), Math.max(...exponents)] as const);
  return { subject, work, counted, points, fit, range: fit && range };
};

const pointsOf = (readings: readonly Reading[]): readonly Point[] =>
  [...Map.groupBy(readings, ({ size }) => size)]
    .map(([at, some]) => ({ at, value: median(some.map(({ value }) => value)) }))
    .sort((a, b) => a.at - b.at);

const units: Readonly<Record<Quantity, string>> = { time: 'ms of processor time', memory: 'MB of memory' };

/** A table for each subject: a row for each size, a column for each work. */
const sizeTables = (quantity: Quantity, growths: readonly Growth[]): readonly TitledTable[] =>
  [...Map.groupBy(growths, ({ subject }) => subject)].map(([subject, works]) => {
    const [{ counted, points } = { counted: '', points: [] }] = works;
    return {
      title: `A ${subject}: ${units[quantity]}, by ${counted}`,
      table: {
        head: [counted, ...works.map(({ work }) => work)],
        rows: points.map(({ at }) => [figure(at), ...works.map((work) => figureAt(work, at))]),
      },
    };
  });

const figureAt = ({ points }: Growth, size: number): string => {
  const value = points.find(({ at }) => at === size)?.value;
  return value === undefined ? '' : value.toFixed(value < 10 ? 2 : 0);
};

const exponentTable = (all: Readonly<Record<Quantity, readonly Growth[]>>): TitledTable => ({
  title: 'Growth: the exponent beyond the smallest size; 1 is linear',
  table: {
    head: ['work', 'of', 'exponent', 'lowest and highest round', 'sizes'],
    rows: Object.entries(all).flatMap(([quantity, growths]) =>
      growths.map(({ subject, work, fit, range }) => [
        `${subject}, ${work}`,
        quantity,
        fit === undefined ? 'does not grow' : fit.exponent.toFixed(2),
        range === undefined ? '' : range.map((exponent) => exponent.toFixed(2)).join(' to '),
        fit === undefined ? '' : `${figure(Math.min(...fit.sizes))} to ${figure(Math.max(...fit.sizes))}`,
      ]),
    ),
  },
});

/** Linear growth, and some room for sorting and caches. */
const maxExponent = 1.15;

/** One sentence for each work that grows too fast. If a single round does not, the others are noise. */
const tooSteep = (quantity: Quantity, growths: readonly Growth[]): readonly string[] =>
  growths.flatMap(({ subject, work, fit, range }) =>
    fit === undefined || range === undefined || Math.min(fit.exponent, ...range) <= maxExponent
      ? []
      : [
          `${subject}, ${work}: ${quantity} grows with the exponent ${fit.exponent.toFixed(2)}; the limit is ${maxExponent}.`,
        ],
  );

/** Memory hardly differs between rounds, and is slow to measure. */
const memoryRounds = 2;

/** The growth of time and memory of polls and callbacks with their input. */
export const growth: Part = {
  name: 'growth',
  what: 'time and memory by agents of a poll, deliveries of a call and records of a post',
  async run({ repetitions, onProgress }) {
    const readings: Record<Quantity, Reading[]> = { time: [], memory: [] };
    for (const measurement of measurements) {
      const { quantity } = measurement;
      const rounds = quantity === 'time' ? repetitions : Math.min(memoryRounds, repetitions);
      readings[quantity].push(...(await runChild(measurement, rounds, onProgress)));
    }
    const time = fitGrowths(readings.time);
    const memory = fitGrowths(readings.memory);
    return {
      tables: [...sizeTables('time', time), ...sizeTables('memory', memory), exponentTable({ time, memory })],
      data: { time, memory },
      failures: [...tooSteep('time', time), ...tooSteep('memory', memory)],
    };
  },
};

/** Processor time in milliseconds, or memory in megabytes. */
export const Quantity = z.enum(['time', 'memory']);
export type Quantity = z.infer<typeof Quantity>;

export const Reading = z.object({
  subject: z.string(),
  counted: z.string(),
  base: z.int(),
  work: z.string(),
  size: z.int(),
  round: z.int(),
  value: z.number(),
});
export type Reading = z.infer<typeof Reading>;

const child = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Garbage is collected in the function's thread, so that its time counts. */
const baseFlags = ['--expose-gc', '--single-threaded-gc'];

/** V8 may hold little beside live objects, so that the heap shows what the work needs. */
const tightHeapFlags = [
  '--max-semi-space-size=1',
  '--no-incremental-marking',
  '--optimize-for-size',
  '--heap-growing-percent=5',
];

/** Subjects that are measured in one process. */
export interface Measurement {
  readonly quantity: Quantity;
  readonly subjects: readonly string[];
  readonly flags: readonly string[];
}

/** A list allocates so little that every collection can be a full one. With many agents that would take hours. */
export const measurements: readonly Measurement[] = [
  { quantity: 'time', subjects: ['poll', 'delivery', 'list'], flags: baseFlags },
  { quantity: 'memory', subjects: ['poll', 'delivery'], flags: [...baseFlags, ...tightHeapFlags] },
  { quantity: 'memory', subjects: ['list'], flags: [...baseFlags, '--max-semi-space-size=1', '--gc-global'] },
];

/** Measures in a new process. Rejects if that fails. */
export const runChild = async (
  { quantity, subjects, flags }: Measurement,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<readonly Reading[]> => {
  const running = spawn(process.execPath, [...flags, child, quantity, String(rounds), ...subjects], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const last: string[] = [];
  createInterface(running.stderr).on('line', (line) => {
    last.push(line);
    onProgress(line);
  });
  const [output, [code]] = await Promise.all([text(running.stdout), once(running, 'close')]);
  if (code !== 0) throw new Error(`The measurement of ${quantity} ended with ${code}:\n${last.slice(-20).join('\n')}`);
  return z.array(Reading).parse(JSON.parse(output));
};

import { memoryMegabytes } from '../../functions/limits.ts';
import { processorShare } from '../lambda/processor-share.ts';
import type { Counts } from '../meter/counts.ts';
import { dollarFigure, figure, type Table } from '../part.ts';
import { dollarsOf } from './prices.ts';

/** The processor time of a function in milliseconds, as measured, and how often its process starts, as assumed. */
interface FunctionTimes {
  readonly name: 'receive-callback' | 'publish-changes' | 'poll-agents' | 'forward-deliveries' | 'archive-recordings';
  /** From the start to the first request for work, with a whole processor. Lambda charges it since August 2025. */
  readonly initMs: number;
  /** What the first run takes beyond a later one. */
  readonly firstRunExtraMs: number;
  readonly runMs: number;
  /** The runs of a process on average. AWS documents none. */
  readonly runsPerStart: number;
}

/**
 * By `npm run bench -- start polls` on 2026-11-29, which measures the first runs of a process: later ones take less. A run of
 * `forward-deliveries` or `archive-recordings` was not measured: it counts as a run of the receiver.
 */
const functionTimes = {
  receiver: { name: 'receive-callback', initMs: 75, firstRunExtraMs: 53, runMs: 6.5, runsPerStart: 50 },
  publisher: { name: 'publish-changes', initMs: 70, firstRunExtraMs: 38, runMs: 3.7, runsPerStart: 50 },
  // Lambda replaces a process after some two hours: both of the poller have a tick every half a minute.
  poller: { name: 'poll-agents', initMs: 70, firstRunExtraMs: 102, runMs: 18, runsPerStart: 240 },
  forwarder: { name: 'forward-deliveries', initMs: 65, firstRunExtraMs: 45, runMs: 6.5, runsPerStart: 50 },
  archiver: { name: 'archive-recordings', initMs: 90, firstRunExtraMs: 30, runMs: 6.5, runsPerStart: 50 },
} as const satisfies Readonly<Record<string, FunctionTimes>>;

export type Worker = keyof typeof functionTimes;

const workers = Object.keys(functionTimes) as readonly Worker[];

export const runsOf = (counts: Counts): number => workers.reduce((runs, worker) => runs + counts[`${worker}Runs`], 0);

/** What is charged for a start besides a usual run, in milliseconds. */
const startMs = ({ initMs, firstRunExtraMs }: FunctionTimes, megabytes: number): number =>
  initMs + firstRunExtraMs / processorShare(megabytes);

interface GigabyteSeconds {
  readonly ofRuns: number;
  readonly ofStarts: number;
}

/** The time of a tick whose slot was polled by another one: it reads one row, as a run with one request does. */
const takenSlotMs = 5;

const processorMs = (worker: Worker, counts: Counts): number => {
  const runs = counts[`${worker}Runs`];
  const { runMs } = functionTimes[worker];
  // A poll is a request to the telephony service.
  const polls = counts.serviceCalls;
  if (worker === 'poller') return polls * runMs + (runs - polls) * takenSlotMs;
  return runs * runMs;
};

/** For how long the runs of a function are charged, with this memory. */
const chargedMs = (worker: Worker, counts: Counts, megabytes: number): number =>
  processorMs(worker, counts) / processorShare(megabytes) + counts[`${worker}WaitMs`];

const gigabyteSecondsOf = (worker: Worker, counts: Counts, megabytes: number): GigabyteSeconds => {
  const times = functionTimes[worker];
  const starts = counts[`${worker}Runs`] / times.runsPerStart;
  const gigabyteSeconds = (ms: number) => (ms / 1_000) * (megabytes / 1_024);
  return {
    ofRuns: gigabyteSeconds(chargedMs(worker, counts, megabytes)),
    ofStarts: gigabyteSeconds(starts * startMs(times, megabytes)),
  };
};

/** What all functions are charged for, each with its memory. */
export const lambdaGigabyteSeconds = (counts: Counts): GigabyteSeconds => {
  const all = workers.map((worker) => gigabyteSecondsOf(worker, counts, memoryMegabytes[functionTimes[worker].name]));
  return {
    ofRuns: all.reduce((sum, { ofRuns }) => sum + ofRuns, 0),
    ofStarts: all.reduce((sum, { ofStarts }) => sum + ofStarts, 0),
  };
};

const comparedMegabytes = [512, 1_024, 1_769] as const;

interface Month {
  readonly title: string;
  readonly counts: Counts;
}

/** What each function would cost a month with more memory. The milliseconds of a run are those of the first month. */
export const memoryTable = (months: readonly Month[]): Table => ({
  head: [
    'Function',
    'MB',
    'ms a run',
    'ms a start',
    'GB-ms a run, with its starts',
    ...months.map(({ title }) => title),
  ],
  rows: (['receiver', 'publisher', 'poller'] as const).flatMap((worker) =>
    comparedMegabytes.map((megabytes) => memoryRow(worker, megabytes, months)),
  ),
});

const memoryRow = (worker: Worker, megabytes: number, months: readonly Month[]): readonly string[] => {
  const usual = months[0]?.counts;
  if (usual === undefined) throw new Error('A table of memory needs a month');
  const times = functionTimes[worker];
  const start = startMs(times, megabytes);
  const runMs = chargedMs(worker, usual, megabytes) / usual[`${worker}Runs`];
  return [
    megabytes === memoryMegabytes[times.name] ? `**${times.name}**` : times.name,
    figure(megabytes),
    runMs.toFixed(0),
    start.toFixed(0),
    (((runMs + start / times.runsPerStart) * megabytes) / 1_024).toFixed(0),
    ...months.map((month) => {
      const { ofRuns, ofStarts } = gigabyteSecondsOf(worker, month.counts, megabytes);
      return dollarFigure(dollarsOf({ lambdaGigabyteSeconds: ofRuns + ofStarts }));
    }),
  ];
};

/** What the figures of Lambda stand on, as sentences. */
export const lambdaAssumptions = (): readonly string[] => {
  const all = workers.map((worker) => functionTimes[worker]);
  const shown = (of: (times: FunctionTimes) => number) => all.map((times) => figure(of(times))).join(', ');
  const names = all.map(({ name }) => name).join(', ');
  const runs = shown(({ runMs }) => runMs);
  const memory = shown(({ name }) => memoryMegabytes[name]);
  const runsPerStart = shown(({ runsPerStart }) => runsPerStart);
  const starts = shown(({ initMs }) => initMs);
  const firstRuns = shown(({ firstRunExtraMs }) => firstRunExtraMs);
  return [
    `A run takes of a processor ${runs} ms (${names}), of which a function has the share of its memory: ${memory} MB.`,
    `One run in ${runsPerStart} starts a process: ${starts} ms with a whole processor until it asks for work, and ` +
      `${firstRuns} ms more in its first run. A tick whose slot was polled takes ${takenSlotMs} ms.`,
  ];
};

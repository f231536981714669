import { memoryMegabytes } from '../../functions/limits.ts';
import { processorShare } from '../lambda/processor-share.ts';
import type { Counts } from '../meter/counts.ts';
import { dollarFigure, figure, type Table } from '../part.ts';
import { dollarsOf } from './prices.ts';

/** What a function takes of a processor in milliseconds, as measured, and how often it starts, which is assumed. */
interface Work {
  readonly name: 'receive-callback' | 'publish-changes' | 'poll-agents' | 'forward-deliveries' | 'archive-recordings';
  /** Until it asks for work, with a whole processor. Lambda charges it since August 2025. */
  readonly init: number;
  /** By how much the first run takes more than a later one. */
  readonly first: number;
  readonly run: number;
  /** The runs of a process on average. AWS documents none. */
  readonly runsAStart: number;
}

/**
 * By `npm run bench -- start polls` on 2026-11-29, which measures the first runs of a process: later ones take less. A run of
 * `forward-deliveries` or `archive-recordings` was not measured: it counts as a run of the receiver.
 */
const work = {
  receiver: { name: 'receive-callback', init: 75, first: 53, run: 6.5, runsAStart: 50 },
  publisher: { name: 'publish-changes', init: 70, first: 38, run: 3.7, runsAStart: 50 },
  // Lambda replaces a process after some two hours: both of the poller have a tick every half a minute.
  poller: { name: 'poll-agents', init: 70, first: 102, run: 18, runsAStart: 240 },
  forwarder: { name: 'forward-deliveries', init: 65, first: 45, run: 6.5, runsAStart: 50 },
  archiver: { name: 'archive-recordings', init: 90, first: 30, run: 6.5, runsAStart: 50 },
} as const satisfies Readonly<Record<string, Work>>;

export type Worker = keyof typeof work;

const workers = Object.keys(work) as readonly Worker[];

export const runsOf = (counts: Counts): number => workers.reduce((runs, worker) => runs + counts[`${worker}Runs`], 0);

/** What is charged for a start besides a usual run, in milliseconds. */
const startMs = ({ init, first }: Work, megabytes: number): number => init + first / processorShare(megabytes);

interface Charged {
  readonly runs: number;
  readonly starts: number;
}

/** What a tick takes whose slot was polled already: it reads a row, as long as another function's run with one request. */
const takenSlotMs = 5;

const processorMs = (worker: Worker, counts: Counts): number => {
  const runs = counts[`${worker}Runs`];
  const { run } = work[worker];
  // A poll is a request to the telephony service.
  return worker === 'poller' ? counts.serviceCalls * run + (runs - counts.serviceCalls) * takenSlotMs : runs * run;
};

const gigabyteSecondsOf = (worker: Worker, counts: Counts, megabytes: number): Charged => {
  const runs = counts[`${worker}Runs`];
  const gigabyteSeconds = (ms: number) => (ms / 1_000) * (megabytes / 1_024);
  return {
    runs: gigabyteSeconds(processorMs(worker, counts) / processorShare(megabytes) + counts[`${worker}WaitMs`]),
    starts: gigabyteSeconds((runs / work[worker].runsAStart) * startMs(work[worker], megabytes)),
  };
};

/** What all functions are charged for, each with its memory. */
export const lambdaGigabyteSeconds = (counts: Counts): Charged => {
  const all = workers.map((worker) => gigabyteSecondsOf(worker, counts, memoryMegabytes[work[worker].name]));
  return {
    runs: all.reduce((sum, { runs }) => sum + runs, 0),
    starts: all.reduce((sum, { starts }) => sum + starts, 0),
  };
};

const memories = [512, 1_024, 1_769] as const;

/** What each function would cost a month with more memory, by the counts of each month. */
export const memoryTable = (months: readonly { readonly title: string; readonly counts: Counts }[]): Table => ({
  head: [
    'Function',
    'MB',
    'ms a run',
    'ms a start',
    'GB-ms a run, with its starts',
    ...months.map(({ title }) => title),
  ],
  rows: (['receiver', 'publisher', 'poller'] as const).flatMap((worker) =>
    memories.map((megabytes) => {
      const { name, runsAStart } = work[worker];
      const start = startMs(work[worker], megabytes);
      const [{ counts } = { counts: undefined }] = months;
      const ofRuns = counts && processorMs(worker, counts) / processorShare(megabytes) + counts[`${worker}WaitMs`];
      const runMs = (ofRuns ?? 0) / (counts?.[`${worker}Runs`] ?? 1);
      return [
        megabytes === memoryMegabytes[name] ? `**${name}**` : name,
        figure(megabytes),
        runMs.toFixed(0),
        start.toFixed(0),
        (((runMs + start / runsAStart) * megabytes) / 1_024).toFixed(0),
        ...months.map(({ counts }) => {
          const { runs, starts } = gigabyteSecondsOf(worker, counts, megabytes);
          return dollarFigure(dollarsOf({ lambdaGigabyteSeconds: runs + starts }));
        }),
      ];
    }),
  ),
});

/** What the figures of Lambda stand on, as sentences. */
export const lambdaAssumptions = (): readonly string[] => {
  const named = workers.map((worker) => work[worker]);
  const shown = (of: (one: Work) => number) => named.map((one) => figure(of(one))).join(', ');
  return [
    `A run takes of a processor ${shown(({ run }) => run)} ms (${named.map(({ name }) => name).join(', ')}), of which a function has ` +
      `the share of its memory: ${named.map(({ name }) => figure(memoryMegabytes[name])).join(', ')} MB.`,
    `One run in ${shown(({ runsAStart }) => runsAStart)} starts a process: ${shown(({ init }) => init)} ms with a whole processor until it ` +
      `asks for work, and ${shown(({ first }) => first)} ms more in its first run. A tick whose slot was polled takes ${takenSlotMs} ms.`,
  ];
};

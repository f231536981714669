import { memoryMegabytes } from '../../functions/limits.ts';
import { processorShare } from '../lambda/processor-share.ts';
import type { Counts } from '../meter.ts';
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
 * By `npm run bench -- start polls` on 2026-11-29, which measures the first runs of a process: later ones take less. What a run of
 * `forward-deliveries` and `archive-recordings` takes was not measured: that of the receiver is taken.
 */
const work = {
  receiver: { name: 'receive-callback', init: 65, first: 60, run: 5, runsAStart: 50 },
  publisher: { name: 'publish-changes', init: 60, first: 40, run: 3, runsAStart: 50 },
  // Lambda replaces a process after some two hours: both of the poller have a tick every half a minute.
  poller: { name: 'poll-agents', init: 60, first: 100, run: 20, runsAStart: 240 },
  forwarder: { name: 'forward-deliveries', init: 60, first: 40, run: 5, runsAStart: 50 },
  archiver: { name: 'archive-recordings', init: 75, first: 40, run: 5, runsAStart: 50 },
} as const satisfies Readonly<Record<string, Work>>;

export type Worker = keyof typeof work;

const workers = Object.keys(work) as readonly Worker[];

export const runsOf = (counts: Counts): number => workers.reduce((runs, worker) => runs + counts[`${worker}Runs`], 0);

/** What is charged for a start besides its first run, and for a run without what it waits for, in milliseconds. */
const chargedMs = ({ init, first, run }: Work, megabytes: number) => {
  const share = processorShare(megabytes);
  return { start: init + first / share, run: run / share };
};

interface Charged {
  readonly runs: number;
  readonly starts: number;
}

const gigabyteSecondsOf = (worker: Worker, counts: Counts, megabytes: number): Charged => {
  const charged = chargedMs(work[worker], megabytes);
  const runs = counts[`${worker}Runs`];
  const gigabyteSeconds = (ms: number) => (ms / 1_000) * (megabytes / 1_024);
  return {
    runs: gigabyteSeconds(runs * charged.run + counts[`${worker}WaitMs`]),
    starts: gigabyteSeconds((runs / work[worker].runsAStart) * charged.start),
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
      const charged = chargedMs(work[worker], megabytes);
      const [first] = months;
      const waitMs = first === undefined ? 0 : first.counts[`${worker}WaitMs`] / first.counts[`${worker}Runs`];
      const runMs = charged.run + waitMs;
      return [
        megabytes === memoryMegabytes[name] ? `**${name}**` : name,
        ...[figure(megabytes), runMs.toFixed(0), charged.start.toFixed(0)],
        (((runMs + charged.start / runsAStart) * megabytes) / 1_024).toFixed(0),
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
      `asks for work, and ${shown(({ first }) => first)} ms more in its first run.`,
  ];
};

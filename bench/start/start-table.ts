import type { Table } from '../costs/table.ts';
import { median, percentile } from '../percentile.ts';
import type { Started } from './start-once.ts';

/** The starts of one bundle, a round each. */
export interface Start {
  readonly name: string;
  readonly bytes: number;
  /** The name of the bundle that it is held against. */
  readonly bare: string | undefined;
  readonly rounds: readonly Started[];
}

/** How much longer a function may take until it is ready than the AWS clients that it uses. */
const mostTimesBare = 1.15;

/** The function that somebody waits for: the bar is for this one. */
const barred = 'receive-callback';

/** The median of what each round says by itself, so that a slow minute of the machine weighs on both sides. */
const timesBare = (starts: readonly Start[], { bare, rounds }: Start): number | undefined => {
  const other = starts.find(({ name }) => name === bare);
  if (other === undefined || rounds.length === 0) return undefined;
  return median(rounds.map(({ readyMs }, round) => readyMs / (other.rounds[round]?.readyMs ?? Number.NaN)));
};

const head = ['Bundle', 'KB', 'ready', '10 % to 90 %', 'times its clients', 'first reply', 'MB in memory'] as const;

/** One bundle a row. */
export const startTable = (starts: readonly Start[]): Table => ({
  head,
  rows: starts.map((start) => {
    const ready = start.rounds.map(({ readyMs }) => readyMs);
    return [
      start.name,
      (start.bytes / 1_000).toFixed(0),
      median(ready).toFixed(1),
      `${percentile(ready, 0.1).toFixed(1)} to ${percentile(ready, 0.9).toFixed(1)}`,
      timesBare(starts, start)?.toFixed(2) ?? '',
      median(start.rounds.map(({ replyMs }) => replyMs)).toFixed(1),
      (median(start.rounds.map(({ rssBytes }) => rssBytes)) / 1e6).toFixed(0),
    ];
  }),
});

/** What is above the bar. */
export const slowStarts = (starts: readonly Start[]): readonly string[] =>
  starts
    .filter(({ name }) => name === barred)
    .flatMap((start) => {
      const times = timesBare(starts, start) ?? Number.NaN;
      return times <= mostTimesBare
        ? []
        : [`${start.name} is ready after ${times.toFixed(2)} x its bare AWS clients; the bar is ${mostTimesBare} x.`];
    });

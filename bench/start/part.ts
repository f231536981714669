import { memoryMegabytes } from '../../functions/limits.ts';
import { median, percentile } from '../../test/support/statistics.ts';
import { lendsShares } from '../lambda/processor-share.ts';
import { type Part, type Table, withTemporaryFolder } from '../part.ts';
import { measuredBundles, peerNames, receiver } from './bundles.ts';
import {
  type Figure,
  measureStarts,
  ratioOf,
  type StartedBundle,
  type Starts,
  type Surroundings,
  valuesOf,
} from './starts.ts';

const far = 'AWS answers after 10 ms, and after 50 ms on a new connection';

/** As fast as a core is: what a bundle takes by itself. */
const atOnce: Surroundings = { title: 'A whole core. AWS answers at once', hasDelays: false };
const withDelays: Surroundings = { title: `A whole core. ${far}`, hasDelays: true };

/**
 * As on Lambda: the share of a processor that goes with the memory. That a function has a whole processor until it asks for work,
 * for ten seconds at most, is said by people of AWS (https://docs.aws.amazon.com/prescriptive-guidance/) and not by the manual of
 * Lambda, so it is measured without that too.
 */
const shareOnceReady: Surroundings = {
  title: `The share of the memory, once it is ready. ${far}`,
  hasDelays: true,
  shareFrom: 'ready',
};
const shareFromStart: Surroundings = {
  title: `The share of the memory, from the start. ${far}`,
  hasDelays: true,
  shareFrom: 'start',
};

interface Measured {
  readonly surroundings: Surroundings;
  readonly starts: readonly Starts[];
}

/** How many times as long as another bundle one may take. */
interface Limit {
  readonly name: string;
  readonly figure: 'readyMs' | 'replyMs';
  readonly comparedWith: string;
  readonly most: number;
}

const clientsLimit = 1.1;

/** What is measured may not become slower than it was when the limit was set: docs/performance.md has the figures. */
const limits: ReadonlyMap<Surroundings, readonly Limit[]> = new Map([
  [atOnce, [{ name: receiver, figure: 'replyMs', comparedWith: peerNames.powertools, most: 1.05 }]],
  [
    withDelays,
    [
      { name: receiver, figure: 'replyMs', comparedWith: peerNames.plain, most: 1.15 },
      { name: receiver, figure: 'readyMs', comparedWith: peerNames.plain, most: 1.34 },
    ],
  ],
  [
    shareOnceReady,
    [
      { name: receiver, figure: 'replyMs', comparedWith: peerNames.plainAsDeployed, most: 0.95 },
      { name: receiver, figure: 'replyMs', comparedWith: peerNames.powertoolsAsDeployed, most: 0.75 },
      { name: receiver, figure: 'readyMs', comparedWith: peerNames.plainAsDeployed, most: 0.8 },
    ],
  ],
]);

const startsOf = ({ starts }: Measured, name: string | undefined, memory: number): Starts | undefined =>
  starts.find((each) => each.name === name && each.memory === memory);

const slowStarts = (measured: Measured): readonly string[] => {
  const { surroundings, starts } = measured;
  const ofClients: readonly Limit[] =
    surroundings === withDelays
      ? starts.flatMap(({ name, comparedWith }) =>
          comparedWith === undefined || name === receiver
            ? []
            : [{ name, figure: 'replyMs', comparedWith, most: clientsLimit }],
        )
      : [];
  return [...(limits.get(surroundings) ?? []), ...ofClients].flatMap(({ name, figure, comparedWith, most }) =>
    starts
      .filter((each) => each.name === name)
      .flatMap((each) => {
        const ratio = ratioOf(each, startsOf(measured, comparedWith, each.memory), figure);
        if (ratio === undefined || ratio <= most) return [];
        const what = figure === 'readyMs' ? 'is ready' : 'has replied';
        return [
          `${name} with ${each.memory} MB ${what} after ${ratio.toFixed(2)} x the time of ${comparedWith}; ` +
            `the limit is ${most} x (${surroundings.title}).`,
        ];
      }),
  );
};

const medianOf = (starts: Starts | undefined, figure: Figure, digits = 0): string => {
  const values = starts === undefined ? [] : valuesOf(starts, figure);
  return values.length === 0 ? '' : median(values).toFixed(digits);
};

const spreadOf = (starts: Starts, figure: Figure): string => {
  const values = valuesOf(starts, figure);
  return `${percentile(values, 0.1).toFixed(0)} to ${percentile(values, 0.9).toFixed(0)}`;
};

const wholeCoreTable = (measured: Measured): Table => ({
  head: [
    'Bundle',
    'KB',
    'ready',
    '10 % to 90 %',
    'ratio',
    'first reply',
    '10 % to 90 %',
    'ratio',
    'MB',
    'compared with',
  ],
  rows: measured.starts.map((starts) => {
    const timesOf = (figure: Figure) => [
      medianOf(starts, figure, 1),
      spreadOf(starts, figure),
      ratioOf(starts, startsOf(measured, starts.comparedWith, starts.memory), figure)?.toFixed(2) ?? '',
    ];
    return [
      starts.name,
      (starts.bytes / 1_000).toFixed(0),
      ...timesOf('readyMs'),
      ...timesOf('replyMs'),
      (median(starts.rounds.map(({ rssBytes }) => rssBytes)) / 1e6).toFixed(0),
      starts.comparedWith ?? '',
    ];
  }),
});

/** At the share: what a sender waits for, and the processor time that is paid for. */
const shareTable = (onceReady: Measured, fromStart: Measured): Table => ({
  head: [
    'Function',
    'MB',
    'ready',
    'first reply',
    '10 % to 90 %',
    'init at the share too: ready',
    'first reply',
    'warm reply',
    'processor time until the first reply',
    'of a warm run',
  ],
  rows: onceReady.starts.map((starts) => {
    const slower = startsOf(fromStart, starts.name, starts.memory);
    return [
      starts.name,
      String(starts.memory),
      medianOf(starts, 'readyMs'),
      medianOf(starts, 'replyMs'),
      spreadOf(starts, 'replyMs'),
      medianOf(slower, 'readyMs'),
      medianOf(slower, 'replyMs'),
      medianOf(starts, 'warmMs'),
      medianOf(starts, 'processorMs'),
      medianOf(starts, 'warmProcessorMs', 1),
    ];
  }),
});

/** How many times as long as each peer ours takes at the same memory and share. */
const receiverTable = (onceReady: Measured, fromStart: Measured): Table => ({
  head: ['receive-callback', 'MB', 'ready', 'first reply', 'first reply, init at the share too', 'warm reply'],
  rows: Object.values(peerNames).flatMap((peer) =>
    onceReady.starts
      .filter(({ name }) => name === receiver)
      .map((ours) => {
        const ratio = (measured: Measured, figure: Figure): string => {
          const own = startsOf(measured, receiver, ours.memory);
          return (own && ratioOf(own, startsOf(measured, peer, ours.memory), figure)?.toFixed(2)) ?? '';
        };
        return [
          `compared with ${peer}`,
          String(ours.memory),
          ratio(onceReady, 'readyMs'),
          ratio(onceReady, 'replyMs'),
          ratio(fromStart, 'replyMs'),
          ratio(onceReady, 'warmMs'),
        ];
      }),
  ),
});

/** The time from the start of a process until it asks for work, and until its first reply. */
export const start: Part = {
  name: 'start',
  what: 'start of each function, with a whole core and with the share of its memory, compared with two peers',
  run: (settings) =>
    withTemporaryFolder(async (folder) => {
      if (!lendsShares()) settings.onProgress('this machine lends no shares: every function has a whole core');
      settings.onProgress('bundling');
      const bundles = await measuredBundles(folder);
      const ours = bundles.withOurSettings.map((each) => ({ ...each, memory: memoryMegabytes[each.functionName] }));
      const deployed = bundles.asDeployed.flatMap((each) =>
        (settings.memory ?? [memoryMegabytes[each.functionName]]).map((memory) => ({ ...each, memory })),
      );
      const measure = async (of: readonly StartedBundle[], surroundings: Surroundings): Promise<Measured> => ({
        surroundings,
        starts: await measureStarts(of, surroundings, settings),
      });
      const wholeCore = [await measure(ours, atOnce), await measure(ours, withDelays)];
      const onceReady = await measure(deployed, shareOnceReady);
      const fromStart = await measure(deployed, shareFromStart);
      const all = [...wholeCore, onceReady, fromStart];
      return {
        tables: [
          ...wholeCore.map((measured) => ({
            title: `From the start of the process, in milliseconds. ${measured.surroundings.title}`,
            table: wholeCoreTable(measured),
          })),
          {
            title: `From the start of the process, in milliseconds. ${onceReady.surroundings.title}${lendsShares() ? '' : '. This machine lends no shares: a whole core was measured'}`,
            table: shareTable(onceReady, fromStart),
          },
          { title: 'The receiver at the share, as a ratio', table: receiverTable(onceReady, fromStart) },
        ],
        data: all.map(({ surroundings: { title }, starts }) => ({ title, starts })),
        failures: all.flatMap(slowStarts),
      };
    }),
};

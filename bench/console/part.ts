import { startBrowser } from '../../test/cli/console/browser.ts';
import { startSandboxChild } from '../../test/faults/endurance/sandbox-child.ts';
import { flatness, lineThrough, median } from '../../test/support/statistics.ts';
import { figure, type Part, type Table } from '../part.ts';
import { type Carried, type LoadSize, startLoad } from './load.ts';
import { startConsole } from './served-console.ts';
import { type MemorySample, views, type WatchedView, watchView } from './watch-view.ts';

/**
 * On two cores the sandbox, its DynamoDB Local and the browser carry no more changes than these: an agent changes every two
 * and a half minutes, and each poll finds some who have changed.
 */
const size: LoadSize = { agents: 3_000, changing: 300, callsASecond: 50 };

const limits = { taskMs: 100, reads: 2, pageGrowthMb: 1, serverGrowthMb: 5, shareOfCalls: 0.9 };

const series = [
  { name: 'pageMb', what: 'memory of the page', allowed: limits.pageGrowthMb },
  { name: 'serverHeapMb', what: 'memory of the server', allowed: limits.serverGrowthMb },
] as const;

const pointsOf = (samples: readonly MemorySample[], name: Exclude<keyof MemorySample, 'at'>) =>
  samples.map(({ at, [name]: value }) => ({ at, value }));

/** One sentence for each limit that a view missed. */
const missedBy = ({ view, longestTasks, samples, reads }: WatchedView): readonly string[] => {
  const task = longestTasks.length === 0 ? Number.NaN : median(longestTasks);
  const most = mostReads(reads);
  return [
    ...(task < limits.taskMs
      ? []
      : [
          `${view}: the longest task takes ${taskText(task)} at the median of updates; the limit is ${limits.taskMs} ms.`,
        ]),
    ...Object.entries(most).flatMap(([table, count]) =>
      count <= limits.reads
        ? []
        : [`${view}: a refresh takes ${count} reads of the table of ${table}; the limit is ${limits.reads}.`],
    ),
    ...series.flatMap(({ name, what, allowed }) => {
      const { growth, bound, isFlat } = flatness(pointsOf(samples, name), allowed);
      return isFlat ? [] : [`${view}: the ${what} grew by ${figure(growth)} MB; the limit is ${figure(bound)} MB.`];
    }),
  ];
};

const mostReads = (reads: WatchedView['reads']): Readonly<Record<string, number>> => {
  const most: Record<string, number> = {};
  for (const [table, count] of reads.flatMap((refresh) => Object.entries(refresh)))
    most[table] = Math.max(most[table] ?? 0, count);
  return most;
};

/** The browser reports only tasks of 50 ms and more. */
const taskText = (ms: number): string => (ms < 50 ? '< 50 ms' : `${Math.round(ms)} ms`);

const tableOf = (watched: readonly WatchedView[]): Table => ({
  head: [
    'view',
    'updates',
    'longest task, median',
    'of all updates',
    'page, first to last',
    'a minute',
    'nodes',
    'server’s heap',
    'a minute',
    'server in all',
    'reads a refresh: calls, agents',
  ],
  rows: watched.map(({ view, longestTasks, samples, reads }) => {
    const ends = (name: Exclude<keyof MemorySample, 'at'>): string =>
      [samples[0], samples.at(-1)].map((sample) => figure(sample?.[name] ?? Number.NaN)).join(' to ');
    const slope = (name: Exclude<keyof MemorySample, 'at'>): string =>
      `${lineThrough(pointsOf(samples, name)).slope.toFixed(2)} MB`;
    const { calls = 0, agents = 0 } = mostReads(reads);
    return [
      ...[view, figure(longestTasks.length)],
      ...(longestTasks.length === 0 ? ['', ''] : [median(longestTasks), Math.max(...longestTasks)].map(taskText)),
      ...[`${ends('pageMb')} MB`, slope('pageMb'), ends('nodes')],
      ...[`${ends('serverHeapMb')} MB`, slope('serverHeapMb'), `${ends('serverRssMb')} MB`],
      `${calls}, ${agents}`,
    ];
  }),
});

const titleOf = ({ seconds, stored, notStored, polls }: Carried, minutes: number): string =>
  `${figure(size.agents)} agents, ${size.changing} of them change before each poll; each view for ` +
  `${minutes === 1 ? 'a minute' : `${minutes} minutes`}. In ${figure(seconds / 60)} minutes the sandbox stored ` +
  `${figure(stored)} calls, ${figure(stored / seconds)} a second, and parked or refused ${figure(notStored)}; ` +
  `${polls} polls brought the floor up to date`;

/** The page and the server of the console while much happens. */
export const consoleUnderLoad: Part = {
  name: 'console',
  what: `tasks, memory and reads of the console with ${figure(size.agents)} agents and ${size.callsASecond} calls a second`,
  async run({ minutes, views: names, onProgress }) {
    const closers: (() => Promise<void>)[] = [];
    try {
      onProgress('starting the sandbox, with everything in memory');
      const sandbox = await startSandboxChild();
      closers.unshift(sandbox.stop);
      onProgress(`logging ${figure(size.agents)} agents in`);
      const load = await startLoad(sandbox, size);
      closers.unshift(load.stop);
      const browser = await startBrowser();
      closers.unshift(() => browser.close());

      const watched: WatchedView[] = [];
      const failures: string[] = [];
      for (const view of views.filter(({ name }) => names.length === 0 || names.includes(name))) {
        onProgress(`watching ${view.name} for ${minutes} min`);
        const served = await startConsole(sandbox.addresses.gateway);
        try {
          watched.push(await watchView(browser, served, view, minutes));
        } catch (error) {
          // The other views may have taken an hour.
          failures.push(`${view.name}: could not be watched: ${String(error)}`);
        } finally {
          await served.stop();
        }
      }
      const carried = load.carried();
      const callsASecond = carried.stored / carried.seconds;
      return {
        tables: [{ title: titleOf(carried, minutes), table: tableOf(watched) }],
        data: { size, carried, watched },
        failures: [
          ...failures,
          ...watched.flatMap(missedBy),
          ...(carried.problem === undefined ? [] : [`The load ended early: ${carried.problem}`]),
          ...(callsASecond >= limits.shareOfCalls * size.callsASecond
            ? []
            : [
                `The machine stored ${figure(callsASecond)} calls a second instead of ${size.callsASecond}; measure on an idle one.`,
              ]),
        ],
      };
    } finally {
      for (const close of closers) await close();
    }
  },
};

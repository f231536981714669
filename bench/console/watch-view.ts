import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod';
import { busiestAgent } from './load.ts';
import type { ConsoleChild, PrintedRead } from './served-console.ts';

/** A view that refreshes by itself. */
export interface View {
  readonly name: string;
  readonly hash: string;
  /** What is there once the view has data. */
  readonly filled: string;
  /** The request that begins a refresh. Its answer begins an update, which lasts until the next answer. */
  readonly request: string;
  /** What somebody does before it is measured. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const mostRows = 1_000;

/** Loads older calls until no more are offered. */
const showAllRows = async (page: Page): Promise<void> => {
  const rows = page.locator('.calls .item');
  for (let count = await rows.count(); count < mostRows; count = await rows.count()) {
    await page.getByRole('button', { name: 'Older calls' }).click();
    await rows.nth(count).waitFor();
  }
};

/** Events first: later the sandbox has more of them to send again. */
export const views: readonly View[] = [
  { name: 'events', hash: '#/events', filled: '.event', request: 'feed' },
  { name: 'floor', hash: '#/floor', filled: '.agents .item', request: 'floor' },
  { name: 'calls', hash: '#/calls', filled: '.calls .item', request: 'calls' },
  { name: 'calls-1000', hash: '#/calls', filled: '.calls .item', request: 'calls', prepare: showAllRows },
  { name: 'agent', hash: `#/agent/${busiestAgent}`, filled: '.totals tr', request: 'agent' },
  { name: 'health', hash: '#/health', filled: '.card + .card', request: 'health' },
];

/** What is in use after a garbage collection. */
export interface MemorySample {
  readonly at: number;
  readonly pageMb: number;
  readonly nodes: number;
  readonly serverHeapMb: number;
  readonly serverRssMb: number;
}

export interface WatchedView {
  readonly view: string;
  /** Of each update the longest task in milliseconds; 0 where none took 50 ms, as the browser tells no shorter ones. */
  readonly longestTasks: readonly number[];
  readonly samples: readonly MemorySample[];
  /** Of each refresh, the opening first, the reads by table. */
  readonly reads: readonly Readonly<Record<string, number>>[];
}

const sampleMs = 15_000;
/** Fonts, styles and compiled code have come by then. */
const settleMs = 15_000;
const megabyte = 2 ** 20;

/** Runs in the page, and tells of long tasks and of the console's answers by the page's own clock. */
const observers = `
  globalThis.observed = [];
  const observe = (type) =>
    new PerformanceObserver((list) => {
      for (const { name, startTime, duration } of list.getEntries())
        observed.push({ type, name, from: startTime, to: startTime + duration });
    }).observe({ type, buffered: true });
  observe('longtask');
  observe('resource');
`;
const takeObserved = '(performance.clearResourceTimings(), observed.splice(0))';

interface Observed {
  readonly type: 'longtask' | 'resource';
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Watches a view for some minutes, after it has been filled and has updated itself once. */
export const watchView = async (
  browser: Browser,
  served: ConsoleChild,
  view: View,
  minutes: number,
): Promise<WatchedView> => {
  const context = await browser.newContext({ locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.addInitScript(observers);
    const refreshes: number[] = [];
    served.takeReads();
    page.on('request', (request) => isOf(view, request.url()) && refreshes.push(performance.now()));
    await page.goto(`${served.url}${view.hash}`);
    await page.waitForSelector(view.filled, { timeout: 60_000 });
    if (view.prepare !== undefined) {
      await view.prepare(page);
      // Clicks overlap with refreshes; only what the page reads by itself is counted.
      await page.waitForRequest((request) => isOf(view, request.url()));
      refreshes.splice(0, refreshes.length - 1);
      served.takeReads();
    }
    await pause(settleMs);
    await page.evaluate(takeObserved);

    const memory = await memoryGauge(page, served);
    const [startedAt, observed, samples] = [performance.now(), [] as Observed[], [await memory()]];
    while (performance.now() - startedAt < minutes * 60_000) {
      await pause(sampleMs);
      // Before the sample: the garbage collection that it forces is a long task.
      observed.push(...(await page.evaluate<Observed[]>(takeObserved)));
      samples.push(await memory());
      await page.evaluate(takeObserved);
    }
    const reads = readsOf(refreshes, served.takeReads());
    return { view: view.name, longestTasks: longestTasks(view, observed), samples, reads };
  } finally {
    await context.close();
  }
};

const isOf = ({ request }: View, url: string): boolean => new URL(url).pathname.endsWith(`/console/api/${request}`);

const Metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

/** Collects the garbage of page and server, and tells what is left. */
const memoryGauge = async (page: Page, served: ConsoleChild) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const startedAt = performance.now();
  return async (): Promise<MemorySample> => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = Metrics.parse(await devtools.send('Performance.getMetrics'));
    const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
    const server = await served.held();
    return {
      at: (performance.now() - startedAt) / 60_000,
      pageMb: metric('JSHeapUsedSize') / megabyte,
      nodes: metric('Nodes'),
      serverHeapMb: server.liveBytes / megabyte,
      serverRssMb: server.rssBytes / megabyte,
    };
  };
};

/** The longest task after each answer and before the next one. The last update has not ended, and does not count. */
const longestTasks = (view: View, observed: readonly Observed[]): readonly number[] => {
  const answers = observed
    .filter(({ type, name }) => type === 'resource' && isOf(view, name))
    .map(({ to }) => to)
    .sort((a, b) => a - b);
  const tasks = observed.filter(({ type }) => type === 'longtask');
  return answers.slice(0, -1).map((answeredAt, index) => {
    const nextAt = answers[index + 1] ?? answeredAt;
    return Math.max(
      0,
      ...tasks.filter(({ to }) => to > answeredAt && to <= nextAt).map(({ from, to }) => Math.round(to - from)),
    );
  });
};

/** On a busy machine the browser reports a request after the console has printed what it reads for it. */
const reportedLateMs = 1_000;

/** The reads from each refresh to the next, by table; what the page reads before the first one belongs to it. */
const readsOf = (
  refreshes: readonly number[],
  reads: readonly PrintedRead[],
): readonly Readonly<Record<string, number>>[] => {
  const counts = refreshes.map(() => new Map<string, number>());
  for (const { at, table } of reads) {
    const refresh = refreshes.findLastIndex((from) => from - reportedLateMs <= at);
    const count = counts[Math.max(0, refresh)];
    count?.set(table, (count.get(table) ?? 0) + 1);
  }
  return counts.map((count) => Object.fromEntries(count));
};

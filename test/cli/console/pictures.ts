import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ok } from '../../../lib/core/result.ts';
import { print, printError } from '../../../sandbox/cli/terminal.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { readArguments, runCommand } from '../../support/command-parts.ts';
import { problemsOf, startBrowser } from './browser.ts';
import { earlier, playMorning, transferredCall } from './morning.ts';

const usage = `Makes pictures of the console, of a simulated morning in a sandbox. It takes about two minutes.

Usage: npm run pictures -- [flags]        (npm needs the -- before flags)

  --all DIR   writes every view to DIR: light, dark, and both as on a telephone;
              without it, the pictures of README.md and docs/console.md to docs/images
  --help      prints this

  Calls, agents and times are the same in every run. It ends with 1 if a page logs an error, lacks its
  data or is wider than its window; the picture shows the fault.`;

/** Talk time, which is read after the list of calls. */
const talk = '.calls [data-label=Talk]:text-matches("[0-9]")';
/** What became of missed calls, which is read last. */
const missed = '.calls [data-label=Status]:text-matches("missed, ")';
const stillOpen = '.tile[title^="Still open"]';

/** Every view: its address, and what is in it once it has its data. */
const views = {
  floor: ['#/floor', '.agents .item', '.plot [style*=height]'],
  'floor-past': [`#/floor?at=${earlier}`, '.agents .item', '.plot [style*=height]'],
  calls: ['#/calls', talk, '.plot [style*=height]', missed],
  waiting: ['#/calls?counted=missed&state=open', missed, 'section .item'],
  call: [`#/call/${transferredCall}`, '.deliveries li'],
  agent: ['#/agent/asha01', '.totals tr', talk],
  day: ['#/day', '.groups tbody tr', '.plot [style*=height]', stillOpen],
  'day-by-hour': ['#/day?by=hour', '.groups tbody tr'],
  period: ['#/day?from=2026-11-14&to=2026-11-20', '.groups tbody tr', '.plot [style*=height]', stillOpen],
  events: ['#/events', '.event'],
  health: ['#/health', '.card + .card'],
} as const satisfies Readonly<Record<string, readonly [hash: string, ...filled: string[]]>>;

/** A picture: of what, and how. */
interface Picture {
  readonly name: string;
  readonly view: keyof typeof views;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  /** Absent: as long as the page, up to a limit. */
  readonly height?: number;
}

const longest = 2_000;

const inDocs: readonly Picture[] = [
  { name: 'floor', view: 'floor', theme: 'light', width: 1280, height: 720 },
  { name: 'calls', view: 'calls', theme: 'light', width: 1280, height: 580 },
  { name: 'call', view: 'call', theme: 'light', width: 1280, height: 1090 },
  { name: 'day', view: 'day', theme: 'dark', width: 1280, height: 640 },
];

const all = (Object.keys(views) as (keyof typeof views)[]).flatMap((view): readonly Picture[] => [
  { name: `${view}-light`, view, theme: 'light', width: 1280 },
  { name: `${view}-dark`, view, theme: 'dark', width: 1280 },
  { name: `${view}-narrow`, view, theme: 'light', width: 390 },
  { name: `${view}-narrow-dark`, view, theme: 'dark', width: 390 },
]);

/** Opens a view, and writes what it shows to a file. Resolves with the page's faults: errors, missing data, too wide. */
const take = async (browser: Browser, console: string, now: Date, picture: Picture, path: string) => {
  const { view, theme, width, height } = picture;
  const [hash, ...filled] = views[view];
  const viewport = { width, height: height ?? 800 };
  const context = await browser.newContext({ locale: 'en-GB', colorScheme: theme, viewport });
  const page = await context.newPage();
  const problems = problemsOf(page);
  await page.clock.setFixedTime(now);
  await page.goto(`${console}/${hash}`);
  // The title of a chart says so while the chart reads further back.
  const growingChart = page.locator('figcaption').filter({ hasText: /…|so far/ });
  try {
    for (const selector of filled) await page.waitForSelector(selector);
    await growingChart.waitFor({ state: 'detached' });
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  const clip = { x: 0, y: 0, width, height: height ?? longest };
  await page.screenshot({ path, fullPage: height === undefined, clip });
  const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (tooWide > 0) problems.push(`The page is ${tooWide} px wider than its window.`);
  await context.close();
  return problems;
};

const run = async ({ folder, pictures }: { readonly folder: string; readonly pictures: readonly Picture[] }) => {
  printError('Starting the browser and a sandbox.');
  await mkdir(folder, { recursive: true });
  const browser = await startBrowser();
  const sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false });
  try {
    const now = await playMorning(sandbox.addresses, (time) => printError(`In the contact centre it is ${time}.`));
    let code = 0;
    for (const picture of pictures) {
      const path = join(folder, `${picture.name}.png`);
      const faults = await take(browser, sandbox.addresses.gateway, now, picture, path);
      if (faults.length > 0) code = 1;
      print([path, ...faults].join('\n  '));
    }
    return code;
  } finally {
    await browser.close();
    await sandbox.stop();
  }
};

const options = readArguments({ all: { type: 'string' } }, [], ({ all: folder }) =>
  ok(folder === undefined ? { folder: 'docs/images', pictures: inDocs } : { folder, pictures: all }),
);
await runCommand({ options, usage, run });

import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Browser } from 'playwright-core';
import { ok } from '../../../lib/core/result.ts';
import { print, printError } from '../../../sandbox/cli/terminal.ts';
import { localClient } from '../../../sandbox/frame/local-aws.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import type { Addresses, SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { longestCallMilliseconds } from '../../../sandbox/simulator/call.ts';
import {
  createLiveCentre,
  createSimulatedCentre,
  type LoggedIn,
  type SimulatedCentre,
} from '../../../sandbox/simulator/centre.ts';
import { formCarrier, type Wire } from '../../../sandbox/simulator/posts.ts';
import { between, fork, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import type { Step } from '../../../sandbox/simulator/script.ts';
import { type SimulatedCall, simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { readArguments, runCommand } from '../../support/command-parts.ts';
import { until } from '../../support/process-tree.ts';
import { problemsOf, startBrowser } from './browser.ts';

const account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata' };
const seed = 18;
const minute = 60_000;
const pollMs = minute / 2;
const at = (time: string): number => Date.parse(`2026-11-20T${time}+05:30`);
const opens = at('08:00:00');
const ends = at('11:42:00');
const timeIn = (now: number): string => new Date(now).toLocaleTimeString('en-GB', { timeZone: account.timeZone });
/** While the service does not answer polls. */
const fails = { [at('10:51:00')]: 'error', [at('10:56:30')]: 'none' };

/** A call with several legs, agents and deliveries. */
const transferredCall = '41781234567890123';

/** A moment before the interruption. */
const earlier = new Date(at('10:45:00')).toISOString();

/** A post, and when it is sent. */
interface DuePost {
  readonly at: number;
  readonly wire: Wire;
}

/** The posts about this call: its legs and a participant, then the disposition, and late a poorer copy. */
const transferredPosts = (): readonly DuePost[] => {
  const example = readFileSync('sandbox/examples/advanced-callback.json', 'utf8');
  // Its ids are bare numbers of 17 digits.
  const [{ UCID, ...whole }, participant] = JSON.parse(example.replaceAll(/: (\d{17})/g, ': "$1"'));
  const inbound = { ...whole, AgentID: 'asha01 -> devi07', Skill: 'Support', TimeToAnswer: '00:00:18' };
  const first = { ...inbound, UCID, AgentID: 'asha01', EndTime: '2026-11-20 11:13:05' };
  const second = { ...inbound, UCID: participant.CallID, AgentID: 'devi07', StartTime: participant.StartTime };
  return [
    ['11:16:45', [first, second, { ...participant, EndTime: whole.EndTime }]] as const,
    ['11:18:10', { ...inbound, Disposition: 'Sale' }] as const,
    ['11:31:20', { ...inbound, AgentID: '', Status: 'NotAnswered', CallDuration: '00:00:00', AudioFile: '' }] as const,
  ].map(([time, records]) => ({ at: at(time), wire: formCarrier.carry(JSON.stringify(records)) }));
};

/** Agents who leave the simulation at the first of these times, for what it never has: long states, and a new word. */
const apart: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  asha01: { '11:09:30': 'INCALL', '11:13:30': 'ACW', '11:14:30': 'READY', '11:33:00': 'INCALL' },
  devi07: { '11:13:00': 'INCALL', '11:16:30': 'ACW', '11:17:30': 'READY', '11:22:30': 'PAUSE' },
  karl20: { '11:30:30': 'ACW' },
  jose17: { '11:35:30': 'ACW' },
  zoe14: { '11:29:00': 'Coaching' },
};

const apartAt = (now: number): readonly Pick<LoggedIn, 'id' | 'state'>[] =>
  Object.entries(apart).flatMap(([id, states]) => {
    const state = Object.entries(states).findLast(([from]) => at(from) <= now)?.[1];
    return state === undefined ? [] : [{ id, state }];
  });

/** A working day; the sandbox's own shifts take twenty minutes. */
const workingDay = (random: Random, id: string) => {
  const beginsAt = opens + between(random, 0, 60) * minute;
  const [leaves = '16:00:00'] = Object.keys(apart[id] ?? {});
  return {
    beginsAt,
    shift: at(leaves) - beginsAt,
    pauseBetween: 960 * minute,
    seed: between(random, 0, 2 ** 31),
    preparation: between(random, 2, 5) * minute,
    block: between(random, 50, 100) * minute,
    rest: between(random, 5, 12) * minute,
  };
};

/** A call; where nobody was free for it, another one: the simulator misses more of them than a good morning does. */
const newCall = (random: Random, postedAt: number, centre: SimulatedCentre): SimulatedCall => {
  const draw = () => simulatedCall(fork(random), postedAt, centre, account);
  const first = draw();
  return first.calls.some(({ scenario }) => scenario.name === 'abandoned') ? draw() : first;
};

type States = ReadonlyMap<string, string>;

/** What leads from one picture of the floor to the next. */
const stepsBetween = (before: States, after: States): readonly Step[] => [
  ...[...before.keys()].filter((id) => !after.has(id)).map((agentId): Step => ({ action: 'log-out', agentId })),
  ...[...after]
    .filter(([id, state]) => before.get(id) !== state)
    .map(([agentId, state]): Step => ({ action: before.has(agentId) ? 'set-state' : 'log-in', agentId, state })),
];

const request = async (method: 'POST' | 'PUT', address: string, body: string, contentType = 'application/json') => {
  const answer = await fetch(address, { method, body, headers: { 'content-type': contentType } });
  // A stranger's post is refused, and belongs to a morning.
  if (answer.status >= 500) throw new Error(`${method} ${address} was answered ${answer.status}.`);
};

/**
 * Lets a contact centre's morning happen in a sandbox without polling and traffic: 25 agents, some hundred calls. `Date` is
 * set from one poll and post to the next, and stays at the morning's end, a few seconds after the last poll.
 */
const playMorning = async (addresses: Addresses, onProgress: (time: string) => void): Promise<Date> => {
  const random = seededRandom(seed);
  const staff = createSimulatedCentre(fork(random), 25);
  const centre = createLiveCentre(staff, new Map(staff.agents.map(({ id }) => [id, workingDay(fork(random), id)])));
  const sqs = new SQSClient(localClient(addresses.sqs));
  const processed = async () => ((await (await fetch(addresses.sandbox)).json()) as SandboxState).counts.ticksProcessed;
  let due = transferredPosts();
  let nextAt = opens + 20 * minute;
  let shown: States = new Map();

  mock.timers.enable({ apis: ['Date'], now: opens });
  for (let now = opens; now <= ends; now += pollMs) {
    // Calls are planned ahead, so that no agent is in two of them.
    for (; nextAt <= now + longestCallMilliseconds; nextAt += between(random, 2, 24) * 1000) {
      const { calls, posts } = newCall(random, nextAt, centre.planned());
      centre.engage(
        calls.flatMap(({ engagements }) => engagements),
        now,
      );
      due = [...due, ...posts.map((wire) => ({ at: nextAt + wire.afterSeconds * 1000, wire }))];
    }
    for (const post of due.filter((one) => one.at <= now).sort((a, b) => a.at - b.at)) {
      mock.timers.setTime(post.at);
      const { query, body, contentType } = post.wire;
      await request('POST', `${addresses.callbacks}?${query}`, body, contentType);
    }
    due = due.filter((one) => one.at > now);

    mock.timers.setTime(now);
    const next = new Map([...centre.loggedInAt(now), ...apartAt(now)].map(({ id, state }) => [id, state]));
    await request('POST', addresses.agents, JSON.stringify(stepsBetween(shown, next)));
    shown = next;
    if (fails[now] !== undefined) await request('PUT', `${addresses.faults}/provider`, `{"mode":"${fails[now]}"}`);
    const before = await processed();
    await sqs.send(new SendMessageCommand({ QueueUrl: addresses.tickQueue, MessageBody: 'by hand' }));
    await until('the poll', processed, (count) => count > before, { everyMilliseconds: 5 });
    if ((now - opens) % (30 * minute) === 0) onProgress(timeIn(now));
  }
  sqs.destroy();
  mock.timers.setTime(ends + 6_000);
  return new Date();
};

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

import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { PutItemCommand, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Deployment } from '../../../cli/connection/deployment.ts';
import type { ShownAccount } from '../../../cli/console/accounts.ts';
import { pageAssets } from '../../../cli/console/assets.ts';
import { callsReader } from '../../../cli/console/calls.ts';
import { dayReader } from '../../../cli/console/day.ts';
import { floorReader } from '../../../cli/console/floor.ts';
import { consoleHandler, type ServedConsole, serveConsole } from '../../../cli/console/serve.ts';
import { printDayTables } from '../../../cli/output/day.ts';
import { printedText } from '../../../cli/output/terminal.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { callFigures, type Read } from '../../../lib/client/index.ts';
import { addDays } from '../../../lib/core/time.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { callWithAllFields, customer, sentinel, startReadingDeployment } from '../support/reading-deployment.ts';

const token = 'T0KEN-of-these-tests';
const now = new Date('2026-11-22T09:00:20.000Z');
let deployment: Awaited<ReturnType<typeof startReadingDeployment>>;
let hidden: ServedConsole;
let personal: ServedConsole;
let reads: Read[] = [];
const location = { stack: 'callfeed-test', region: 'eu-west-1' };
const bus = { kind: 'event-bridge', name: 'bus', client: new EventBridgeClient() } as const;

beforeAll(async () => {
  deployment = await startReadingDeployment();
  const settings = { deployment: { ...(await deployment.connect()), bus }, location, clock: () => now, token };
  hidden = await serveConsole({ ...settings, isPersonal: false, onRead: (read) => reads.push(read) }, 0);
  personal = await serveConsole({ ...settings, isPersonal: true }, 0);
});
afterAll(async () => {
  await hidden.close();
  await personal.close();
  await deployment.stop();
});

/** Serves a console for one test. */
const serve = async (connected: Deployment, changes: Partial<Parameters<typeof serveConsole>[0]> = {}) => {
  const settings = { deployment: connected, location, clock: () => now, isPersonal: false, token, ...changes };
  const served = await serveConsole(settings, 0);
  onTestFinished(() => served.close());
  return served;
};

/** A client of AWS that sends through a function. */
const sendingBy = <Client extends object>(client: Client, send: (...args: readonly never[]) => unknown): Client =>
  new Proxy(client, { get: (whole, name) => (name === 'send' ? send : Reflect.get(whole, name)) });

/** An account whose client has these methods. */
const accountWith = (client: object, account = 'demo') =>
  ({ account, timeZone: 'UTC', client }) as unknown as ShownAccount;

interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends exactly this path and these headers, which `fetch` would tidy up. */
const send = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(hidden.url);
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end();
  });

const ask = async (path: string, from = hidden) => {
  const answer = await fetch(`${from.url}console/api/${path}`);
  return { status: answer.status, text: await answer.text() };
};

const at = (rest: string) => `/${token}/${rest}`;
const feed = at('console/api/feed');

describe('a request that is not the page’s', () => {
  it.each<[string, string, Record<string, string>, number, string?]>([
    ['without the token', '/console/api/feed', {}, 404],
    ['for the page without the token', '/', {}, 404],
    ['with a wrong token', '/T0KEN-of-these-testz/console/api/feed', {}, 404],
    ['with the token as a query', `/console/api/feed?token=${token}`, {}, 404],
    ['to a name that resolves to this machine', feed, { host: 'attacker.example' }, 403],
    ['to another port', feed, { host: '127.0.0.1:1' }, 403],
    ['from another origin', feed, { origin: 'https://attacker.example' }, 403],
    ['from a page of another port', feed, { origin: 'http://127.0.0.1:1' }, 403],
    ['from no origin of a frame', feed, { origin: 'null' }, 403],
    ['that another site’s page makes', feed, { 'sec-fetch-site': 'cross-site' }, 403],
    [
      'that another site’s page navigates to',
      feed,
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      403,
    ],
    ['for a file outside', at('console/../../../package.json'), {}, 404],
    ['for a file outside, encoded', at('console/%2e%2e/%2e%2e/package.json'), {}, 404],
    ['for a source of the page', at('console/page/main.tsx'), {}, 404],
    ['for an inherited name', at('console/api/constructor'), {}, 404],
    ['for an inherited file', at('__proto__'), {}, 404],
    ['for nothing there is', at('console/api/x'), {}, 404],
    ['for a sandbox’s controls', at('console/api/sandbox'), {}, 404],
    ['to post', feed, {}, 403, 'POST'],
    ['to post from the page', feed, { own: 'origin' }, 405, 'POST'],
    ['to delete', feed, {}, 405, 'DELETE'],
    ['to delete the page', at('console/main.js'), {}, 405, 'DELETE'],
  ])('%s gets nothing', async (_what, path, headers, status, method = 'GET') => {
    const { origin } = new URL(hidden.url);
    const answer = await send(path, 'own' in headers ? { origin } : headers, method);

    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/asOf|name|import/);
  });

  it('is a link from elsewhere to the page, which opens', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await send(at(''), link)).status).toBe(200);
  });
});

it('a console on port 80 has an address without the port', async () => {
  const handle = consoleHandler({
    deployment: await deployment.connect(),
    location,
    clock: () => now,
    isPersonal: false,
  });
  const statusFor = async (host: string) => {
    const statuses: number[] = [];
    const answer = { writeHead: (status: number) => statuses.push(status) && answer, end: () => answer };
    const asked = { url: '/', method: 'GET', headers: { host }, socket: { localPort: 80 } };
    const { signal } = new AbortController();
    await handle(asked as unknown as IncomingMessage, answer as unknown as ServerResponse, signal);
    return statuses;
  };
  expect([await statusFor('127.0.0.1'), await statusFor('attacker.example')]).toEqual([[200], [403]]);
});

describe('the page', () => {
  it.each(['', 'console/main.js', 'console/main.css', 'console/api/feed', 'console/api/x'])(
    'may load nothing from elsewhere, says %s',
    async (path) => {
      const { headers } = await send(at(path));

      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';.*frame-ancestors 'none'$/,
        ),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    },
  );

  it('has at most 150 KB gzipped in all, and no address of another machine', async () => {
    const files = Object.values(await pageAssets()).map(({ body }) => body);

    expect(gzipSync(files.join('')).length).toBeLessThan(150 * 1024);
    expect(files.join('').match(/https?:\/\/(?!www\.w3\.org\/)[^\s"'`]+/g)).toBeNull();
  });
});

const views: readonly (readonly [path: string, calls: number, agents: number])[] = [
  ['feed', 0, 1],
  ['floor', 0, 1],
  ['floor?at=2026-11-22T09:00:00Z', 0, 1],
  ['history', 0, 1],
  ['calls?day=2026-11-21', 2, 0],
  ['calls?day=yesterday', 2, 0],
  ['calls?day=2026-11-21&status=missed&type=inbound&skill=Sales&campaign=x', 2, 0],
  ['calls?day=2026-11-21&agent=asha', 2, 0],
  ['calls-csv?day=2026-11-21', 1, 0],
  [`call?id=${callWithAllFields}`, 1, 0],
  ['agent?id=asha&day=2026-11-22', 0, 2],
  ['agent-skills?id=asha', 0, 1],
  ['health', 0, 2],
];

describe('an answer', () => {
  it.each(views)('%s takes at most two reads of each table', async (path, calls, agents) => {
    reads = [];
    const { status } = await ask(path);

    expect(status).toBe(200);
    const count = (table: Read['table']) => reads.filter((read) => read.table === table).length;
    expect([count('calls') <= calls, count('agents') <= agents, reads.length <= 2]).toEqual([true, true, true]);
  });

  const paths = [...views.map(([path]) => path), 'about', 'operations', 'day?day=2026-11-21'];

  it.each([
    ...paths.map((path) => ({ path, failing: path === 'about' ? 'the accounts' : 'its own reads' })),
    { path: 'feed', failing: 'the accounts' },
  ])('$path is the same after $failing failed', async ({ path, failing: part }) => {
    const connected = await deployment.connect();
    let isDown = true;
    const down = () => Promise.reject(new Error('Down'));
    const failing = <Client extends object>(client: Client & { readonly send: (...all: never[]) => unknown }) =>
      sendingBy(client, (...args) => (isDown ? down() : client.send(...args)));
    const console = await serve({
      ...{ ...connected, bus },
      dynamodb: failing(connected.dynamodb),
      sqs: failing(connected.sqs),
      // Without the accounts no answer comes as far as its own reads.
      accounts: () => (isDown && part === 'the accounts' ? down() : connected.accounts()),
    });

    const failed = await ask(path, console);
    isDown = false;
    expect(failed.text).not.toBe((await ask(path)).text);
    // The calls of a day are counted while nobody waits for it.
    const isSame = async () => (await ask(path, console)).text === (await ask(path)).text;
    await expect.poll(isSame, { timeout: 30_000 }).toBe(true);
  });

  it.each(paths)('%s shows nothing personal', async (path) => {
    expect((await ask(path)).text).not.toMatch(sentinel);
  });

  it.each([
    'floor',
    `call?id=${callWithAllFields}`,
    `as-sent?id=${callWithAllFields}`,
    `calls?day=2026-11-21&customer=${customer}`,
    `calls-csv?day=2026-11-21&customer=${customer}`,
  ])('%s shows it where the console was started so', async (path) => {
    expect((await ask(path, personal)).text).toMatch(sentinel);
  });

  it.each([
    [`as-sent?id=${callWithAllFields}`, 400, /--personal/],
    [`calls?customer=${customer}`, 400, /--personal/],
    [`calls-csv?customer=${customer}`, 400, /--personal/],
    ['quarantined?id=x', 400, /--personal/],
    ['call?id=1', 400, /no such call/],
    ['call', 400, /Wrong: id\./],
    ['floor?at=yesterday', 400, /./],
    ['floor?at=2100-01-01T00:00:00Z', 400, /in the past/],
    ['calls?day=2026-02-30', 400, /day/],
    ['calls?cursor=x', 400, /cursor/],
    ['feed?account=other', 400, /no such account/],
    ['feed?x=1', 400, /Wrong/],
  ])('to %s says what is wrong, and no value', async (path, status, message) => {
    const answer = await ask(path);

    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).message).toMatch(message);
    expect(answer.text).not.toMatch(sentinel);
  });
});

it('a large floor and its history take two reads per refresh in all, and show every poll at once', async () => {
  const pollAt = (ms: number) => new Date(Math.floor(ms / 15_000) * 15_000).toISOString();
  let [nowMs, taken, portions] = [now.getTime(), 0, 0];
  const client = {
    async floor() {
      taken += 2;
      const feed = { asOf: pollAt(nowMs), agentCount: 3_000, counts: { ready: 3_000 } };
      return { freshness: 'live', feed, asOf: feed.asOf, ageSeconds: 1, agents: [] };
    },
    async floorHistory({ to }: { readonly to: string }) {
      taken += 1;
      portions += 1;
      const moment = { at: to, asOf: to, status: 'live', counts: { ready: 3_000 } };
      return { moments: [moment], next: new Date(Date.parse(to) - 1).toISOString() };
    },
  };
  const floors = floorReader({ clock: () => new Date(nowMs), isPersonal: false });
  const account = accountWith(client);
  let isWhole = false;
  for (let refresh = 0; refresh < 200; refresh++, nowMs += 5_000) {
    taken = 0;
    const asOf = (await floors.floor(account, undefined)).asOf;
    if (refresh % 3 === 0) isWhole = (await floors.history(account)).isWhole;
    expect([asOf, taken <= 2]).toEqual([pollAt(nowMs), true]);
  }
  // Of so large a floor one snapshot of every two minutes is read.
  expect([isWhole, portions <= 60]).toEqual([true, true]);
});

it('the chart of the floor has each moment once where two tabs ask, and goes on while other views read the feed', async () => {
  let ms = now.getTime();
  const feed = async () => ({ freshness: 'live', feed: { counts: { ready: 2 } }, asOf: now.toISOString() });
  const floorHistory = async ({ to }: { readonly to: string }) => {
    const moment = (agoMs: number) => ({ at: new Date(Date.parse(to) - agoMs).toISOString(), status: 'live' });
    return { moments: [1, 2].map((ago) => ({ ...moment(ago * 1_000), counts: { ready: ago } })) };
  };
  const floors = floorReader({ clock: () => new Date(ms), isPersonal: false });
  const account = accountWith({ feed, floorHistory });
  const times = async () => (await floors.history(account)).points.map(([at]) => at - now.getTime());

  await Promise.all([times(), times()]);
  expect(await times()).toEqual([-2_000, -1_000]);
  for (const _ of Array(30)) {
    ms += 5_000;
    await floors.feed(account);
  }
  expect(await times()).toEqual([-2_000, -1_000, 5_000, 150_000]);
});

describe('the count of today', () => {
  /** Calls that began a tenth of a second apart, the latest first. The list can be changed. */
  const todaysCalls = (length: number, clock = () => now) => {
    const calls = Array.from({ length }, (_, index) => ({
      ...{ callId: `call-${index}`, account: 'demo', revision: 1, type: 'inbound', status: 'answered' },
      listedAt: new Date(now.getTime() - index * 100).toISOString(),
    }));
    let delayed = Promise.resolve();
    async function* pages(size: number, cursor = '0') {
      if (size === 1_000) {
        const until = delayed;
        delayed = Promise.resolve();
        await until;
      }
      const from = Number(cursor);
      const next = from + size < calls.length ? String(from + size) : undefined;
      yield { calls: calls.slice(from, from + size), next };
    }
    const account = accountWith({ calls: () => ({ pages }), callRows: async () => [] });
    const list = callsReader({ clock, isPersonal: false });
    const answer = async (day = 'today') => {
      const { quarters = [], countedFrom = '' } = await list(account, { day });
      const sum = quarters.reduce((all, [, ...counts]) => all + counts.reduce((one, other) => one + other), 0);
      return { sum, countedFrom };
    };
    /** Delays the next page of the count. */
    const delay = (until: Promise<void>) => {
      delayed = until;
    };
    return { calls, answer, delay };
  };

  it('has a long call, which is listed among calls that were counted before', async () => {
    const { calls, answer } = todaysCalls(5_000);
    await expect.poll(async () => (await answer()).sum, { interval: 1 }).toBe(5_000);

    calls.splice(3_000, 0, { ...calls[3_000], callId: 'long' } as (typeof calls)[number]);
    await expect.poll(async () => (await answer()).sum, { interval: 1 }).toBe(5_001);
  });

  it('has a call that was over after midnight', async () => {
    let ms = now.getTime();
    const { calls, answer } = todaysCalls(500, () => new Date(ms));
    await expect.poll(async () => (await answer()).sum, { interval: 1 }).toBe(500);

    ms += 86_400_000;
    calls.splice(300, 0, { ...calls[300], callId: 'long' } as (typeof calls)[number]);
    await expect.poll(async () => (await answer('2026-11-22')).sum, { interval: 1 }).toBe(501);
  });

  it('goes no way back where two tabs count at once and one is slow', async () => {
    const { answer, delay } = todaysCalls(2_500);
    const whole = { sum: 2_500, countedFrom: '2026-11-22T00:00:00.000Z' };
    const slow = Promise.withResolvers<void>();
    await answer();
    delay(slow.promise);
    const late = answer();
    await expect.poll(() => answer(), { interval: 1 }).toEqual(whole);
    slow.resolve();
    await late;
    expect(await answer()).toEqual(whole);
  });

  it('has the newest 100,000 calls in whole quarters of an hour, and says from when on', async () => {
    const { answer } = todaysCalls(130_000);
    let last = await answer();
    for (let refresh = 0; refresh < 220; refresh++) last = await answer();

    const from = Date.parse(last.countedFrom);
    expect([last.sum <= 100_000, last.sum > 90_000, from % 900_000]).toEqual([true, true, 0]);
    expect(last.sum).toBe((now.getTime() - from) / 100 + 1);
  });
});

it('a list has talk time and recordings as soon as the rows were read, which take turns with the count of the day', async () => {
  const list = async () => JSON.parse((await ask('calls?day=2026-11-21')).text);
  await list();
  await list();
  const { calls, countedFrom, start } = await list();

  expect(calls.find(({ callId }: { callId: string }) => callId === callWithAllFields)).toMatchObject({
    recordings: ['(hidden)'],
  });
  expect(countedFrom).toBe(start);
  reads = [];
  await list();
  expect(reads).toMatchObject([{ operation: 'Query', table: 'calls', index: 'byTime' }]);
});

it('a file of calls is what the command prints, and breaks off where a read fails in its middle', async () => {
  const connected = await deployment.connect();
  const ofDay = ['calls', '--day', '2026-11-21', '--missed'];
  const { output } = await cli([...ofDay, '--csv'], { connect: async () => connected, clock: () => now });
  const file = await send(at('console/api/calls-csv?day=2026-11-21&status=missed'));
  expect(file.text).toBe(output);
  expect(output).toMatch(/^\uFEFFcallId,|^\uFEFF[a-zA-Z]+,/);
  expect(file.headers['content-disposition']).toBe('attachment; filename="callfeed-calls-2026-11-21.csv"');

  let pages = 0;
  const sendFirst = async (command: QueryCommand) => {
    pages += 1;
    if (pages > 1) throw new Error('Down');
    const page = await connected.dynamodb.send(command);
    return { ...page, LastEvaluatedKey: page.Items?.at(0) };
  };
  const broken = await serve({ ...connected, bus, dynamodb: sendingBy(connected.dynamodb, sendFirst) });
  await expect(ask('calls-csv?day=2026-11-21', broken)).rejects.toThrow();
  expect(pages).toBe(2);
});

it('a tab gets talk time however others ask, and an older page at once', async () => {
  const call = (index: number) => ({ callId: `c${index}`, revision: 1, listedAt: '2026-11-22T08:00:00.000Z' });
  const accountOf = (account: string) => {
    async function* pages(size: number, cursor = '0') {
      yield { calls: size === 100 ? [call(Number(cursor))] : [], next: String(Number(cursor) + 1) };
    }
    const callRows = async ([callId]: readonly string[]) => [{ ...call(0), callId, durationSeconds: 5 }];
    return accountWith({ calls: () => ({ pages }), callRows }, account);
  };
  const list = callsReader({ clock: () => now, isPersonal: false });
  const talk = async (account: string, cursor?: string) =>
    (await list(accountOf(account), { day: 'today', cursor })).calls[0]?.durationSeconds;

  await talk('one');
  expect([await talk('two'), await talk('one', '1'), await talk('two', '2')]).toEqual([5, 5, 5]);
  expect((await list(accountOf('one'), { day: 'today' })).calls[0]?.recordings).toEqual([]);
});

it('a call has the talk time and the recordings of its present revision', async () => {
  let [revision, durationSeconds] = [1, 5];
  const row = () => ({ callId: 'c', revision, durationSeconds, recordings: [`r${revision}`] });
  async function* pages() {
    yield { calls: [{ callId: 'c', revision, listedAt: '2026-11-22T08:00:00.000Z' }], next: undefined };
  }
  const list = callsReader({ clock: () => now, isPersonal: true });
  const account = accountWith({ calls: () => ({ pages }), callRows: async () => [row()] });
  const shown = async () => {
    // The details of a call come with one answer or the next.
    await list(account, { day: 'today' });
    const [call] = (await list(account, { day: 'today' })).calls;
    return [call?.durationSeconds, call?.recordings];
  };

  expect(await shown()).toEqual([5, ['r1']]);
  [revision, durationSeconds] = [2, 9];
  expect(await shown()).toEqual([9, ['r2']]);
});

it.each([
  ['as it was sent', customer, 1],
  ['with the code of a country', '+91 98765-12345', 1],
  ['by its last digits', '2345', 1],
  ['and nobody by too few digits', '345', 0],
])('a caller is found over all days %s', async (_title, typed, count) => {
  const { status, text } = await ask(`customer?number=${encodeURIComponent(typed)}`, personal);
  const { calls, numbers, searched } = JSON.parse(text);

  expect(status).toBe(200);
  expect(numbers).toEqual(count > 0 ? [customer] : []);
  expect(calls).toHaveLength(count);
  expect(searched).toBeGreaterThan(5);
  expect((await ask(`customer?number=${encodeURIComponent(typed)}`)).status).toBe(400);
});

describe('a day', () => {
  it('by agent adds up: what an agent was offered was answered by them or by others, missed, or is undecided', async () => {
    const [start, end] = ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
    const ring = (agentId: string, status: string) => ({ ucid: agentId, agentIds: [agentId], status });
    const call = { listedAt: start, type: 'inbound', agentIds: ['asha', 'ravi'] };
    const calls = [
      { ...call, status: 'answered', legs: [ring('asha', 'not-answered'), ring('ravi', 'answered')] },
      { ...call, status: 'not-answered' },
      { ...call, status: 'unknown' },
    ];
    const account = accountWith({ day: async () => ({ start, end, calls, agents: [] }) });
    const days = dayReader({ clock: () => now, isPersonal: true });
    const { groups } = await days(account, { day: '2026-11-20', by: 'agent', within: 20 });
    const names = ['offered', 'answered', 'answeredByOthers', 'missed', 'undecided'];
    const row = ({ figures }: (typeof groups)[number]) =>
      names.map((name) => figures.find((figure) => figure.name === name)?.value);

    expect(groups.map((group) => [group.label, ...row(group)])).toEqual([
      ['asha', 3, 0, 1, 1, 1],
      ['ravi', 3, 1, 0, 1, 1],
    ]);
  });

  /** Reads days of no calls, and notes which were read. */
  const noting = (clock: () => Date) => {
    const read: string[] = [];
    const day = async (asked: string) => {
      read.push(asked);
      const [start, end] = [asked, addDays(asked, 1)].map((date) => `${date}T00:00:00.000Z`);
      return { start, end, calls: [], agents: [] };
    };
    const days = dayReader({ clock, isPersonal: false });
    const readAt = async (asked: string, again?: string, by: 'agent' | 'skill' = 'agent') =>
      (await days(accountWith({ day }), { day: asked, by, within: 20, again })).readAt;
    return { read, readAt };
  };

  it('is read again once for each time that somebody asks, however it is grouped', async () => {
    let ms = now.getTime();
    const { read, readAt } = noting(() => new Date(ms++));
    const day = '2026-11-21';
    const first = await readAt(day);
    const second = await readAt(day, first);

    expect([await readAt(day, first, 'skill'), await readAt(day)]).toEqual([second, second]);
    expect((await readAt(day, second, 'skill')) > second).toBe(true);
    expect(read.filter((asked) => asked === day)).toHaveLength(3);
    // The calls of the week before may have come since, too.
    expect(read.filter((asked) => asked === '2026-11-14')).toHaveLength(3);
  });

  it('that is not over is read again after a minute, and one that is over is kept', async () => {
    let nowMs = now.getTime();
    const { read, readAt } = noting(() => new Date(nowMs));
    const first = [await readAt('today'), await readAt('2026-11-20')];
    nowMs += 59_999;
    expect([await readAt('today'), await readAt('2026-11-20')]).toEqual(first);
    nowMs += 1;
    expect([await readAt('today'), await readAt('2026-11-20')]).toEqual([new Date(nowMs).toISOString(), first[1]]);
    // Once the day is over, its last calls may still come.
    nowMs = Date.parse('2026-11-23T00:30:00.000Z');
    const atNight = await readAt('2026-11-22');
    nowMs += 60_000;
    expect(await readAt('2026-11-22')).not.toBe(atNight);
    // The days a week before are over, so they are read once.
    const [today, aWeekAgo] = ['2026-11-22', '2026-11-15'];
    expect(read).toEqual([today, aWeekAgo, '2026-11-20', '2026-11-13', today, today, today]);
  });
});

describe('the health of a deployment', () => {
  const operations = async (connected: Deployment) => {
    const console = await serve(connected);
    const [about, answer] = await Promise.all(['about', 'operations'].map((path) => ask(path, console)));
    return { about: JSON.parse(about?.text ?? ''), answer: JSON.parse(answer?.text ?? '') };
  };

  it('tells that callbacks stopped, that events are held up, and how a command finds the same deployment', async () => {
    const heldUpAt = new Date(now.getTime() - 60_000).toISOString();
    const silentSince = new Date(now.getTime() - 600_000).toISOString();
    const connected = await deployment.withCallbacks({ lastReceivedAt: undefined, silentSince, heldUpAt });
    const { about, answer } = await operations(connected);

    expect(about.commandOptions).toEqual(['--stack', 'callfeed-test', '--region', 'eu-west-1']);
    // Calls that ended before the publisher was held up prove nothing.
    expect(answer.callbacks).toEqual({ value: { heldUpAt } });
    const silent = await operations(await deployment.withCallbacks({ lastReceivedAt: undefined, silentSince }));
    expect(silent.answer.callbacks).toEqual({ value: { silentSince } });
  });

  it.each([
    [[5, 20], true],
    [[4, 4], false],
    [[5, 25], false],
  ] as const)('tells whether the report alone has too many calls: %j', async ([found, calls], areCallbacksMissing) => {
    const day = { readAt: now.toISOString(), records: calls, known: calls - found, completed: 0, unreadable: 0 };
    const days = {
      '2026-11-21': { ...day, calls, found },
      '2026-11-01': { ...day, calls: 100, found: 100 },
      '2026-11-20': { ...day, calls: 0, found: 0 },
    };
    const { answer } = await operations(await deployment.withReconciliation({ days }));

    expect(answer.reconciliation.value).toMatchObject({ areCallbacksMissing });
  });

  it('counts what came to the secret address, and as “status” nothing of a stranger, which an earlier version kept', async () => {
    const connected = await deployment.connect();
    const entry = { reason: 'unknown-key', body: '{"monitorUCID":"1"}', receivedAt: now.toISOString() } as const;
    for (const from of [{}, { viaSecret: true, body: '{"monitorUCID":"2"}' }, { account: 'demo' }] as const) {
      const row = marshall(quarantineRow(quarantineEntry({ ...entry, ...from }), 30), { removeUndefinedValues: true });
      await connected.dynamodb.send(new PutItemCommand({ TableName: deployment.tables.quarantine, Item: row }));
    }
    const { answer } = await operations(connected);
    const [status] = jsonLines(await deployment.at(['status', '--json']));

    expect(answer.quarantine.value.reasons).toMatchObject([{ reason: 'unknown-key', count: 2 }]);
    expect(status).toMatchObject({ quarantine: { entries: 2 } });
  });
});

describe('without the right to read the secret', () => {
  const withoutSecret = async () => ({
    ...(await deployment.connect()),
    accounts: async () => {
      const message = 'User: arn:x is not authorized to perform: secretsmanager:GetSecretValue';
      throw Object.assign(new Error(message), { name: 'AccessDeniedException' });
    },
  });
  const answers = async (changes: Partial<Parameters<typeof serveConsole>[0]> = {}) => {
    const console = await serve(await withoutSecret(), changes);
    return Promise.all(['about', 'floor'].map((path) => ask(path, console)));
  };

  it('the accounts are those that the poller stored', async () => {
    const [about, floor] = await answers();

    expect([about?.status, floor?.status]).toEqual([200, 200]);
    expect(JSON.parse(about?.text ?? '').accounts).toEqual([{ account: 'demo', timeZone: 'Asia/Kolkata' }]);
  });

  it('a problem says which permission lacks where nothing was polled, and account and zone can be given', async () => {
    const unpolled = { ...(await withoutSecret()), tables: { ...deployment.tables, agents: deployment.tables.calls } };
    const message =
      'AWS denied access: secretsmanager:GetSecretValue is not allowed for these credentials. Nothing was polled yet, so no table names the accounts: give --account and --time-zone.';

    for (const answer of await answers({ deployment: unpolled }))
      expect(answer).toEqual({ status: 502, text: JSON.stringify({ message }) });
    for (const { status } of await answers({ account: 'demo', timeZone: 'Asia/Kolkata' })) expect(status).toBe(200);
  });
});

it('takes no time zone for all accounts', async () => {
  const interruption = () => AbortSignal.abort();
  expect(await deployment.at(['console', '--time-zone', 'UTC'], { interruption })).toMatchObject({
    code: 2,
    notes: expect.stringContaining('--time-zone needs --account'),
  });
});

it('the figures of a day are those of the command line', async () => {
  const { figures, groups, csv } = JSON.parse((await ask('day?day=2026-11-20&by=skill')).text);
  const { output } = await deployment.at([
    'day',
    '--date',
    '2026-11-20',
    '--by',
    'skill',
    '--csv',
    '--account',
    'demo',
  ]);

  // It goes to the clipboard, where a mark would be a part of the first cell.
  expect(csv).toBe(output.slice(1));
  expect(figures.find(({ name }: { name: string }) => name === 'answered').value).toBe(5);
  expect(groups).toHaveLength(1);
});

it('the share of answered and of missed calls is of those whose status is known, as on the command line', async () => {
  const statuses = ['answered', 'answered', 'not-answered', 'unknown', undefined] as const;
  const calls = statuses.map((status, index) => ({
    ...({ callId: `call-${index}`, type: 'inbound', status } as const),
    listedAt: '2026-11-20T05:00:00.000Z',
  }));
  const records = {
    ...{ day: '2026-11-20', timeZone: 'UTC', agentsUpTo: undefined, calls, agents: [] },
    ...{ start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z' },
  };
  const account = accountWith({ day: async () => records });
  const days = dayReader({ clock: () => now, isPersonal: true });
  const { figures } = await days(account, { day: '2026-11-20', by: 'skill', within: 20 });
  const settings = { shortSeconds: 10 };
  const report = { account: 'demo', records, settings, weekBefore: undefined, by: undefined, groups: [] };
  const tables = printedText(({ print }) => {
    const terminal = { print, note: print, progress: print, hasColours: false, width: 80 };
    printDayTables(terminal, { ...report, figures: { calls: callFigures(calls, settings) }, showPersonal: false });
  });

  expect(figures.flatMap(({ name, share }) => (share === undefined ? [] : [[name, share]]))).toEqual([
    ['answered', 2 / 3],
    ['missed', 1 / 3],
  ]);
  expect(tables).toMatch(/\n2026-11-20 +5 +2 \(67 %\) /);
});

it('what a delivery changed is shown old and new; a poorer one changed little', async () => {
  const { call } = JSON.parse((await ask(`call?id=${callWithAllFields}`, personal)).text);
  const [first, second] = call.deliveries;

  expect(first.before).toEqual({});
  expect(first.after).toMatchObject({ status: 'answered', customerNumber: customer });
  expect(second.after).not.toHaveProperty('status');
  expect(call.facts.status).toBe('answered');
});

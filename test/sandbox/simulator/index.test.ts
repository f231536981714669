import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Simulator, type SimulatorSettings, startSimulator } from '../../../sandbox/simulator/index.ts';
import { createWebhookSender, type OutboxSettings } from '../../../sandbox/simulator/outbox.ts';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import type { CallsSent } from '../../../sandbox/simulator/traffic.ts';
import { account, apiKey, noon } from './support/calls.ts';
import { type Arrived, startReceiver, stoppedClock } from './support/service.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let simulators: Simulator[] = [];
let logged: string[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  logged = [];
});
afterEach(async () => {
  await Promise.all(simulators.map(({ stop }) => stop()));
  simulators = [];
  await receiver.close();
});

const start = async (changes: Partial<SimulatorSettings> = {}) => {
  const simulator = await startSimulator({
    port: 0,
    callbackUrl: `${receiver.url}/a-secret`,
    accounts: [account],
    traffic: false,
    seed: 1,
    onLog: (line) => logged.push(line),
    ...changes,
  });
  simulators.push(simulator);
  return simulator;
};

const send = async ({ url }: Simulator, request: unknown) => {
  const body = typeof request === 'string' ? request : JSON.stringify(request);
  const response = await fetch(`${url}/_simulator/calls`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as CallsSent };
};
const report = async ({ url }: Simulator) => (await fetch(`${url}/_simulator`)).json() as Promise<{ inFlight: number }>;

describe('POST /_simulator/calls', () => {
  it('sends calls at once, and reports what it sent', async () => {
    const simulator = await start();

    const { status, body } = await send(simulator, { count: 3, kind: 'answered' });

    expect(status).toBe(200);
    expect(body).toEqual({ callIds: expect.any(Array), posts: 3, later: 0, answers: { 200: 3 } });
    expect(receiver.posts()).toHaveLength(3);
    for (const [index, id] of body.callIds.entries()) expect(receiver.posts()[index]?.body).toContain(id);
  });

  it('sends the same bodies for the same seed and moment', async () => {
    const request = { count: 5, seed: 42, at: '2026-11-21T12:00:00Z', pace: 0 };

    const one = await send(await start({ seed: 1 }), request);
    const bodies = receiver.posts().map(({ body }) => body);
    const other = await send(await start({ seed: 2 }), request);

    expect(other).toEqual(one);
    expect(
      receiver
        .posts()
        .slice(bodies.length)
        .map(({ body }) => body)
        .sort(),
    ).toEqual(bodies.sort());
  });

  it('sends later posts later, and counts them', async () => {
    const { clock, sleepers } = stoppedClock();
    const simulator = await start({ clock });

    const { body } = await send(simulator, { kind: 'late-disposition' });
    expect(body).toMatchObject({ posts: 2, later: 1, answers: { 200: 1 } });
    expect(receiver.posts()).toHaveLength(1);

    await expect.poll(() => sleepers.length).toBe(1);
    sleepers[0]?.();
    await expect.poll(() => receiver.posts().length).toBe(2);
  });

  const settings = /\. Send a JSON object with any of count, kind, seed, at, .*, pace\.$/;

  it.each<[string, string, string | undefined, number, ...RegExp[]]>([
    ['POST', 'calls', '{', 400, /expected object/, settings],
    ['POST', 'calls', '{"kind":"nonsense"}', 400, /kind: /, settings],
    ['POST', 'calls', '{"count":0}', 400, /count: /, settings],
    ['POST', 'calls', '{"count":1001}', 400, /count: Too big: expected number to be <=1000/, settings],
    ['POST', 'calls', '{"colour":"red"}', 400, /colour/, settings],
    ['POST', 'report', '{"ids":"odd"}', 400, /^ids: /, /Send a JSON object with any of token, .*account\.$/],
    ['POST', 'report', '{"account":"nobody"}', 400, /^There is no such account\. There are: demo\.$/],
    ['POST', 'answers', '{"kind":"429","account":"nobody"}', 400, /^There is no such account\. There are: demo\.$/],
    ['POST', 'answers', '', 400, /^kind: .*Send a JSON object with any of kind, count, account, seconds, location\.$/],
    [
      'PUT',
      'calls',
      '',
      404,
      /^The simulator has no such path\. It has: GET \/_simulator, .*POST \/_simulator\/answers/,
    ],
    ['GET', 'nowhere', undefined, 404, /^The simulator has no such path\. It has: /],
  ])(
    'rejects %s %s %s, names why and what is allowed, and posts nothing',
    async (method, path, body, status, ...said) => {
      const { url } = await start();
      const answer = await fetch(`${url}/_simulator/${path}`, { method, ...(body !== undefined && { body }) });
      const { message } = Object(await answer.json());

      expect(answer.status).toBe(status);
      for (const each of said) expect(message).toMatch(each);
      expect(receiver.arrived).toEqual([]);
    },
  );
});

describe('GET /_simulator', () => {
  it('counts calls, posts by kind, answers and retries, and lists the kinds', async () => {
    const simulator = await start();
    await send(simulator, { count: 2, kind: 'twice-at-once' });
    await send(simulator, { kind: 'screen-pop' });

    expect(await report(simulator)).toEqual({
      seed: 1,
      calls: 2,
      posts: 5,
      postsByKind: { answered: 4, 'twice-at-once': 4, 'screen-pop': 1 },
      answers: { 200: 5 },
      retries: 0,
      addressCheck: { HEAD: 200, GET: 200 },
      inFlight: 0,
      accounts: { demo: expect.objectContaining({ requests: 0, agentsLoggedIn: 0 }) },
      pendingAnswers: [],
      kinds: expect.arrayContaining(['answered', 'number-id', 'screen-pop']),
      answerKinds: expect.arrayContaining(['html', 'slow']),
    });
  });
});

describe('the log of the simulator', () => {
  it('contains calls and quirks, and nothing personal or secret', async () => {
    const simulator = await start();
    const { body } = await send(simulator, { count: 40, seed: 3, pace: 0 });
    await send(simulator, { kind: 'key-beside-data' });

    const text = [...logged, JSON.stringify(body), JSON.stringify(await report(simulator))].join('\n');
    for (const id of body.callIds) expect(text).toContain(id);
    expect(text).toContain('key-beside-data');
    for (const secret of [apiKey, 'a-secret', '44770', '44163', '44207', 'Asha', 'asha', 'example.com'])
      expect(text).not.toContain(secret);
  });
});

describe('traffic', () => {
  it('has agents logged in from the start; the same seed has the same agents', async () => {
    const { clock } = stoppedClock();
    const [one, same, other] = [
      await start({ traffic: true, clock, seed: 1 }),
      await start({ traffic: true, clock, seed: 1 }),
      await start({ traffic: true, clock, seed: 2 }),
    ];

    expect(one.agents()['demo']?.length).toBeGreaterThan(20);
    expect(same.agents()).toEqual(one.agents());
    expect(other.agents()).not.toEqual(one.agents());
  });
});

describe('stop', () => {
  it('ends every connection, timer and server, so that a process with open posts ends', async () => {
    const silent = await startReceiver(() => undefined);
    const settings = { port: 0, callbackUrl: silent.url, accounts: [account], traffic: true };
    const code = `import { startSimulator } from './sandbox/simulator/index.ts';
    const simulator = await startSimulator(${JSON.stringify(settings)});
    simulator.setTraffic({ callsPerMinute: 600 });
    process.once('SIGTERM', () => simulator.stop());
    process.stdout.write(simulator.url);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 50_000,
    });
    const [url] = await once(child.stdout, 'data');
    const open = fetch(`${url}/_simulator/calls`, { method: 'POST', body: '{"count":3}' }).catch(() => 'aborted');
    await expect.poll(() => silent.posts().length).toBeGreaterThanOrEqual(3);

    const ended = once(child, 'exit');
    child.kill('SIGTERM');

    expect(await ended).toEqual([0, null]);
    expect(await open).toBe('aborted');
    await silent.close();
  });
});

const post: Post = {
  afterSeconds: 0,
  contentType: 'application/x-www-form-urlencoded',
  body: 'data=%7B%7D',
  query: '',
  callId: '12345678901234567',
  kinds: ['answered'],
};

const arrange = async (
  statusFor?: (request: Arrived, index: number) => number | undefined,
  changes: Partial<OutboxSettings> = {},
) => {
  const receiver = await startReceiver(statusFor);
  onTestFinished(receiver.close);
  const logged: string[] = [];
  const slept: number[] = [];
  const clock = {
    now: () => noon,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
    },
  };
  const sender = createWebhookSender({
    callbackUrl: `${receiver.url}/a-secret/`,
    clock,
    log: (line) => logged.push(line),
    stopped: new AbortController().signal,
    ...changes,
  });
  return { receiver, logged, slept, sender };
};

describe('createWebhookSender', () => {
  it('checks the address once with HEAD and GET before the first post', async () => {
    const { sender, receiver, logged } = await arrange();

    await Promise.all([sender.deliver(post), sender.deliver(post)]);
    await sender.deliver(post);

    expect(receiver.arrived.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'POST', 'POST', 'POST']);
    expect(sender.counts()).toMatchObject({ addressCheck: { HEAD: 200, GET: 200 } });
    expect(logged[0]).toBe('address check: HEAD 200, GET 200, accepted');
  });

  it('posts the unchanged body and query to callDetails below the base address', async () => {
    const { sender, receiver } = await arrange();

    expect(await sender.deliver({ ...post, query: 'tenant=1' })).toBe(200);
    expect(await sender.deliver(post)).toBe(200);

    expect(receiver.posts()).toEqual([
      { method: 'POST', url: '/a-secret/callDetails?tenant=1', contentType: post.contentType, body: post.body },
      { method: 'POST', url: '/a-secret/callDetails', contentType: post.contentType, body: post.body },
    ]);
  });

  it('retries after any status but 200, with growing waits', async () => {
    const { sender, receiver, slept } = await arrange((_, index) => [400, 503, 200][index]);

    expect(await sender.deliver(post)).toBe(200);

    expect(receiver.posts().map(({ body }) => body)).toEqual([post.body, post.body, post.body]);
    expect(slept).toEqual([1000, 2000]);
    expect(sender.counts()).toEqual({
      ...{ calls: 1, posts: 1, postsByKind: { answered: 1 }, retries: 2, addressCheck: { HEAD: 200, GET: 200 } },
      answers: { 200: 1, 400: 1, 503: 1 },
    });
  });

  it.each<[string, number | string, () => number | undefined, boolean]>([
    ['an error', 500, () => 500, false],
    ['no answer in time', 'timeout', () => undefined, false],
    ['nobody who listens', 'network', () => 200, true],
  ])('gives up after the third attempt that meets %s', async (_what, outcome, statusFor, isClosed) => {
    const { sender, receiver, logged } = await arrange(statusFor, { timeoutMs: 50 });
    if (isClosed) await receiver.close();

    expect(await sender.deliver(post)).toBe(outcome);
    expect(sender.counts()).toMatchObject({ posts: 1, answers: { [outcome]: 3 }, retries: 2 });
    expect(logged.at(-1)).toBe(`call 12345678901234567, answered: ${outcome}, given up`);
    if (isClosed)
      expect(logged[0]).toBe('address check: HEAD network, GET network, invalid URL: the service would not use it');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createWebhookSender } from '../../../sandbox/simulator/outbox.ts';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { account, apiKey, noon, startReceiver, startService, stoppedClock } from './support.ts';

type Changes = Parameters<typeof startService>[0];

/** The simulated service, and the receiver to which it posts. */
const start = async (changes: Changes = {}) => {
  const receiver = await startReceiver();
  return { ...(await startService({ callbackUrl: `${receiver.url}/a-secret`, ...changes })), receiver };
};

describe('POST /_simulator/calls', () => {
  it('sends calls at once, and reports what it sent', async () => {
    const { calls, receiver } = await start();
    const sent = await calls({ count: 3, kind: 'answered' });

    expect(sent).toEqual({ callIds: expect.any(Array), posts: 3, later: 0, answers: { 200: 3 } });
    expect(receiver.posts()).toHaveLength(3);
    for (const [index, id] of sent.callIds.entries()) expect(receiver.posts()[index]?.body).toContain(id);
  });

  it('sends the same bodies for the same seed and moment', async () => {
    const run = async (seed: number) => {
      const { calls, receiver } = await start({ seed });
      const sent = await calls({ count: 5, seed: 42, at: '2026-11-21T12:00:00Z', pace: 0 });
      return [
        sent,
        receiver
          .posts()
          .map(({ body }) => body)
          .sort(),
      ];
    };

    expect(await run(2)).toEqual(await run(1));
  });

  it('sends later posts later, and counts them', async () => {
    const { clock, sleepers } = stoppedClock();
    const { calls, receiver } = await start({ clock });

    expect(await calls({ kind: 'late-disposition' })).toMatchObject({ posts: 2, later: 1, answers: { 200: 1 } });
    expect(receiver.posts()).toHaveLength(1);
    await expect.poll(() => sleepers.length).toBe(1);
    sleepers[0]?.();
    await expect.poll(() => receiver.posts().length).toBe(2);
  });

  const ofCalls = /\. Send a JSON object with any of count, kind, seed, at, .*, pace\.$/;
  const unknown = /^There is no such account\. There are: demo\.$/;
  const noPath = /^The simulator has no such path\. It has: GET \/_simulator, .*POST \/_simulator\/answers/;

  it.each<[string, string, string | undefined, number, ...RegExp[]]>([
    ['POST', 'calls', '{', 400, /expected object/, ofCalls],
    ['POST', 'calls', '{"kind":"nonsense"}', 400, /kind: /, ofCalls],
    ['POST', 'calls', '{"count":0}', 400, /count: /, ofCalls],
    ['POST', 'calls', '{"count":1001}', 400, /count: Too big: expected number to be <=1000/, ofCalls],
    ['POST', 'calls', '{"colour":"red"}', 400, /colour/, ofCalls],
    ['POST', 'report', '{"ids":"odd"}', 400, /^ids: .*"text"/, /Send a JSON object with any of token, .*account\.$/],
    ['POST', 'report', '{"account":"nobody"}', 400, unknown],
    ['POST', 'answers', '{"kind":"429","account":"nobody"}', 400, unknown],
    ['POST', 'answers', '', 400, /^kind: .* any of kind, count, account, seconds, location\.$/],
    ['PUT', 'calls', '', 404, noPath],
    ['GET', 'nowhere', undefined, 404, noPath],
  ])(
    'rejects %s %s %s, names why and what is allowed, and posts nothing',
    async (method, path, body, status, ...said) => {
      const { ask, receiver } = await start();
      const answer = await ask(`/_simulator/${path}`, { method, ...(body !== undefined && { body }) });

      expect(answer.status).toBe(status);
      for (const each of said) expect(Object(answer.json).message).toMatch(each);
      expect(receiver.arrived).toEqual([]);
    },
  );
});

it('GET /_simulator counts calls, posts by kind, answers and retries, and lists the kinds', async () => {
  const { calls, ask } = await start();
  await calls({ count: 2, kind: 'twice-at-once' });
  await calls({ kind: 'screen-pop' });

  expect((await ask('/_simulator', { method: 'GET' })).json).toEqual({
    seed: 1,
    calls: 2,
    posts: 5,
    answers: { 200: 5 },
    retries: 0,
    inFlight: 0,
    pendingAnswers: [],
    postsByKind: { answered: 4, 'twice-at-once': 4, 'screen-pop': 1 },
    addressCheck: { HEAD: 200, GET: 200 },
    accounts: { demo: expect.objectContaining({ requests: 0, agentsLoggedIn: 0 }) },
    kinds: expect.arrayContaining(['answered', 'number-id', 'screen-pop']),
    answerKinds: expect.arrayContaining(['html', 'slow']),
  });
});

it('the log of the simulator contains calls and quirks, and nothing personal or secret', async () => {
  const logged: string[] = [];
  const { calls, ask } = await start({ onLog: (line) => logged.push(line) });
  const sent = await calls({ count: 40, seed: 3, pace: 0 });
  await calls({ kind: 'key-beside-data' });

  const shown = [...logged, JSON.stringify(sent), (await ask('/_simulator', { method: 'GET' })).text].join('\n');
  for (const id of [...sent.callIds, 'key-beside-data']) expect(shown).toContain(id);
  for (const secret of [apiKey, 'a-secret', '44770', '44163', '44207', 'Asha', 'asha', 'example.com'])
    expect(shown).not.toContain(secret);
});

it('traffic has agents logged in from the start; the same seed has the same agents', async () => {
  const { clock } = stoppedClock();
  const agentsOf = async (seed: number) => (await start({ traffic: true, clock, seed })).simulator.agents();
  const one = await agentsOf(1);
  const same = await agentsOf(1);
  const other = await agentsOf(2);

  expect(one['demo']?.length).toBeGreaterThan(20);
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

it('stop ends every connection, timer and server, so that a process with open posts ends', async () => {
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
  expect([await ended, await open]).toEqual([[0, null], 'aborted']);
});

describe('createWebhookSender', () => {
  const post: Post = {
    afterSeconds: 0,
    contentType: 'application/x-www-form-urlencoded',
    body: 'data=%7B%7D',
    query: '',
    callId: '12345678901234567',
    kinds: ['answered'],
  };
  const addressCheck = { HEAD: 200, GET: 200 };

  /** A sender to a receiver, with what it logged and for how long it slept. */
  const senderTo = async (statusFor?: (index: number) => number | undefined, timeoutMs = 60_000) => {
    const receiver = await startReceiver(statusFor);
    const [logged, slept]: [string[], number[]] = [[], []];
    const sender = createWebhookSender({
      callbackUrl: `${receiver.url}/a-secret/`,
      timeoutMs,
      stopped: new AbortController().signal,
      clock: { now: () => noon, sleep: async (milliseconds) => void slept.push(milliseconds) },
      log: (line) => logged.push(line),
    });
    return { receiver, logged, slept, sender };
  };

  it('checks the address once with HEAD and GET, and posts body and query unchanged to callDetails below it', async () => {
    const { sender, receiver, logged } = await senderTo();
    const posted = await Promise.all([sender.deliver({ ...post, query: 'tenant=1' }), sender.deliver(post)]);
    posted.push(await sender.deliver(post));

    expect(posted).toEqual([200, 200, 200]);
    expect(receiver.arrived.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'POST', 'POST', 'POST']);
    expect(sender.counts()).toMatchObject({ addressCheck });
    expect(logged[0]).toBe('address check: HEAD 200, GET 200, accepted');
    const { contentType, body } = post;
    for (const [query, count] of Object.entries({ '': 2, '?tenant=1': 1 })) {
      const sent = { method: 'POST', url: `/a-secret/callDetails${query}`, contentType, body };
      expect(receiver.posts().filter(({ url }) => url === sent.url)).toEqual(Array(count).fill(sent));
    }
  });

  it('retries after any status but 200, with growing waits', async () => {
    const { sender, receiver, slept } = await senderTo((index) => [400, 503, 200][index]);

    expect(await sender.deliver(post)).toBe(200);
    expect(receiver.posts().map(({ body }) => body)).toEqual([post.body, post.body, post.body]);
    expect(slept).toEqual([1000, 2000]);
    expect(sender.counts()).toEqual({
      calls: 1,
      posts: 1,
      postsByKind: { answered: 1 },
      retries: 2,
      addressCheck,
      answers: { 200: 1, 400: 1, 503: 1 },
    });
  });

  it.each<[string, number | string, () => number | undefined]>([
    ['an error', 500, () => 500],
    ['no answer in time', 'timeout', () => undefined],
    ['nobody who listens', 'network', () => 200],
  ])('gives up after the third attempt that meets %s', async (_what, outcome, statusFor) => {
    const { sender, receiver, logged } = await senderTo(statusFor, outcome === 'timeout' ? 50 : undefined);
    if (outcome === 'network') receiver.close();

    expect(await sender.deliver(post)).toBe(outcome);
    expect(sender.counts()).toMatchObject({ posts: 1, answers: { [outcome]: 3 }, retries: 2 });
    expect(logged.at(-1)).toBe(`call 12345678901234567, answered: ${outcome}, given up`);
    if (outcome === 'network')
      expect(logged[0]).toBe('address check: HEAD network, GET network, invalid URL: the service would not use it');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallsSent } from '../../../sandbox/simulator/control-routes.ts';
import { type Simulator, type SimulatorSettings, startSimulator } from '../../../sandbox/simulator/index.ts';
import { account, noon } from './support/calls.ts';
import { manualClock, startReceiver } from './support/service.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let simulators: Simulator[] = [];
let told: string[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  told = [];
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
    account,
    traffic: false,
    seed: 1,
    onLog: (line) => told.push(line),
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
  it('sends calls at once without traffic, and says what it sent', async () => {
    const simulator = await start();

    const { status, body } = await send(simulator, { count: 3, kind: 'answered' });

    expect(status).toBe(200);
    expect(body).toEqual({ callIds: expect.any(Array), posts: 3, later: 0, answers: { 200: 3 } });
    expect(receiver.posts()).toHaveLength(3);
    for (const [index, id] of body.callIds.entries()) expect(receiver.posts()[index]?.body).toContain(id);
  });

  it('sends one call where nothing is asked for', async () => {
    const { body } = await send(await start(), '');

    expect(body.callIds).toHaveLength(1);
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

  it('sends other calls each time without a seed', async () => {
    const simulator = await start();

    const ids = [(await send(simulator, {})).body.callIds, (await send(simulator, {})).body.callIds].flat();

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('leaves what is due later for later, and tells how much', async () => {
    const { clock, toNext, sleeping } = manualClock(noon);
    const simulator = await start({ clock });

    const { body } = await send(simulator, { kind: 'late-disposition' });
    expect(body).toMatchObject({ posts: 2, later: 1, answers: { 200: 1 } });
    expect(receiver.posts()).toHaveLength(1);

    await expect.poll(sleeping).toBe(1);
    toNext();
    await expect.poll(() => receiver.posts().length).toBe(2);
  });

  it('answers when all is sent where no pace is wanted', async () => {
    const { body } = await send(await start(), { kind: 'late-disposition', pace: 0 });

    expect(body).toMatchObject({ posts: 2, later: 0, answers: { 200: 2 } });
  });

  it.each([
    ['not JSON', '{', 'expected object'],
    ['an unknown kind', { kind: 'nonsense' }, 'at kind'],
    ['no call', { count: 0 }, 'at count'],
    ['too many calls', { count: 1001 }, 'at count'],
    ['an unknown setting', { colour: 'red' }, 'colour'],
  ])('refuses %s and says why', async (_, request, reason) => {
    const { status, body } = await send(await start(), request);

    expect(status).toBe(400);
    expect(body).toEqual({ status: 'error', message: expect.stringContaining(reason) });
    expect(receiver.arrived).toEqual([]);
  });
});

describe('GET /_simulator', () => {
  it('counts calls, posts by kind, answers and retries, and knows what can be asked for', async () => {
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

describe('what is told', () => {
  it('names calls and quirks, and nothing personal or secret', async () => {
    const simulator = await start();
    const { body } = await send(simulator, { count: 40, seed: 3, pace: 0 });
    await send(simulator, { kind: 'key-beside-data' });

    const text = [...told, JSON.stringify(body), JSON.stringify(await report(simulator))].join('\n');
    for (const id of body.callIds) expect(text).toContain(id);
    expect(text).toContain('key-beside-data');
    for (const secret of [account.apiKey, 'a-secret', '44770', '44163', '44207', 'Asha', 'asha', 'example.com'])
      expect(text).not.toContain(secret);
  });
});

describe('traffic', () => {
  it('begins by itself soon after the start', async () => {
    const { clock, toNext, sleeping } = manualClock(noon);
    await start({ traffic: true, clock });

    await expect.poll(sleeping).toBe(1);
    toNext();
    expect(clock.now()).toBeLessThanOrEqual(noon + 2000);
    await expect.poll(() => receiver.posts().length).toBeGreaterThan(0);
  });

  it('has agents logged in from the start, the same for the same seed', async () => {
    const { clock } = manualClock(noon);
    const [one, same, other] = [
      await start({ traffic: true, clock, seed: 1 }),
      await start({ traffic: true, clock, seed: 1 }),
      await start({ traffic: true, clock, seed: 2 }),
    ];

    expect(one.agents()['demo']?.length).toBeGreaterThan(20);
    expect(same.agents()).toEqual(one.agents());
    expect(other.agents()).not.toEqual(one.agents());
  });

  it.each([0, -1, Number.NaN, 601])('of %d calls a minute is refused', async (callsPerMinute) => {
    await expect(start({ traffic: true, callsPerMinute })).rejects.toThrow(RangeError);
  });
});

describe('startSimulator', () => {
  it('rejects where the port is taken, and names the flag', async () => {
    const { url } = await start();

    await expect(start({ port: Number(new URL(url).port) })).rejects.toThrow(/in use.*--provider-port/);
  });
});

describe('stop', () => {
  it('leaves no connection, timer or server behind, so that a process with open posts ends by itself', async () => {
    const silent = await startReceiver(() => undefined);
    const script = fileURLToPath(new URL('support/run-until-terminated.ts', import.meta.url));
    const child = spawn(process.execPath, [script, silent.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 15_000,
    });
    const [url] = await once(child.stdout, 'data');
    const open = fetch(`${url}/_simulator/calls`, { method: 'POST', body: '{"count":3}' }).catch(() => 'cut');
    await expect.poll(() => silent.posts().length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);

    const ended = once(child, 'exit');
    child.kill('SIGTERM');

    expect(await ended).toEqual([0, null]);
    expect(await open).toBe('cut');
    await silent.close();
  });

  it('ends a wait for a later post', async () => {
    const simulator = await start();
    await send(simulator, { kind: 'late-disposition' });
    expect((await report(simulator)).inFlight).toBe(1);

    await simulator.stop();

    expect(receiver.posts()).toHaveLength(1);
  });

  it('may be called twice', async () => {
    const simulator = await start();

    await Promise.all([simulator.stop(), simulator.stop()]);
    await simulator.stop();
  });
});

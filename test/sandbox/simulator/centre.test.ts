import { describe, expect, it } from 'vitest';
import { longestCallMilliseconds } from '../../../sandbox/simulator/call.ts';
import { createLiveCentre, createSimulatedCentre } from '../../../sandbox/simulator/centre.ts';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { shiftsFor } from '../../../sandbox/simulator/shifts.ts';
import type { SimulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { createTraffic, type TrafficSettings } from '../../../sandbox/simulator/traffic.ts';
import { account, firstOf, noon, startService, stoppedClock } from './support.ts';

const sampleMilliseconds = 5_000;

/** The calls of some minutes with the times of their first posts, and the agents' states every five seconds. */
const trafficOf = async (
  minutes: number,
  callsPerMinute: number,
  { seed = 11, halfTime }: { readonly seed?: number; readonly halfTime?: Partial<TrafficSettings['rules']> } = {},
) => {
  const staff = createSimulatedCentre(seededRandom(1), 4 * callsPerMinute);
  const shifts = shiftsFor(seededRandom(seed), staff.agents, noon);
  const centre = createLiveCentre(staff, shifts);
  const stopping = new AbortController();
  const launched: { readonly at: number; readonly posts: readonly Post[] }[] = [];
  const states = new Map<number, ReadonlyMap<string, string>>();

  let now = noon;
  let changes = halfTime;
  const sample = (): void => {
    states.set(now, new Map(centre.loggedInAt(now).map(({ id, state }) => [id, state])));
  };
  const clock = {
    now: () => now,
    async sleep(milliseconds: number, signal: AbortSignal) {
      const until = now + milliseconds;
      for (; now < until; now += Math.min(until - now, sampleMilliseconds - ((now - noon) % sampleMilliseconds))) {
        if (changes !== undefined && now >= noon + minutes * 30_000) {
          traffic.change({ ...rules, ...changes });
          changes = undefined;
        }
        if (signal.aborted) return;
        if ((now - noon) % sampleMilliseconds === 0) sample();
      }
      if (now >= noon + minutes * 60_000) stopping.abort();
    },
  };
  const launch = ({ posts }: SimulatedCall) => launched.push({ at: now, posts });
  const random = seededRandom(seed);
  const rules = { on: true, callsPerMinute, kinds: [] };
  const stopped = stopping.signal;
  const traffic = createTraffic({ random, readAccount: () => account, centre, rules, clock, stopped, launch });
  // Nothing here waits for real time, so this comes only once the traffic has nothing left to do.
  setImmediate(() => stopping.abort());
  await traffic.run();

  return { launched, states };
};

/** The tests share one simulated hour, as it takes long to compute. */
const hour = trafficOf(60, 20);

const instantOf = (local: unknown): number => Date.parse(`${String(local).replace(' ', 'T')}+05:30`);

/** Calls of one agent without quirks, read from their callbacks. */
const plainCalls = ({ launched }: Awaited<ReturnType<typeof trafficOf>>) =>
  launched
    .flatMap(({ at, posts }) => posts.map((post) => ({ at, post })))
    .filter(({ post }) => post.kinds.join() === 'answered')
    .map(({ at, post }) => {
      const summary = firstOf(post);
      const startedAt = instantOf(summary['StartTime']);
      const [, ring = 0] = /:(\d+)$/.exec(String(summary['TimeToAnswer'])) ?? [];
      return {
        at,
        agentId: String(summary['AgentID']),
        startedAt,
        talksAt: startedAt + Number(ring) * 1000,
        endedAt: instantOf(summary['EndTime']),
      };
    });

describe('createTraffic', () => {
  it('begins within two seconds and has about the requested rate', async () => {
    const { launched } = await hour;

    expect(launched[0]?.at).toBeLessThanOrEqual(noon + 2000);
    expect(launched.length / 60).toBeGreaterThan(16);
    expect(launched.length / 60).toBeLessThan(24);
  });

  it('has the same calls, shifts and breaks for the same seed', async () => {
    const one = await trafficOf(3, 20);
    const same = await trafficOf(3, 20);
    const other = await trafficOf(3, 20, { seed: 12 });

    expect(same).toEqual(one);
    expect(other.states).not.toEqual(one.states);
  });

  it('never has an agent in two calls at the same time', async () => {
    const byAgent = Map.groupBy(plainCalls(await hour), ({ agentId }) => agentId);

    for (const calls of byAgent.values()) {
      const inOrder = calls.toSorted((one, other) => one.startedAt - other.startedAt);
      for (const [index, { startedAt }] of inOrder.entries())
        expect(startedAt).toBeGreaterThan(inOrder[index - 1]?.endedAt ?? 0);
    }
    expect([...byAgent.values()].some((calls) => calls.length > 1)).toBe(true);
  });

  it.each([
    ['at one rate', () => hour],
    ['across a change of the rate', () => trafficOf(30, 10, { halfTime: { callsPerMinute: 40 } })],
  ])('shows agents in exactly the calls of the callbacks, %s', async (_, run) => {
    const traffic = await run();
    const seen = plainCalls(traffic).flatMap(({ agentId, startedAt, talksAt, endedAt, at: postedAt }) =>
      [...traffic.states]
        .filter(([at]) => at >= startedAt && at < postedAt - 999)
        .map(([at, states]) => ({
          state: states.get(agentId),
          expected: at < talksAt ? 'calling' : at < endedAt ? 'INCALL' : 'ACW',
        })),
    );

    expect(seen.length).toBeGreaterThan(300);
    expect(seen.filter(({ state, expected }) => state !== expected)).toEqual([]);
  });

  it.each<[string, Partial<TrafficSettings['rules']>, number, RegExp]>([
    ['has another rate', { callsPerMinute: 40 }, 400, /./],
    [
      'has only the kinds that are wanted, and callers who find nobody free',
      { kinds: ['answered', 'number-id'] },
      100,
      /answered|number-id|abandoned/,
    ],
    ['has no further call at the rate 0', { callsPerMinute: 0 }, 0, /./],
    ['has no further call once it is switched off', { on: false }, 0, /./],
  ])('%s once the calls in progress have ended', async (_, halfTime, expected, kinds) => {
    const half = noon + 10 * 60_000;
    const { launched, states } = await trafficOf(20, 10, { halfTime });
    const later = launched.filter(({ at }) => at > half + longestCallMilliseconds);

    expect(launched.filter(({ at }) => at < half).length).toBeGreaterThan(70);
    expect(later.length).toBeGreaterThanOrEqual(0.7 * expected * (400 / 600));
    expect(later.length).toBeLessThanOrEqual(1.3 * expected * (400 / 600));
    expect(later.flatMap(({ posts }) => posts).filter((post) => !kinds.test(post.kinds.join()))).toEqual([]);
    if (halfTime.on === false) expect(launched.filter(({ at }) => at > half)).toEqual([]);
    expect(states.size).toBeGreaterThan(100);
  });
});

const start = () =>
  startService({ accounts: [account, { userName: 'other', apiKeys: ['other-key'], timeZone: 'UTC' }] });

describe('a script of agents', () => {
  it('applies steps in their order', async () => {
    const service = await start();
    await service.script([
      { action: 'log-in', agentId: 'a', name: 'A', phoneNumber: '1', skills: ['Sales'] },
      { action: 'log-in', agentId: 'b' },
      { action: 'set-state', agentId: 'a', state: 'Tea time', phoneNumber: '2' },
      { action: 'log-out', agentId: 'b' },
      { action: 'log-in', agentId: 'b', state: 'Idle', skills: ['Billing', 'Returns'] },
    ]);

    expect(Object((await service.logins()).json).message).toEqual([
      { AgentId: 'a', AgentName: 'A', PhoneNumber: '2', AgentState: 'Tea time', SkillName: 'Sales' },
      expect.objectContaining({ AgentId: 'b', AgentState: 'Idle', SkillName: 'Billing, Returns' }),
    ]);
  });

  const noAgent = { action: 'set-state', state: 'ACW' };
  const logOut = { action: 'log-out', agentId: 'a' };
  it.each<[string, unknown, number, string]>([
    ['a step without its agent', noAgent, 400, 'agentId: Invalid input'],
    ['a list with such a step', [logOut, noAgent], 400, '1.agentId: '],
    ['an unknown action', [{ action: 'dance', agentId: 'a' }], 400, '0.action: '],
    ['an unknown field', { ...logOut, state: 'READY' }, 400, 'Unrecognized key: "state"'],
    ['skills that are no list', { action: 'log-in', agentId: 'b', skills: 'Sales' }, 400, 'skills: '],
    ['a body that is no step', 7, 400, '0: '],
    ['an agent who is not logged in', { ...noAgent, agentId: 'b' }, 404, 'agentId: "b" is not logged in'],
    ['an agent who has just logged out', [logOut, logOut], 404, '1.agentId: '],
    ['an agent who is logged in', [{ action: 'log-in', agentId: 'a' }], 409, '0.agentId: "a" is already logged in'],
    [
      'an unknown account',
      { ...logOut, account: 'nobody' },
      404,
      'account: Unknown account; the accounts are demo, other',
    ],
  ])('rejects %s, and applies none of the steps', async (_what, steps, status, message) => {
    const service = await start();
    await service.script({ action: 'log-in', agentId: 'a', state: 'ACW' });
    const before = service.simulator.agents();

    expect(await service.script(steps)).toMatchObject({ status, json: { message: expect.stringContaining(message) } });
    expect(service.simulator.agents()).toEqual(before);
  });
});

describe('a script while there is traffic', () => {
  it('removes an agent from the simulation for good', async () => {
    const { clock } = stoppedClock();
    const service = await startService({ traffic: true, clock });
    const [first] = service.simulator.agents()['demo'] ?? [];
    const who = { agentId: first?.agentId };

    expect(await service.script({ action: 'log-in', ...who })).toMatchObject({ status: 409 });
    await service.script({ action: 'set-state', ...who, state: 'Lunching' });
    expect(service.simulator.agents()['demo']).toContainEqual({ ...first, state: 'Lunching' });
    await service.script({ action: 'log-out', ...who });
    expect(service.simulator.agents()['demo']).not.toContainEqual(expect.objectContaining(who));
  });
});

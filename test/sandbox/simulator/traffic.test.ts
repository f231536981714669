import { describe, expect, it } from 'vitest';
import { createFloor } from '../../../sandbox/simulator/floor/floor.ts';
import { busyStateOf, createLiveFloor } from '../../../sandbox/simulator/floor/live-floor.ts';
import { intervalAt, shiftsFor } from '../../../sandbox/simulator/floor/shifts.ts';
import type { Post } from '../../../sandbox/simulator/posts/post.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { runTraffic } from '../../../sandbox/simulator/traffic.ts';
import { account, firstOf, noon } from './support/calls.ts';

const sampleMilliseconds = 5_000;

/** The calls of some minutes, each with the moment of its first post, and the agents' states every five seconds. */
const trafficOf = async (minutes: number, callsPerMinute: number, seed = 11) => {
  const staff = createFloor(seededRandom(1), 4 * callsPerMinute);
  const shifts = shiftsFor(seededRandom(seed), staff.agents, noon);
  const floor = createLiveFloor(staff, shifts);
  const stopping = new AbortController();
  const launched: { readonly at: number; readonly posts: readonly Post[] }[] = [];
  const states = new Map<number, ReadonlyMap<string, string>>();
  const engagements: { readonly agentId: string; readonly inCall: string; readonly byShift: string | undefined }[][] =
    [];

  let now = noon;
  const sample = (): void => {
    states.set(now, new Map(floor.loggedInAt(now).map(({ id, state }) => [id, state])));
    engagements.push(
      floor.planned().engagements.flatMap((engagement) => {
        const { id: agentId } = engagement.agent;
        const own = shifts.get(agentId);
        const inCall = busyStateOf(engagement, now);
        return inCall === undefined ? [] : [{ agentId, inCall, byShift: own && intervalAt(own, now).state }];
      }),
    );
  };
  const clock = {
    now: () => now,
    async sleep(milliseconds: number) {
      const until = now + milliseconds;
      for (; now < until; now += Math.min(until - now, sampleMilliseconds - ((now - noon) % sampleMilliseconds)))
        if ((now - noon) % sampleMilliseconds === 0) sample();
      if (now >= noon + minutes * 60_000) stopping.abort();
    },
  };
  const launch = (posts: readonly Post[]) => launched.push({ at: now, posts });
  const random = seededRandom(seed);
  await runTraffic({ random, account, floor, callsPerMinute, clock, stopped: stopping.signal, launch });

  return { launched, states, engagements };
};

const instantOf = (local: unknown): number => Date.parse(`${String(local).replace(' ', 'T')}+05:30`);

/** Calls of one agent without a quirk, as their callbacks tell of them. */
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

describe('runTraffic', () => {
  it('begins within two seconds and keeps about its pace', async () => {
    const { launched } = await trafficOf(30, 20);

    expect(launched[0]?.at).toBeLessThanOrEqual(noon + 2000);
    expect(launched.length / 30).toBeGreaterThan(16);
    expect(launched.length / 30).toBeLessThan(24);
  });

  it('repeats calls, shifts and breaks for the same seed', async () => {
    const [one, same, other] = [await trafficOf(3, 20), await trafficOf(3, 20), await trafficOf(3, 20, 12)];

    expect(same).toEqual(one);
    expect(other.states).not.toEqual(one.states);
  });

  it('finds an agent for nearly all calls', async () => {
    const { launched } = await trafficOf(60, 20);
    const abandoned = launched.filter(({ posts }) => posts.some(({ kinds }) => kinds.includes('abandoned')));

    expect(abandoned.length / launched.length).toBeLessThan(0.12);
  });

  it('posts a call within its wrap-up after it has ended', async () => {
    const plain = plainCalls(await trafficOf(5, 20));

    expect(plain.length).toBeGreaterThan(3);
    for (const { at, endedAt } of plain) {
      expect(at - endedAt).toBeGreaterThanOrEqual(5_000);
      expect(at - endedAt).toBeLessThan(21_000);
    }
  });

  it('never has an agent in two calls at the same time', async () => {
    const byAgent = Map.groupBy(plainCalls(await trafficOf(20, 20)), ({ agentId }) => agentId);

    for (const calls of byAgent.values()) {
      const inOrder = calls.toSorted((one, other) => one.startedAt - other.startedAt);
      for (const [index, { startedAt }] of inOrder.entries())
        expect(startedAt).toBeGreaterThan(inOrder[index - 1]?.endedAt ?? 0);
    }
    expect([...byAgent.values()].some((calls) => calls.length > 1)).toBe(true);
  });

  it('shows agents, for an hour, in exactly the calls that callbacks tell of', async () => {
    const traffic = await trafficOf(60, 20);
    const seen = plainCalls(traffic).flatMap(({ agentId, startedAt, talksAt, endedAt, at: postedAt }) =>
      [...traffic.states]
        .filter(([at]) => at >= startedAt && at < postedAt - 999)
        .map(([at, states]) => ({
          state: states.get(agentId),
          expected: at < talksAt ? 'calling' : at < endedAt ? 'INCALL' : 'ACW',
        })),
    );

    expect(seen.length).toBeGreaterThan(500);
    expect(seen.filter(({ state, expected }) => state !== expected)).toEqual([]);
  });

  it('has nobody in a call, for an hour, who is logged out, on a break or in another call', async () => {
    const { engagements } = await trafficOf(60, 20);

    expect(engagements.flat().length).toBeGreaterThan(10_000);
    expect(engagements.flat().filter(({ byShift }) => byShift !== 'READY')).toEqual([]);
    for (const atOnce of engagements) expect(new Set(atOnce.map(({ agentId }) => agentId)).size).toBe(atOnce.length);
  });

  it('shows some at work, some ready and some on a break, and lets them come and go', async () => {
    const { states } = await trafficOf(10, 20);
    const words = [...states.values()].map((floor) => new Set(floor.values()));

    for (const [index, floor] of words.entries()) if (index > 12) expect(floor).toContain('INCALL');
    expect(new Set(words.flatMap((floor) => [...floor]))).toEqual(
      new Set([
        'READY',
        'calling',
        'INCALL',
        'ACW',
        'PAUSE',
        'Pause',
        'AUX',
        'Aux',
        'Idle',
        'IDLE',
        'BUSY',
        'Busy',
        'release',
      ]),
    );
    expect(new Set([...states.values()].map((floor) => [...floor.keys()].join())).size).toBeGreaterThan(10);
  });
});

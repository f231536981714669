import { describe, expect, it } from 'vitest';
import { createFloor } from '../../../sandbox/simulator/floor/floor.ts';
import { createLiveFloor } from '../../../sandbox/simulator/floor/live-floor.ts';
import { shiftsFor } from '../../../sandbox/simulator/floor/shifts.ts';
import type { Post } from '../../../sandbox/simulator/posts/post.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import type { SimulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { runTraffic } from '../../../sandbox/simulator/traffic.ts';
import { account, firstOf, noon } from './support/calls.ts';

const sampleMilliseconds = 5_000;

/** The calls of some minutes with the times of their first posts, and the agents' states every five seconds. */
const trafficOf = async (minutes: number, callsPerMinute: number, seed = 11) => {
  const staff = createFloor(seededRandom(1), 4 * callsPerMinute);
  const shifts = shiftsFor(seededRandom(seed), staff.agents, noon);
  const floor = createLiveFloor(staff, shifts);
  const stopping = new AbortController();
  const launched: { readonly at: number; readonly posts: readonly Post[] }[] = [];
  const states = new Map<number, ReadonlyMap<string, string>>();

  let now = noon;
  const sample = (): void => {
    states.set(now, new Map(floor.loggedInAt(now).map(({ id, state }) => [id, state])));
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
  const launch = ({ posts }: SimulatedCall) => launched.push({ at: now, posts });
  const random = seededRandom(seed);
  await runTraffic({ random, account, floor, callsPerMinute, clock, stopped: stopping.signal, launch });

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

describe('runTraffic', () => {
  it('begins within two seconds and has about the requested rate', async () => {
    const { launched } = await hour;

    expect(launched[0]?.at).toBeLessThanOrEqual(noon + 2000);
    expect(launched.length / 60).toBeGreaterThan(16);
    expect(launched.length / 60).toBeLessThan(24);
  });

  it('has the same calls, shifts and breaks for the same seed', async () => {
    const [one, same, other] = [await trafficOf(3, 20), await trafficOf(3, 20), await trafficOf(3, 20, 12)];

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

  it('shows agents in exactly the calls of the callbacks', async () => {
    const traffic = await hour;
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
});

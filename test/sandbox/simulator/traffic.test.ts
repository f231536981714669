import { describe, expect, it } from 'vitest';
import { createFloor } from '../../../sandbox/simulator/floor/floor.ts';
import type { Post } from '../../../sandbox/simulator/posts/post.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { runTraffic } from '../../../sandbox/simulator/traffic.ts';
import { account, noon } from './support/calls.ts';
import { manualClock } from './support/manual-clock.ts';
import { firstOf } from './support/opened-post.ts';

/** The calls of some minutes, each with the moment of its first post. */
const trafficOf = async (minutes: number, callsPerMinute: number) => {
  const { clock, toNext, sleeping } = manualClock(noon);
  const stopping = new AbortController();
  const launched: { readonly at: number; readonly posts: readonly Post[] }[] = [];
  const launch = (posts: readonly Post[]) => launched.push({ at: clock.now(), posts });
  const random = seededRandom(11);
  const floor = createFloor(seededRandom(1), 60);
  const running = runTraffic({ random, account, callsPerMinute, clock, stopped: stopping.signal, launch }, floor);

  while (clock.now() < noon + minutes * 60_000) {
    expect(sleeping()).toBe(1);
    toNext();
    await new Promise((resolve) => setImmediate(resolve));
  }
  stopping.abort();
  await running;
  return launched;
};

describe('runTraffic', () => {
  it('begins within two seconds and keeps about its pace', async () => {
    const launched = await trafficOf(30, 20);

    expect(launched[0]?.at).toBeLessThanOrEqual(noon + 2000);
    expect(launched.length / 30).toBeGreaterThan(16);
    expect(launched.length / 30).toBeLessThan(24);
  });

  it('repeats itself for the same seed', async () => {
    expect(await trafficOf(2, 20)).toEqual(await trafficOf(2, 20));
  });

  it('posts a call within its wrap-up after it has ended', async () => {
    const plain = (await trafficOf(5, 20)).filter(({ posts }) => posts[0]?.kinds.join() === 'answered');

    expect(plain.length).toBeGreaterThan(3);
    for (const { at, posts } of plain) {
      const [day, time] = String(firstOf(posts[0])['EndTime']).split(' ');
      const secondsAgo = (at - Date.parse(`${day}T${time}+05:30`)) / 1000;

      expect(secondsAgo).toBeGreaterThanOrEqual(5);
      expect(secondsAgo).toBeLessThan(21);
    }
  });

  it('never has an agent in two calls at the same time', async () => {
    const summaries = (await trafficOf(20, 20))
      .flatMap(({ posts }) => posts)
      .filter(({ kinds }) => kinds.length === 1 && kinds[0] === 'answered')
      .map((post) => firstOf(post));
    const byAgent = Map.groupBy(summaries, (summary) => summary['AgentID']);

    for (const calls of byAgent.values()) {
      const inOrder = [...calls].sort((one, other) => (String(one['StartTime']) < String(other['StartTime']) ? -1 : 1));
      inOrder.reduce((before, after) => {
        expect(String(after['StartTime']) > String(before['EndTime'])).toBe(true);
        return after;
      });
    }
    expect([...byAgent.values()].some((calls) => calls.length > 1)).toBe(true);
  });
});

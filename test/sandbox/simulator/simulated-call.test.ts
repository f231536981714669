import { describe, expect, it } from 'vitest';
import { createFloor, engaged } from '../../../sandbox/simulator/floor/floor.ts';
import { kinds } from '../../../sandbox/simulator/kinds.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { account, callOf, floor, noon, seeds } from './support/calls.ts';
import { firstOf } from './support/opened-post.ts';

describe('simulatedCall', () => {
  it('gives the same posts for the same seed', () => {
    for (const seed of seeds) expect(callOf(seed).posts).toEqual(callOf(seed).posts);
  });

  it('gives other calls for other seeds', () => {
    const ids = seeds.flatMap((seed) => callOf(seed).calls.map(({ id }) => id));

    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(kinds)('shows %s when it is asked for', (kind) => {
    for (const seed of seeds) expect(callOf(seed, kind).posts.flatMap(({ kinds: shown }) => shown)).toContain(kind);
  });

  it('shows nothing else besides the kind it is asked for', () => {
    const shown = seeds.flatMap((seed) => callOf(seed, 'over-long').posts.flatMap((post) => post.kinds));

    expect(new Set(shown)).toEqual(new Set(['answered', 'over-long']));
  });

  it('meets every kind sooner or later without being asked', () => {
    const random = seededRandom(5);
    const met = Array.from({ length: 1500 }, () => simulatedCall(random, noon, floor, account)).flatMap(({ posts }) =>
      posts.flatMap((post) => post.kinds),
    );

    expect(new Set(met)).toEqual(new Set(kinds));
  });

  it('sends the first post at once and the others in their order', () => {
    for (const seed of seeds) {
      const seconds = callOf(seed).posts.map(({ afterSeconds }) => afterSeconds);

      expect(seconds[0]).toBe(0);
      expect(seconds).toEqual([...seconds].sort((one, later) => one - later));
    }
  });

  it('makes the caller give up where nobody is free', () => {
    const busy = createFloor(seededRandom(1), 20);
    const engagements = busy.agents.map((agent) => ({
      agent,
      callId: '1',
      ringsAt: 0,
      talksAt: 0,
      leavesAt: 0,
      readyAt: noon * 2,
    }));
    const { posts } = simulatedCall(seededRandom(1), noon, engaged(busy, engagements, noon), account, 'answered');

    expect(posts.map((post) => post.kinds)).toEqual([['abandoned']]);
    expect(firstOf(posts[0])).toMatchObject({ Status: 'NotAnswered', AgentID: '', AudioFile: '' });
  });
});

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { createTurns } from '../../../torture/world/turns.ts';

/** Activities that take turns, and the order in which they had them. */
const played = async (seed: number) => {
  const turns = createTurns(seededRandom(seed));
  const order: string[] = [];
  const activity = (name: string) => async () => {
    for (const step of [1, 2, 3]) {
      await turns.take();
      order.push(`${name}${step}`);
    }
    return name;
  };
  const results = await turns.together(['a', 'b', 'c'].map(activity));
  return { order, results };
};

describe('turns', () => {
  it('are the same for the same seed', async () => {
    expect(await played(1)).toEqual(await played(1));
  });

  it('are others for another seed, and each activity has its own in order', async () => {
    const orders = await Promise.all([1, 2, 3, 4, 5].map(async (seed) => (await played(seed)).order));

    expect(new Set(orders.map((order) => order.join(' '))).size).toBeGreaterThan(1);
    for (const order of orders)
      for (const name of ['a', 'b', 'c'])
        expect(order.filter((step) => step.startsWith(name))).toEqual([1, 2, 3].map((step) => `${name}${step}`));
  });

  it('answer the results in the order of the activities', async () => {
    expect((await played(3)).results).toEqual(['a', 'b', 'c']);
  });

  it('are one at a time', async () => {
    const turns = createTurns(seededRandom(1));
    let busy = 0;
    let most = 0;
    const activity = async () => {
      await turns.take();
      busy += 1;
      most = Math.max(most, busy);
      await Promise.resolve();
      busy -= 1;
    };
    await turns.together([activity, activity, activity]);

    expect(most).toBe(1);
  });

  it('reject as the activity does that fails, once the others are done', async () => {
    const turns = createTurns(seededRandom(1));
    const done: string[] = [];
    const good = async () => {
      await turns.take();
      await turns.take();
      done.push('good');
    };
    const bad = async () => {
      await turns.take();
      throw new Error('bad luck');
    };

    await expect(turns.together([bad, good])).rejects.toThrow('bad luck');
    expect(done).toEqual(['good']);
  });

  it('tell of an activity that waits for something that never comes', async () => {
    const turns = createTurns(seededRandom(1));

    await expect(turns.together([() => new Promise(() => undefined)])).rejects.toThrow('never comes');
  });
});

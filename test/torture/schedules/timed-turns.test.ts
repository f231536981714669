import { expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { createTimedTurns } from '../../../torture/schedules/timed-turns.ts';
import { movedClock } from '../../lib/support/polled-floor.ts';

const start = Date.parse('2026-11-21T10:00:00.000Z');

const timed = (seed: number) => {
  const time = movedClock('2026-11-21T10:00:00.000Z');
  const clock = { now: time.clock, advance: time.advance };
  return { ...time, turns: createTimedTurns(seededRandom(seed), () => clock) };
};

it('wakes whoever sleeps in the order of time, which goes by meanwhile', async () => {
  const { turns, now } = timed(1);
  const woken: number[] = [];
  const sleeper = (ms: number) => async () => {
    await turns.sleep(ms);
    woken.push(now() - start);
  };
  await turns.together([sleeper(500), sleeper(20), async () => {}, sleeper(300)]);

  expect(woken).toEqual([20, 300, 500]);
});

it('now and then lets time go by while somebody waits for a turn', async () => {
  const times = await Promise.all(
    Array.from({ length: 30 }, async (_, seed) => {
      const { turns, now } = timed(seed);
      let at = 0;
      const caller = async () => {
        await turns.take();
        at = now() - start;
      };
      await turns.together([caller, () => turns.sleep(1_000)]);
      return at;
    }),
  );

  expect(new Set(times)).toEqual(new Set([0, 1_000]));
});

it('fails where somebody waits for what never comes', async () => {
  const { turns } = timed(1);

  await expect(turns.together([() => new Promise<void>(() => undefined)])).rejects.toThrow('never comes');
});

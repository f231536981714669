import fc from 'fast-check';
import { expect, it } from 'vitest';
import { must } from '../../../torture/schedules/breach.ts';
import { modelOf } from '../../../torture/schedules/model.ts';

const model = modelOf({
  name: 'numbers',
  histories: fc.nat({ max: 1_000 }),
  play: async (number) => {
    must(number < 500, () => 'A number is too large');
    return { sum: number, plays: 1 };
  },
});

it('names the seed, the history and the smallest one where something does not hold', async () => {
  const { failure } = await model.run({ model: 'numbers', seed: 7, runs: 100 });

  expect(failure).toMatch(/^A number is too large \(numbers: history \d+ of seed 7, shrunk \d+ times\): 500$/);
});

it('counts what happened, and plays the same for the same seed', async () => {
  const few = await model.run({ model: 'numbers', seed: 3, runs: 1 });

  expect(few).toEqual({ model: 'numbers', played: 1, tally: { sum: expect.any(Number), plays: 1 } });
  expect(await model.run({ model: 'numbers', seed: 3, runs: 1 })).toEqual(few);
});

it('replays a single one', async () => {
  expect(await model.replay(499)).toEqual({ sum: 499, plays: 1 });
  await expect(model.replay(500)).rejects.toThrow('A number is too large');
});

it('takes a history that does not end for a failure', async () => {
  let played = 0;
  const hangsAfter = (count: number) =>
    modelOf({
      name: 'hanging',
      histories: fc.nat(),
      play: () => (played++ < count ? Promise.resolve({}) : new Promise<never>(() => undefined)),
    });

  for (const count of [0, 3]) {
    played = 0;
    const { failure } = await hangsAfter(count).run({ model: 'hanging', seed: 1, runs: 9, mostMs: 50 });
    expect(failure).toBe(`hanging: a history after ${count} of seed 1 did not end`);
  }
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seed } from '../../support/arbitraries.ts';
import { lineThrough, type Point } from '../../support/statistics.ts';
import { isFull, show } from '../property.ts';
import { createReceiver } from './receiver.ts';
import { eventOf, posts } from './requests.ts';

/** How many bytes are in use once all garbage is collected, buffers included. */
const usedBytes = async (): Promise<number> => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // What a settled promise referred to becomes garbage a turn later.
  for (let time = 0; time < 3; time++) {
    await nextTurn();
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

it('no post retains memory', async () => {
  const receiver = createReceiver('open');
  const rounds = isFull ? 24 : 9;
  const each = isFull ? 1_000 : 75;
  const cases = fc.sample(posts, { seed, numRuns: rounds * each });
  const used: Point[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const { posted } of cases.slice(round * each, (round + 1) * each)) await receiver.receive(eventOf(posted));
    used.push({ at: round * each, value: await usedBytes() });
  }
  // The first rounds compile code, fill caches and start timers that run for two minutes.
  const bytesPerPost = lineThrough(used.slice(rounds / 3)).slope;
  show('memory', { 'bytes that a post retains': bytesPerPost });
  // A body that is stored somewhere has about 5,000 bytes.
  expect(bytesPerPost, JSON.stringify(used)).toBeLessThan(isFull ? 300 : 4_000);
});

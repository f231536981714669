import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { seed } from '../../support/arbitraries.ts';
import { lineThrough } from '../../support/statistics.ts';
import { isFull, show } from '../property.ts';
import { posts } from './posts.ts';
import { createReceiver } from './receiver.ts';
import { bytesOf, eventOf, formPost as form, jsonPost as json, type Posted } from './requests.ts';

interface GrowingPost {
  readonly name: string;
  readonly of: (bytes: number) => Posted;
  /** The power with which its time may grow, if not in proportion. */
  readonly maxExponent?: number;
}

const ownCall = { monitorUCID: '1', Status: 'Answered', Apikey: 'demo-key' };

const list = (
  name: string,
  recordAt: (index: number) => unknown,
  first: readonly unknown[] = [ownCall],
): GrowingPost => ({
  name,
  of: (count) => json(JSON.stringify([...first, ...Array.from({ length: count }, (_, index) => recordAt(index))])),
});

/** Lists grow by the number of records: each is a write. */
const growingLists: readonly GrowingPost[] = [
  list('records of different calls', (index) => ({ ...ownCall, monitorUCID: String(index) }), []),
  // Each is compared with all before it; a post may have 500.
  { ...list('records of one call', (index) => ({ ...ownCall, Comments: `c${index}` }), []), maxExponent: 2.2 },
  list('participants', (index) => ({ ...specificationParticipant, CallID: index })),
  list('unrecognised records', (index) => index),
];

const summary = (more: object): Posted => json(JSON.stringify({ ...specificationSummary, ...more }));

const field = (name: string, piece: string): GrowingPost => ({
  name: `${name} of ${JSON.stringify(piece)}`,
  of: (bytes) => summary({ [name]: piece.repeat(bytes / (Buffer.byteLength(JSON.stringify(piece)) - 2)) }),
});

const times = (count: number, entry: (index: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join(separator);

/** A call with more in it. */
const within = (name: string, fields: (bytes: number) => string): GrowingPost => ({
  name,
  of: (bytes) => json(JSON.stringify(ownCall).replace(/\}$/, () => `,${fields(bytes)}}`)),
});

/** Posts that give a part of the receiver much work. Texts of any shape are in `processor-time.test.ts`. */
const growingPosts: readonly GrowingPost[] = [
  ...['x', '\u00a0'].map((piece) => field('Comments', piece)),
  ...[' -> x', 'https://r.example/1,', ', ', ' -> '].map((piece) => field('AudioFile', piece)),
  ...['1001 -> ', '> ', 'é', '\\"'].map((piece) => field('AgentID', piece)),
  ...['0', ' ', '9:', '-', 'T'].map((piece) => field('StartTime', piece)),
  ...['0', '0:', '.'].map((piece) => field('Duration', piece)),
  ...['Answered -> ', 'An swered', '_'].map((piece) => field('DialStatus', piece)),
  ...['SkillTransfer-', '1'].map((piece) => field('UUI', piece)),
  ...['1', 'x'].map((piece) => field('monitorUCID', piece)),
  {
    name: 'account keys',
    of: (bytes) => json(`{"monitorUCID":"1","Apikey":[${times(bytes / 10, (index) => `"k${index}"`)}]}`),
  },
  { name: 'brackets', of: (bytes) => json('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)) },
  within('numbers', (bytes) => `"x":[${times(bytes / 4, () => '123')}]`),
  within('unknown fields', (bytes) => times(bytes / 16, (index) => `"f${index}":"v"`)),
  within('alike names', (bytes) => times(bytes / 16, (index) => `"\\ud80${index % 4 === 0 ? 0 : 1}":${index}`)),
  { name: 'form fields', of: (bytes) => form(`${times(bytes / 10, (index) => `f${index}=1`, '&')}&data={}`) },
  { name: 'data again and again', of: (bytes) => form('data=x&'.repeat(bytes / 7)) },
  { name: 'percent signs', of: (bytes) => form(`data=${'%'.repeat(bytes)}`) },
  {
    name: 'data in data',
    of: (bytes) =>
      json(
        Array.from({ length: Math.log2(bytes / 25) }).reduce<string>(
          (inner) => JSON.stringify({ data: inner }),
          JSON.stringify({ x: '"'.repeat(12) }),
        ),
      ),
  },
];

const receiver = createReceiver('open');

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
};

/** The CPU time of a run: the mean of as many as a clock with ticks of four milliseconds needs. */
const timeOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  let runs = 0;
  do {
    await run();
    runs += 1;
  } while (cpuMs(before) < 40 && runs < 40);
  return cpuMs(before) / runs;
};

/** The next sizes would take minutes and show nothing new. */
const longMs = 8_000;

/** Shorter times are noise. */
const negligibleMs = 4;

/** The power of the size with which the time grows: 1 if it is in proportion. */
const growthOf = async ({ of }: GrowingPost, counts: readonly number[]) => {
  const times: { readonly bytes: number; readonly ms: number }[] = [];
  for (const posted of counts.map(of)) {
    const run = () => receiver.receive(eventOf(posted));
    // The least of several: other work of the machine can only make it longer.
    const ms = [await timeOf(run)];
    while (ms.length < 3 && (ms[0] ?? 0) < longMs) ms.push(await timeOf(run));
    times.push({ bytes: bytesOf(posted), ms: Math.min(...ms) });
    if (times.length > 1 && Math.min(...ms) > longMs) break;
  }
  const { slope } = lineThrough(
    times.map(({ bytes, ms }) => ({ at: Math.log(bytes), value: Math.log(Math.max(ms, 1e-3)) })),
  );
  return { exponent: Math.max(...times.map(({ ms }) => ms)) > negligibleMs ? slope : 0, times };
};

/** Each size twice the one before; a slice tries some kinds. */
const sizes = isFull
  ? { bytes: [60_000, 120_000, 240_000, 480_000, 960_000], records: [30, 60, 120, 240, 480], everyNth: 1 }
  : { bytes: [240_000, 480_000, 960_000], records: [30, 60, 120], everyNth: 15 };

/** It is 1 in proportion, about 1.1 for n log n at these sizes, and 2 for a square. */
const usualMaxExponent = 1.5;

const isTried = (_: GrowingPost, index: number): boolean => index % sizes.everyNth === 0;

it.each([
  ...growingPosts.filter(isTried).map((post) => ({ ...post, counts: sizes.bytes })),
  ...growingLists.filter(isTried).map((post) => ({ ...post, counts: sizes.records })),
])('the time of $name grows with its size', async ({ counts, maxExponent = usualMaxExponent, ...post }) => {
  let growth = await growthOf(post, counts);
  // A shared core slows down one size more than another. What grows too fast does so each time.
  for (let time = 1; time < 3 && growth.exponent > maxExponent; time++) growth = await growthOf(post, counts);
  show(post.name, { 'grows with the power of its size': growth.exponent });
  expect(growth.exponent, JSON.stringify(growth.times)).toBeLessThanOrEqual(maxExponent);
});

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
  const rounds = isFull ? 24 : 9;
  const each = isFull ? 1_000 : 75;
  const cases = fc.sample(posts, { seed, numRuns: rounds * each });
  const used: { readonly at: number; readonly value: number }[] = [];
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

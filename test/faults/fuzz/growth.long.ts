import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { lineThrough } from '../../support/statistics.ts';
import { bytesOf, eventOf, formPost as form, jsonPost as json, type Posted } from './carriers.ts';
import type { Receiver } from './receiver.ts';

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

/** Broken JSON with one piece of text repeated. It is quarantined with its keys redacted. */
const broken = (piece: string): GrowingPost => ({
  name: `broken JSON of ${JSON.stringify(piece)}`,
  of: (bytes) => json(`{"Apikey":"demo-key",${piece.repeat(bytes / piece.length)}`),
});

/** A body that is not read. It is searched for a key, and quarantined because it has one. */
const unread = (piece: string): GrowingPost => ({
  name: `a text of ${JSON.stringify(piece)} that is not read`,
  of: (bytes) => ({
    headers: { 'content-type': 'text/plain' },
    query: '',
    body: Buffer.from(`Apikey=demo-key&${piece.repeat(bytes / piece.length)}`),
  }),
});

const times = (count: number, entry: (index: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join(separator);

/** A call with more in it. */
const within = (name: string, fields: (bytes: number) => string): GrowingPost => ({
  name,
  of: (bytes) => json(JSON.stringify(ownCall).replace(/\}$/, () => `,${fields(bytes)}}`)),
});

const pieces = [
  ...['x', ' ', '\\', '"', '%', '%5C', '+', '-', ',', '->', ' -> ', ',h', 'https://', ' ->x', '\u00a0', '😀', '_'],
  ...['0', ':', 'apikey', 'apikey=', 'apikey:"', 'api_key ', '%2525'],
];

/** Posts that give every part of the receiver much work. */
const growingPosts: readonly GrowingPost[] = [
  ...pieces.map((piece) => field('Comments', piece)),
  ...[' -> x', 'https://r.example/1,', ', ', ' -> '].map((piece) => field('AudioFile', piece)),
  ...['1001 -> ', '> ', 'é', '\\"'].map((piece) => field('AgentID', piece)),
  ...['0', ' ', '9:', '-', 'T'].map((piece) => field('StartTime', piece)),
  ...['0', '0:', '.'].map((piece) => field('Duration', piece)),
  ...['Answered -> ', 'An swered', '_'].map((piece) => field('DialStatus', piece)),
  ...['SkillTransfer-', '1'].map((piece) => field('UUI', piece)),
  ...['1', 'x'].map((piece) => field('monitorUCID', piece)),
  ...[
    ...['\\', '"', '[', 'apikey', 'apikey:', 'apikey:[', 'apikey%3A%5B', 'apikey"\\', 'api_key = ', '%22'],
    ...["apikey:'", 'demo-ke', ' ', '\\u0064', '/\\'],
  ].map(broken),
  ...['\\', '"', '&', '%22', '%2525', 'apikey=', 'apikey%22%3A', '0'].map(unread),
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

interface Growth {
  readonly name: string;
  readonly bytes: readonly number[];
  readonly cpuMs: readonly number[];
  /** The power of the size with which the time grows: 1 if it is in proportion. */
  readonly exponent: number;
}

/** The clock of CPU time has ticks of four milliseconds on some machines. */
const minMs = 40;
const maxRuns = 40;
const repeats = 3;
const longMs = 8_000;

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
};

/** The CPU time of a run: the mean of as many as the clock needs. */
const timeOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  let runs = 0;
  do {
    await run();
    runs += 1;
  } while (cpuMs(before) < minMs && runs < maxRuns);
  return cpuMs(before) / runs;
};

/** The least of several times: other work of the machine can only make it longer. */
const bestOf = async (run: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let time = 0; time < repeats; time++) times.push(await timeOf(run));
  return Math.min(...times);
};

/** The slope of the line through the logarithms. */
const exponentOf = (sizes: readonly number[], times: readonly number[]): number =>
  lineThrough(sizes.map((size, index) => ({ at: Math.log(size), value: Math.log(Math.max(times[index] ?? 0, 1e-3)) })))
    .slope;

const growthOf = async (
  name: string,
  counts: readonly number[],
  prepare: (count: number) => { readonly bytes: number; readonly run: () => Promise<unknown> },
): Promise<Growth> => {
  const bytes: number[] = [];
  const times: number[] = [];
  for (const count of counts) {
    const prepared = prepare(count);
    const before = process.threadCpuUsage();
    await prepared.run();
    const isLong = cpuMs(before) > longMs;
    bytes.push(prepared.bytes);
    times.push(isLong ? cpuMs(before) : await bestOf(prepared.run));
    // The next sizes would take minutes and show nothing new.
    if (isLong && times.length > 1) break;
  }
  return { name, bytes, cpuMs: times, exponent: exponentOf(bytes, times) };
};

/** Each size twice the one before. */
const growthSizes = {
  quick: { bytes: [240_000, 480_000, 960_000], records: [30, 60, 120], everyNth: 30 },
  full: { bytes: [60_000, 120_000, 240_000, 480_000, 960_000], records: [30, 60, 120, 240, 480], everyNth: 1 },
} as const;

/** It is 1 in proportion, about 1.1 for n log n at these sizes, and 2 for a square. */
const usualMaxExponent = 1.5;

const measurements = 3;

/** Shorter times are noise. */
const negligibleMs = 4;

interface MeasuredGrowth extends Growth {
  readonly maxExponent: number;
}

export const grow = async (
  receiver: Receiver,
  size: keyof typeof growthSizes,
  onProgress: (line: string) => void,
): Promise<readonly MeasuredGrowth[]> => {
  const { bytes, records, everyNth } = growthSizes[size];
  const growths: MeasuredGrowth[] = [];
  const measure = async (posts: readonly GrowingPost[], sizes: readonly number[]): Promise<void> => {
    for (const { name, of, maxExponent = usualMaxExponent } of posts.filter((_, index) => index % everyNth === 0)) {
      const prepare = (count: number) => {
        const posted = of(count);
        return { bytes: bytesOf(posted), run: () => receiver.receive(eventOf(posted)) };
      };
      let growth = await growthOf(name, sizes, prepare);
      // A shared core slows down one size more than another. What grows too fast does so each time.
      for (let time = 1; time < measurements && growth.exponent > maxExponent; time++)
        growth = await growthOf(name, sizes, prepare);
      growths.push({ ...growth, maxExponent });
    }
  };
  await measure(growingPosts, bytes);
  onProgress(`${growths.length} kinds of text measured at ${bytes.length} sizes`);
  await measure(growingLists, records);
  return growths;
};

export const tooFast = (growths: readonly MeasuredGrowth[]): readonly string[] =>
  growths
    .filter(({ exponent, maxExponent, cpuMs }) => exponent > maxExponent && Math.max(...cpuMs) > negligibleMs)
    .map(({ name, bytes, cpuMs, exponent }) => {
      const times = cpuMs.map((ms, index) => `${bytes[index]} bytes ${ms.toFixed(1)} ms`).join(', ');
      return `The time of “${name}” grows with the power ${exponent.toFixed(2)} of its size: ${times}`;
    });

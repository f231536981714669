import type { Receiver } from '../receiver.ts';
import { bytesOf, eventOf } from '../requests/posted.ts';
import { growingLists } from './growing-lists.ts';
import type { GrowingPost } from './growing-post.ts';
import { growingPosts } from './growing-posts.ts';
import { type Growth, growthOf } from './growth.ts';

/** Each size twice the one before. */
export const growthSizes = {
  quick: { bytes: [60_000, 120_000, 240_000], records: [30, 60, 120], everyNth: 30 },
  full: { bytes: [15_000, 30_000, 60_000, 120_000, 240_000], records: [30, 60, 120, 240, 480], everyNth: 1 },
} as const;

/** By n log n it is some 1.1 at these sizes; twice the size that takes four times as long is 2. */
const usualMostExponent = 1.5;

/** A time that is nothing has no growth either. */
const leastMs = 4;

/** How the time of a post grows, and how it may. */
export interface MeasuredGrowth extends Growth {
  readonly mostExponent: number;
}

/** Measures how the time of posts grows with their size. */
export const grow = async (
  receiver: Receiver,
  size: keyof typeof growthSizes,
  onProgress: (line: string) => void,
): Promise<readonly MeasuredGrowth[]> => {
  const { bytes, records, everyNth } = growthSizes[size];
  const growths: MeasuredGrowth[] = [];
  const measure = async (posts: readonly GrowingPost[], sizes: readonly number[]): Promise<void> => {
    for (const { name, of, mostExponent = usualMostExponent } of posts.filter((_, index) => index % everyNth === 0))
      growths.push({
        ...(await growthOf(name, sizes, (count) => {
          const posted = of(count);
          return { bytes: bytesOf(posted), run: () => receiver.receive(eventOf(posted)) };
        })),
        mostExponent,
      });
  };
  await measure(growingPosts, bytes);
  onProgress(`${growths.length} kinds of text measured at ${bytes.length} sizes`);
  await measure(growingLists, records);
  return growths;
};

/** What grows faster than it may. */
export const tooFast = (growths: readonly MeasuredGrowth[]): readonly string[] =>
  growths
    .filter(({ exponent, mostExponent, cpuMs }) => exponent > mostExponent && Math.max(...cpuMs) > leastMs)
    .map(({ name, bytes, cpuMs, exponent }) => {
      const times = cpuMs.map((ms, index) => `${bytes[index]} bytes ${ms.toFixed(1)} ms`).join(', ');
      return `The time of “${name}” grows with the power ${exponent.toFixed(2)} of its size: ${times}`;
    });

import type { Figure, Part, PartReport } from '../part.ts';
import { flatness, rounded } from '../statistics.ts';
import { type Minute, simulatedMinutes } from './simulated-minutes.ts';

/** How much is simulated in each size, and the growth in MB that is taken for none. */
const sizes = {
  quick: { minutes: 3, warmUpMinutes: 1, postsPerSecond: 1, agents: 50, allowedMb: 12 },
  // The publisher's memory of what it told is some 2.5 MB when it is full.
  full: { minutes: 30, warmUpMinutes: 6, postsPerSecond: 10, agents: 200, allowedMb: 4 },
} as const;

/** A slot, and the second in which the row is written. */
const oldestPictureSeconds = 16;

/** The publisher runs at every simulated second. */
const longestLagSeconds = 1;

const failuresIn = (minutes: readonly Minute[], growth: ReturnType<typeof flatness>): readonly string[] => {
  const late = minutes.filter(({ lagSeconds }) => lagSeconds > longestLagSeconds);
  const stale = minutes.filter(({ pictureSeconds }) => pictureSeconds > oldestPictureSeconds);
  return [
    ...(growth.isFlat
      ? []
      : [`Memory in use grew by ${rounded(growth.growth)} MB, where ${rounded(growth.bound)} MB are allowed.`]),
    ...minutes.flatMap(({ minute, events }) => (events === 0 ? [`In minute ${minute} nothing was told.`] : [])),
    ...late.map(({ minute, lagSeconds }) => `In minute ${minute} an event came ${lagSeconds} s after its row.`),
    ...stale.map(
      ({ minute, pictureSeconds }) => `In minute ${minute} the picture of the agents was ${pictureSeconds} s old.`,
    ),
    ...minutes.flatMap(({ minute, refused }) =>
      refused.map((status) => `In minute ${minute} a post was answered with ${status}.`),
    ),
  ];
};

const figuresOf = (minutes: readonly Minute[], { growth, bound }: ReturnType<typeof flatness>): readonly Figure[] => {
  const sum = (value: (minute: Minute) => number) => minutes.reduce((total, minute) => total + value(minute), 0);
  return [
    { what: 'simulated minutes', value: minutes.length },
    { what: 'posts', value: sum(({ posts }) => posts) },
    { what: 'polls', value: sum(({ polls }) => polls) },
    { what: 'events', value: sum(({ events }) => events) },
    { what: 'memory in use at the end', value: rounded(minutes.at(-1)?.usedMb ?? 0), unit: 'MB' },
    { what: 'its growth after the warm-up', value: rounded(growth), unit: 'MB' },
    { what: 'growth that is allowed', value: rounded(bound), unit: 'MB' },
    {
      what: 'longest time from row to event',
      value: Math.max(...minutes.map(({ lagSeconds }) => lagSeconds)),
      unit: 's',
    },
    {
      what: 'oldest picture of the agents',
      value: Math.max(...minutes.map(({ pictureSeconds }) => pictureSeconds)),
      unit: 's',
    },
  ];
};

/** What minutes say of the memory and of the time that things took. */
export const judgeMinutes = (minutes: readonly Minute[], warmUpMinutes: number, allowedMb: number): PartReport => {
  const judged = minutes.filter(({ minute }) => minute > warmUpMinutes);
  const growth = flatness(
    judged.map(({ minute: at, usedMb: value }) => ({ at, value })),
    allowedMb,
  );
  return { figures: figuresOf(minutes, growth), failures: failuresIn(minutes, growth) };
};

/** A steady rate on a clock that is set, which shows in seconds what half an hour leaves behind in one process. */
export const simulated: Part = {
  name: 'simulated',
  what: 'half an hour at a steady rate on a simulated clock; memory and lag stay flat',
  async run({ seed, size, onProgress }) {
    const { minutes, warmUpMinutes, allowedMb, ...rates } = sizes[size];
    const seen: Minute[] = [];
    for await (const minute of simulatedMinutes({ seed, minutes, ...rates })) {
      seen.push(minute);
      onProgress(`minute ${minute.minute}: ${minute.posts} posts, ${minute.usedMb.toFixed(1)} MB in use`);
    }
    return judgeMinutes(seen, warmUpMinutes, allowedMb);
  },
};

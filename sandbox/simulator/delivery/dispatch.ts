import type { Clock } from '../clock.ts';
import type { Post } from '../posts/post.ts';
import type { Answer } from './send.ts';

/** What a dispatch needs to know. */
export interface DispatchSettings {
  /** Multiplies the waits between the posts of a call; 0 sends them one after the other without waiting. */
  readonly pace: number;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
  readonly deliver: (post: Post) => Promise<Answer>;
}

/** Posts on their way. */
export interface Dispatched {
  /** What the posts that were due at once were answered. */
  readonly atOnce: Promise<readonly Answer[]>;
  /** Settles after the last post. */
  readonly all: Promise<void>;
}

/**
 * Sends the posts of a call in their order: those of the same second together, those of a later one when their time has
 * come and the earlier ones are settled.
 */
export const dispatch = (posts: readonly Post[], { pace, clock, stopped, deliver }: DispatchSettings): Dispatched => {
  const startedAt = clock.now();
  const groups = [...Map.groupBy(posts, ({ afterSeconds }) => afterSeconds)].sort(([one], [later]) => one - later);
  const isDue = ([afterSeconds]: (typeof groups)[number]) => afterSeconds * pace === 0;

  const sendGroups = async (some: typeof groups): Promise<readonly Answer[]> => {
    const [first, ...others] = some;
    if (first === undefined || stopped.aborted) return [];

    const [afterSeconds, group] = first;
    if (!isDue(first)) await clock.sleep(startedAt + afterSeconds * pace * 1000 - clock.now(), stopped);
    const answers = stopped.aborted ? [] : await Promise.all(group.map(deliver));
    return [...answers, ...(await sendGroups(others))];
  };

  const atOnce = sendGroups(groups.filter(isDue));
  const all = atOnce.then(() => sendGroups(groups.filter((group) => !isDue(group)))).then(() => undefined);
  return { atOnce, all };
};

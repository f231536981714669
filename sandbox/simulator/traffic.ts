import type { Account } from './account.ts';
import type { Clock } from './clock.ts';
import type { LiveFloor } from './floor/live-floor.ts';
import { longestCallMilliseconds } from './floor/place-call.ts';
import type { Post } from './posts/post.ts';
import { fork, type Random } from './random.ts';
import { simulatedCall } from './simulated-call.ts';

/** The calls of a working day. */
export interface TrafficSettings {
  readonly random: Random;
  readonly account: Account;
  /** Where the calls take place; others may look at it meanwhile. */
  readonly floor: LiveFloor;
  readonly callsPerMinute: number;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
  /** Takes the posts of a call at the moment the first is due; does not wait for them. */
  readonly launch: (posts: readonly Post[]) => void;
}

interface Planned {
  readonly dueAt: number;
  readonly posts: readonly Post[];
}

const firstAfterMilliseconds = 1000;

/**
 * Sends calls until it is stopped. Calls are planned as far ahead as the longest of them takes, so that at every moment
 * all the calls in progress are known and no agent is in two of them.
 */
export const runTraffic = async (settings: TrafficSettings): Promise<void> => {
  const { random, account, floor, callsPerMinute, clock, stopped, launch } = settings;
  const planned: Planned[] = [];
  let nextAt = clock.now() + firstAfterMilliseconds;

  const planAhead = (now: number): void => {
    while (nextAt <= now + longestCallMilliseconds) {
      const { calls, posts } = simulatedCall(fork(random), nextAt, floor.planned(), account);
      const engagements = calls.flatMap((call) => call.engagements);
      floor.engage(engagements, now);
      planned.push({ dueAt: nextAt, posts });
      nextAt += gapMilliseconds(random, callsPerMinute);
    }
  };

  while (!stopped.aborted) {
    planAhead(clock.now());
    const next = planned.shift();
    await clock.sleep((next?.dueAt ?? nextAt) - clock.now(), stopped);
    if (next && !stopped.aborted) launch(next.posts);
  }
};

/** Calls end independently of each other, but the sandbox never falls silent for long. */
const gapMilliseconds = (random: Random, callsPerMinute: number): number => {
  const mean = 60_000 / callsPerMinute;
  return Math.min(3 * mean, Math.max(1, -Math.log(1 - random()) * mean));
};

import { setTimeout as pause } from 'node:timers/promises';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import { createFloor } from '../../../sandbox/simulator/floor/floor.ts';
import type { Post } from '../../../sandbox/simulator/posts/post.ts';
import { fork, type Random } from '../../../sandbox/simulator/random.ts';
import type { SimulatedAccount } from '../../../sandbox/simulator/service/accounts.ts';
import { simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';

const account: SimulatedAccount = { ...demoAccount, apiKey: demoAccount.apiKeys[0] ?? '' };

/** When the first call is told of; the same in every run, so that its posts are. */
const firstAt = Date.parse('2026-11-21T06:00:00Z');

/** A second of the contact centre's is so many posts here: later versions come among later calls. */
const postsPerSecond = 2;

interface Waiting {
  readonly turn: number;
  readonly post: Post;
}

/**
 * Posts as the contact centre sends them, without end: calls with all its quirks, posts that are no calls, copies at
 * once and later, and what an agent adds when the call is over. The same generator gives the same posts.
 */
export function* posts(random: Random): Generator<Post, never> {
  const floor = createFloor(fork(random), 0);
  let waiting: Waiting[] = [];

  for (let turn = 0; ; ) {
    const { posts: told } = simulatedCall(fork(random), firstAt + turn * 500, floor, account);
    const first = told[0]?.afterSeconds ?? 0;
    waiting.push(...told.map((post) => ({ turn: turn + (post.afterSeconds - first) * postsPerSecond, post })));

    const due = waiting.filter((one) => one.turn <= turn).sort((one, later) => one.turn - later.turn);
    waiting = waiting.filter((one) => one.turn > turn);
    for (const { post } of due) {
      yield post;
      turn += 1;
    }
  }
}

/**
 * When so many posts are due, in milliseconds from the start: independent of each other and of their answers, at a rate
 * a second on average.
 */
export const arrivalTimes = (random: Random, perSecond: number, count: number): readonly number[] => {
  const times: number[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    at += (-Math.log(1 - random()) * 1_000) / perSecond;
    times.push(at);
  }
  return times;
};

/**
 * Starts each task when it is due and waits for none of them: who posts does not wait until others are answered. Each
 * is told the instant at which it was due, on the clock of `performance.now`, which is when its latency begins.
 */
export const runAtTimes = async (
  times: readonly number[],
  start: (index: number, dueAt: number) => void,
  signal?: AbortSignal,
): Promise<void> => {
  const startedAt = performance.now();
  for (const [index, time] of times.entries()) {
    const dueAt = startedAt + time;
    for (let early = dueAt - performance.now(); early > 0; early = dueAt - performance.now()) await pause(early);
    if (signal?.aborted) return;
    start(index, dueAt);
  }
};

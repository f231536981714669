import { demoAccount } from '../../sandbox/sandbox-options.ts';
import { createFloor } from '../../sandbox/simulator/floor.ts';
import type { Post } from '../../sandbox/simulator/posts.ts';
import { fork, type Random } from '../../sandbox/simulator/random.ts';
import { simulatedCall } from '../../sandbox/simulator/simulated-call.ts';

/** The time of the first call: the same in every run, so that its posts are the same. */
const firstAt = Date.parse('2026-11-21T06:00:00Z');

/** A second of the contact centre is so many posts here, so later versions of a call come among later calls. */
const postsPerSecond = 2;

interface Waiting {
  readonly turn: number;
  readonly post: Post;
}

/**
 * An endless series of posts as the contact centre sends them: calls with all its quirks, posts that are not calls,
 * copies at once and later, and what an agent adds after the call. The same generator gives the same posts.
 */
export function* posts(random: Random): Generator<Post, never> {
  const floor = createFloor(fork(random), 0);
  let waiting: Waiting[] = [];

  for (let turn = 0; ; ) {
    const { posts: ofCall } = simulatedCall(fork(random), firstAt + turn * 500, floor, demoAccount);
    const first = ofCall[0]?.afterSeconds ?? 0;
    waiting.push(...ofCall.map((post) => ({ turn: turn + (post.afterSeconds - first) * postsPerSecond, post })));

    const due = waiting.filter((one) => one.turn <= turn).sort((one, later) => one.turn - later.turn);
    waiting = waiting.filter((one) => one.turn > turn);
    for (const { post } of due) {
      yield post;
      turn += 1;
    }
  }
}

import type { Account } from './account.ts';
import type { Clock } from './clock.ts';
import type { Answer } from './delivery/send.ts';
import type { Floor } from './floor/floor.ts';
import type { CallsRequest } from './http/calls-request.ts';
import { type CallsSent, countsOf } from './http/control-routes.ts';
import type { Post } from './posts/post.ts';
import { fork, type Random, seededRandom } from './random.ts';
import { simulatedCall } from './simulated-call.ts';

/** What calls on demand are made of. */
export interface OnDemandSettings {
  /** Used where a request names no seed. */
  readonly random: Random;
  /** Nobody on it is busy: calls on demand are over when they are sent, and take no agent from the traffic. */
  readonly floor: Floor;
  readonly account: Account;
  readonly clock: Clock;
  readonly pace: number;
  /** Sends the posts of a call; answers what those that were due at once were answered. */
  readonly launch: (posts: readonly Post[], pace: number) => Promise<readonly Answer[]>;
}

/** Sends the calls that a request asks for. */
export const callsOnDemand =
  ({ random, floor, account, clock, pace: usualPace, launch }: OnDemandSettings) =>
  async ({ count, kind, seed, at, pace = usualPace }: CallsRequest): Promise<CallsSent> => {
    const source = seed === undefined ? random : seededRandom(seed);
    const postedAt = at === undefined ? clock.now() : Date.parse(at);
    const simulated = Array.from({ length: count }, () => simulatedCall(fork(source), postedAt, floor, account, kind));

    const answers = (await Promise.all(simulated.map(({ posts }) => launch(posts, pace)))).flat();
    const posts = simulated.flatMap((call) => call.posts);
    return {
      callIds: simulated.flatMap(({ calls }) => calls.map(({ id }) => id)),
      posts: posts.length,
      later: posts.filter(({ afterSeconds }) => afterSeconds * pace > 0).length,
      answers: countsOf(answers),
    };
  };

import * as z from 'zod';
import type { Account } from '../../lib/accounts/accounts.ts';
import type { SimulatedCentre } from './centre.ts';
import type { Outbox } from './outbox.ts';
import { fork, type Random, seededRandom } from './random.ts';
import { kinds, simulatedCall } from './simulated-call.ts';

export const CallsRequest = z.strictObject({
  count: z.int().min(1).max(1000).default(1),
  kind: z.enum(kinds).optional(),
  /** The same seed makes the same calls, except for their times. */
  seed: z.int().optional(),
  /** When the first posts are due (ISO 8601). The times of the calls follow from it. Default: now. */
  at: z.iso.datetime({ offset: true }).optional(),
  /** The calls are spread evenly over this time, beginning with `at`. Their first posts are due at once all the same. */
  spreadSeconds: z.number().min(0).max(86_400).default(0),
  /** Which callbacks are sent. Default: all, unless a fault loses them or makes them poorer. */
  callbacks: z.enum(['all', 'none', 'poorer']).optional(),
  /** Multiplies the waits between the posts of a call; 10 is realistic. 0 sends all posts before the answer. */
  pace: z.number().min(0).max(100).default(1),
});
export type CallsRequest = z.infer<typeof CallsRequest>;

/** The calls that were sent on request. It holds call ids and counts, no personal data. */
export type CallsSent = Awaited<ReturnType<ReturnType<typeof callsOnRequest>>>;

interface OnRequestSettings {
  readonly random: Random;
  /** A centre without calls: calls on request are already over and take no agent from the traffic. */
  readonly centre: () => SimulatedCentre;
  readonly account: () => Account;
  readonly now: () => number;
  readonly launch: Outbox['launch'];
}

export const callsOnRequest =
  ({ random, centre, account, now, launch }: OnRequestSettings) =>
  async ({ count, kind, seed, at, spreadSeconds, callbacks, pace }: CallsRequest) => {
    const source = seed === undefined ? random : seededRandom(seed);
    const firstAt = at === undefined ? now() : Date.parse(at);
    const simulated = Array.from({ length: count }, (_, index) =>
      simulatedCall(fork(source), firstAt + (index * spreadSeconds * 1000) / count, centre(), account(), kind),
    );

    const launched = simulated.map((call) => launch(call, pace, callbacks));
    const answers = (await Promise.all(launched.map(({ atOnce }) => atOnce))).flat();
    return {
      callIds: simulated.flatMap(({ calls }) => calls.map(({ id }) => id)),
      posts: launched.reduce((sum, { posts }) => sum + posts, 0),
      later: launched.reduce((sum, { later }) => sum + later, 0),
      /** Outcomes of the posts that were due at once, by HTTP status, `timeout` or `network`. */
      answers: Object.fromEntries([...Map.groupBy(answers, String)].map(([answer, same]) => [answer, same.length])),
    };
  };

import type { Account } from './account.ts';
import type { Call } from './floor/call.ts';
import { engaged, type Floor } from './floor/floor.ts';
import { type Order, placeCall } from './floor/place-call.ts';
import { abandoned, answered, type Scenario, scenarios } from './floor/scenarios.ts';
import type { Kind } from './kinds.ts';
import { type Habits, habitsOf } from './posts/habits.ts';
import { otherPost, otherPosts } from './posts/other-posts.ts';
import type { Post } from './posts/post.ts';
import { postsOf } from './posts/posts-of.ts';
import { choose } from './quirks/choose.ts';
import { ordinaryId } from './quirks/identifiers.ts';
import type { Random } from './random.ts';

/** A call, the one it was transferred to if it was transferred to a skill, and all that is posted about them. */
export interface SimulatedCall {
  readonly calls: readonly Call[];
  /** In the order in which they leave. */
  readonly posts: readonly Post[];
}

/**
 * Invents a call whose first post is due at an instant (milliseconds). The same generator, instant, floor and account
 * give the same call. With `kind` the call shows that scenario or quirk and no other; without, each happens with its
 * own probability. Where too few agents of the floor are free, the caller gives up waiting.
 */
export const simulatedCall = (
  random: Random,
  at: number,
  floor: Floor,
  account: Account,
  kind?: Kind,
): SimulatedCall => {
  const drawn: Scenario = choose<Scenario>(random, scenarios, kind) ?? answered;
  const habits = habitsOf(random, kind);
  const call = placed(random, floor, orderOf(random, habits, drawn, at));
  const next = call.scenario.transfer === 'Skill' ? continuation(random, floor, habits, call) : undefined;
  const calls = next ? [call, next] : [call];

  const other = choose(random, otherPosts, kind);
  const others = other ? [otherPost(other, call, account)] : [];
  // Asked for by name, such a post comes alone.
  if (other && kind) return { calls: [], posts: others };

  const summaries = calls.flatMap((one) => postsOf(random, one, account, habits, at));
  return { calls, posts: [...others, ...summaries].sort((one, later) => one.afterSeconds - later.afterSeconds) };
};

const orderOf = (random: Random, habits: Habits, scenario: Scenario, postedAt: number): Order => ({
  id: (habits.identifier?.digits ?? ordinaryId)(random),
  scenario,
  postedAt,
  wrapsUpLater: habits.timeline?.wrapsUpLater ?? false,
});

const placed = (random: Random, floor: Floor, order: Order): Call => {
  const call = placeCall(random, floor, order) ?? placeCall(random, floor, { ...order, scenario: abandoned });
  if (call === undefined) throw new Error('A call without an agent needs nobody to be free');
  return call;
};

/** The agents of the first call still wrap it up when the second one rings. */
const continuation = (random: Random, floor: Floor, habits: Habits, follows: Call): Call =>
  placed(random, engaged(floor, follows.engagements, follows.startedAt), {
    ...orderOf(random, habits, answered, follows.endedAt),
    follows,
  });

import { applicableQuirks, type CallQuirks, chooseCallQuirks, type Kind, quirkNames } from './call-quirks.ts';
import { abandoned, answered, type Call, type Scenario, scenarios } from './floor/call.ts';
import { type Floor, withEngagements } from './floor/floor.ts';
import { type CallOrder, placeCall } from './floor/place-call.ts';
import { formCarrier, otherPost, otherPosts, type Post, plainWriting } from './posts/post.ts';
import { singleShape } from './posts/shapes.ts';
import { ordinaryId, rewriteBy } from './quirks/field-quirks.ts';
import { choose, type Random } from './random.ts';
import type { SimulatedAccount } from './service/accounts.ts';
import type { Rewrite } from './summary/fields.ts';

/** All that is posted about the summary of one call; `at` (milliseconds) is the moment the seconds are counted from. */
const postsOf = (
  random: Random,
  call: Call,
  account: SimulatedAccount,
  drawn: CallQuirks,
  at: number,
): readonly Post[] => {
  const habits = applicableQuirks(drawn, call);
  const { carrier = formCarrier, writing = plainWriting, shape = singleShape, timeline } = habits;
  const quirks = habits.identifier ? [habits.identifier, ...habits.fields] : habits.fields;
  const rewrite = rewriteBy(random, quirks, { call, account });
  const written: Rewrite = carrier.keyBeside ? (fields) => withoutKey(rewrite(fields)) : rewrite;

  const versions = timeline?.versions(random, call) ?? [{ afterSeconds: 0, call }];
  const posts = versions.map((version): Post => {
    const json = shape.text(version.call, account, written, writing.layout).replaceAll('/', writing.slash);
    const afterSeconds = secondsBetween(at, call, timeline?.wrapsUpLater ?? false) + version.afterSeconds;
    return {
      ...carrier.carry(json, account.apiKey),
      afterSeconds,
      callId: call.id,
      kinds: [call.scenario.name, ...quirkNames(habits)],
    };
  });

  return [...posts, ...(habits.repeat?.copies(random, posts) ?? [])];
};

const withoutKey: Rewrite = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key.toLowerCase() !== 'apikey'));

const secondsBetween = (at: number, { endedAt, wrapUpSeconds }: Call, wrapsUpLater: boolean): number =>
  Math.floor(endedAt / 1000) + (wrapsUpLater ? 0 : wrapUpSeconds) - Math.floor(at / 1000);

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
  account: SimulatedAccount,
  kind?: Kind,
): SimulatedCall => {
  const drawn: Scenario = choose<Scenario>(random, scenarios, kind) ?? answered;
  const habits = chooseCallQuirks(random, kind);
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

const orderOf = (random: Random, habits: CallQuirks, scenario: Scenario, postedAt: number): CallOrder => ({
  id: (habits.identifier?.digits ?? ordinaryId)(random),
  scenario,
  postedAt,
  wrapsUpLater: habits.timeline?.wrapsUpLater ?? false,
});

const placed = (random: Random, floor: Floor, order: CallOrder): Call => {
  const call = placeCall(random, floor, order) ?? placeCall(random, floor, { ...order, scenario: abandoned });
  if (call === undefined) throw new Error('A call without an agent needs nobody to be free');
  return call;
};

/** The agents of the first call still wrap it up when the second one rings. */
const continuation = (random: Random, floor: Floor, habits: CallQuirks, follows: Call): Call =>
  placed(random, withEngagements(floor, follows.engagements, follows.startedAt), {
    ...orderOf(random, habits, answered, follows.endedAt),
    follows,
  });

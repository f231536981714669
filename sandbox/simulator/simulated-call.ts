import { applicableQuirks, type CallQuirks, chooseCallQuirks, type Kind, quirkNames } from './call-quirks.ts';
import { abandoned, answered, type Call, type Scenario, scenarios } from './floor/call.ts';
import { type Floor, withEngagements } from './floor/floor.ts';
import { type CallOrder, placeCall } from './floor/place-call.ts';
import { formCarrier, otherPost, otherPosts, type Post, plainWriting } from './posts/post.ts';
import { singleShape } from './posts/shapes.ts';
import { type Version, withLessDetail } from './posts/timelines.ts';
import { ordinaryId, rewritesBy } from './quirks/field-quirks.ts';
import { choose, type Random } from './random.ts';
import type { SimulatedAccount } from './simulated-account.ts';
import { type Rewrite, withTexts } from './summary/fields.ts';

/** A call with all its posts. A transfer to a skill makes a second call. */
export interface SimulatedCall {
  readonly calls: readonly Call[];
  /** The same calls with what the call report needs to know, and their poorer posts. */
  readonly told: readonly ToldCall[];
  /** In the order of sending. */
  readonly posts: readonly Post[];
}

/** What is told of one call besides its ordinary posts. */
export interface ToldCall {
  readonly call: Call;
  /** The legs that its callbacks name. */
  readonly namedLegs: readonly Call[];
  /** Applies the quirks of its content, which the call report has as well. */
  readonly rewrite: Rewrite;
  /** Its only post if its callbacks are made poorer: not answered, without recordings and disposition. */
  readonly poorer: () => Post;
}

/**
 * Invents a call whose first post is due at an instant (milliseconds). The same arguments make the same call. With
 * `kind` the call has that scenario or quirk and no other. Without it, each occurs with its own probability. If too few
 * agents are free, the caller gives up waiting.
 */
export const simulatedCall = (
  random: Random,
  at: number,
  floor: Floor,
  account: SimulatedAccount,
  kind?: Kind,
): SimulatedCall => {
  const drawn: Scenario = choose<Scenario>(random, scenarios, kind) ?? answered;
  const quirks = chooseCallQuirks(random, kind);
  const call = placed(random, floor, orderOf(random, quirks, drawn, at));
  const next = call.scenario.transfer === 'Skill' ? continuation(random, floor, quirks, call) : undefined;
  const calls = next ? [call, next] : [call];

  const other = choose(random, otherPosts, kind);
  const others = other ? [otherPost(other, call, account)] : [];
  // If requested by name, such a post comes alone.
  if (other && kind) return { calls: [], told: [], posts: others };

  const summaries = calls.map((one) => summariesOf(random, one, account, quirks, at));
  const posts = [...others, ...summaries.flatMap((summary) => summary.posts)];
  return {
    calls,
    told: summaries.map(({ told }) => told),
    posts: posts.sort((one, later) => one.afterSeconds - later.afterSeconds),
  };
};

const orderOf = (random: Random, quirks: CallQuirks, scenario: Scenario, postedAt: number): CallOrder => ({
  id: (quirks.identifier?.digits ?? ordinaryId)(random),
  scenario,
  postedAt,
  wrapsUpLater: quirks.timeline?.wrapsUpLater ?? false,
});

const placed = (random: Random, floor: Floor, order: CallOrder): Call => {
  const call = placeCall(random, floor, order) ?? placeCall(random, floor, { ...order, scenario: abandoned });
  if (call === undefined) throw new Error('An abandoned call must not need a free agent');
  return call;
};

/** The agents of the first call still wrap it up when the second one rings. */
const continuation = (random: Random, floor: Floor, quirks: CallQuirks, follows: Call): Call =>
  placed(random, withEngagements(floor, follows.engagements, follows.startedAt), {
    ...orderOf(random, quirks, answered, follows.endedAt),
    follows,
  });

/** All posts of one call's summary, and what else is told of it. Seconds of posts count from `at` (milliseconds). */
const summariesOf = (
  random: Random,
  call: Call,
  account: SimulatedAccount,
  drawn: CallQuirks,
  at: number,
): { readonly posts: readonly Post[]; readonly told: ToldCall } => {
  const callQuirks = applicableQuirks(drawn, call);
  const { carrier = formCarrier, writing = plainWriting, shape = singleShape, timeline } = callQuirks;
  const quirks = callQuirks.identifier ? [callQuirks.identifier, ...callQuirks.fields] : callQuirks.fields;
  const rewrites = rewritesBy(random, quirks, { call, account });
  const written: Rewrite = carrier.keyBeside ? (fields) => withoutKey(rewrites.all(fields)) : rewrites.all;

  const versions = timeline?.versions(random, call) ?? [{ afterSeconds: 0, call }];
  const postOf = (version: Version, written: Rewrite): Post => {
    const json = shape.text(version.call, account, written, writing.layout).replaceAll('/', writing.slash);
    const afterSeconds = secondsBetween(at, call, timeline?.wrapsUpLater ?? false) + version.afterSeconds;
    return {
      ...carrier.carry(json, account.apiKey),
      afterSeconds,
      callId: call.id,
      kinds: [call.scenario.name, ...quirkNames(callQuirks)],
    };
  };
  const posts = versions.map((version) => postOf(version, written));

  return {
    posts: [...posts, ...(callQuirks.repeat?.copies(random, posts) ?? [])],
    told: {
      call,
      namedLegs: shape.legs(call),
      rewrite: rewrites.content,
      poorer: () => postOf({ afterSeconds: 0, call: withLessDetail(call) }, (fields) => withoutMedia(written(fields))),
    },
  };
};

const withoutMedia: Rewrite = (fields) => withTexts(fields, ['AudioFile', 'CallerConfAudioFile'], () => '');

const withoutKey: Rewrite = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key.toLowerCase() !== 'apikey'));

const secondsBetween = (at: number, { endedAt, wrapUpSeconds }: Call, wrapsUpLater: boolean): number =>
  Math.floor(endedAt / 1000) + (wrapsUpLater ? 0 : wrapUpSeconds) - Math.floor(at / 1000);

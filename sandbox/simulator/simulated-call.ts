import { abandoned, answered, type Call, type Scenario, scenarios } from './floor/call.ts';
import { type Floor, withEngagements } from './floor/floor.ts';
import { type CallOrder, placeCall } from './floor/place-call.ts';
import {
  type Carrier,
  carriers,
  formCarrier,
  otherPost,
  otherPosts,
  type Post,
  plainWriting,
  type Writing,
  writings,
} from './posts/post.ts';
import { type Shape, shapes, singleShape } from './posts/shapes.ts';
import { type Repeat, repeats, type Timeline, timelines, type Version, withLessDetail } from './posts/timelines.ts';
import {
  chooseFieldQuirks,
  fieldQuirks,
  type IdentifierQuirk,
  identifierQuirks,
  ordinaryId,
  rewritesBy,
} from './quirks/field-quirks.ts';
import { choose, type Random } from './random.ts';
import { keyOf, type SimulatedAccount } from './settings.ts';
import { type Rewrite, withTexts } from './summary.ts';

/** All scenarios and quirks that can be requested by name. */
const allKinds = [
  ...scenarios,
  ...identifierQuirks,
  ...fieldQuirks,
  ...timelines,
  ...repeats,
  ...shapes,
  ...writings,
  ...carriers,
  ...otherPosts,
] as const;

/** The name of a scenario or quirk. */
export type Kind = (typeof allKinds)[number]['name'];
export const kinds: readonly Kind[] = allKinds.map(({ name }) => name);

/** The quirks of one call: drawn at random, or only the requested one. */
const chooseQuirks = (random: Random, kind?: Kind) => ({
  identifier: choose<IdentifierQuirk>(random, identifierQuirks, kind),
  fields: chooseFieldQuirks(random, kind),
  timeline: choose<Timeline>(random, timelines, kind),
  repeat: choose<Repeat>(random, repeats, kind),
  shape: choose<Shape>(random, shapes, kind),
  writing: choose<Writing>(random, writings, kind),
  carrier: choose<Carrier>(random, carriers, kind),
});
type Quirks = ReturnType<typeof chooseQuirks>;

/** The quirks that apply to this call. For example, a call without an agent has no wrap-up. */
const applicable = (quirks: Quirks, call: Call): Quirks => ({
  ...quirks,
  fields: quirks.fields.filter((quirk) => quirk.appliesTo?.(call) ?? true),
  timeline: call.engagements.length > 0 ? quirks.timeline : undefined,
});

/** A call with all its posts. A transfer to a skill makes a second call. */
export interface SimulatedCall {
  readonly calls: readonly Call[];
  /** The same calls for the call report. */
  readonly reported: readonly ReportedCall[];
  /** In the order of sending. */
  readonly posts: readonly Post[];
}

/** A call as the call report needs it, and its poorer post. */
export interface ReportedCall {
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
  const quirks = chooseQuirks(random, kind);
  const call = placed(random, floor, orderOf(random, quirks, drawn, at));
  const next = call.scenario.transfer === 'Skill' ? continuation(random, floor, quirks, call) : undefined;
  const calls = next ? [call, next] : [call];

  const other = choose(random, otherPosts, kind);
  const others = other ? [otherPost(other, call, account)] : [];
  // If requested by name, such a post comes alone.
  if (other && kind) return { calls: [], reported: [], posts: others };

  const summaries = calls.map((one) => summariesOf(random, one, account, applicable(quirks, one), at));
  const posts = [...others, ...summaries.flatMap((summary) => summary.posts)];
  return {
    calls,
    reported: summaries.map(({ reported }) => reported),
    posts: posts.sort((one, later) => one.afterSeconds - later.afterSeconds),
  };
};

const orderOf = (random: Random, quirks: Quirks, scenario: Scenario, postedAt: number): CallOrder => ({
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
const continuation = (random: Random, floor: Floor, quirks: Quirks, follows: Call): Call =>
  placed(random, withEngagements(floor, follows.engagements, follows.startedAt), {
    ...orderOf(random, quirks, answered, follows.endedAt),
    follows,
  });

/** All posts of one call's summary, and the call for the report. Seconds of posts count from `at` (milliseconds). */
const summariesOf = (
  random: Random,
  call: Call,
  account: SimulatedAccount,
  quirks: Quirks,
  at: number,
): { readonly posts: readonly Post[]; readonly reported: ReportedCall } => {
  const { carrier = formCarrier, writing = plainWriting, shape = singleShape, timeline, identifier } = quirks;
  const ofFields = identifier ? [identifier, ...quirks.fields] : quirks.fields;
  const rewrites = rewritesBy(random, ofFields, { call, account });
  const written: Rewrite = carrier.keyBeside ? (fields) => withoutKey(rewrites.all(fields)) : rewrites.all;
  const names = Object.values(quirks)
    .flat()
    .flatMap((quirk) => quirk?.name ?? []);
  const firstAfter = secondsBetween(at, call, timeline?.wrapsUpLater ?? false);

  const postOf = (version: Version, written: Rewrite): Post => ({
    ...carrier.carry(
      shape.text(version.call, account, written, writing.layout).replaceAll('/', writing.slash),
      keyOf(account),
    ),
    afterSeconds: firstAfter + version.afterSeconds,
    callId: call.id,
    kinds: [call.scenario.name, ...names],
  });
  const versions = timeline?.versions(random, call) ?? [{ afterSeconds: 0, call }];
  const posts = versions.map((version) => postOf(version, written));

  return {
    posts: [...posts, ...(quirks.repeat?.copies(random, posts) ?? [])],
    reported: {
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

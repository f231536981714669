import type { Account } from '../../lib/accounts/accounts.ts';
import { abandoned, answered, type CallOrder, type PlannedCall, placeCall, type Scenario, scenarios } from './call.ts';
import { keyOf } from './call-fields.ts';
import { type SimulatedCentre, withEngagements } from './centre.ts';
import {
  carriers,
  formCarrier,
  otherPosts,
  type Post,
  plainWriting,
  postedContentOf,
  repeats,
  shapes,
  singleShape,
  timelines,
  withLessDetail,
  writings,
} from './posts.ts';
import { chooseFieldQuirks, fieldQuirks, identifierQuirks, ordinaryId, rewritesBy } from './quirks.ts';
import { type Choosable, choose, type Random } from './random.ts';
import { type Rewrite, withTexts } from './sent-fields.ts';

const allKinds = [
  scenarios,
  identifierQuirks,
  fieldQuirks,
  timelines,
  repeats,
  shapes,
  writings,
  carriers,
  otherPosts,
].flat();

export type Kind = (typeof allKinds)[number]['name'];
export const kinds: readonly Kind[] = allKinds.map(({ name }) => name);

export interface SimulatedCall {
  readonly calls: readonly PlannedCall[];
  readonly reported: readonly ReportedCall[];
  readonly posts: readonly Post[];
}

export interface ReportedCall {
  readonly call: PlannedCall;
  readonly namedLegs: readonly PlannedCall[];
  readonly rewrite: Rewrite;
  /** Its only post if its callbacks are made poorer: not answered, without recordings and disposition. */
  readonly poorer: () => Post;
}

const chooseQuirks = (random: Random, kind?: Kind) => ({
  identifier: choose(random, identifierQuirks, kind),
  fields: chooseFieldQuirks(random, kind),
  timeline: choose(random, timelines, kind),
  repeat: choose(random, repeats, kind),
  shape: choose(random, shapes, kind),
  writing: choose(random, writings, kind),
  carrier: choose(random, carriers, kind),
});
type Quirks = ReturnType<typeof chooseQuirks>;

/** For example, a call without an agent has no wrap-up. */
const applicable = (quirks: Quirks, call: PlannedCall): Quirks => ({
  ...quirks,
  fields: quirks.fields.filter((quirk) => quirk.appliesTo?.(call) ?? true),
  timeline: call.engagements.length > 0 ? quirks.timeline : undefined,
});

/** The same arguments make the same call. A caller gives up waiting if too few agents are free. */
export const simulatedCall = (
  random: Random,
  at: number,
  centre: SimulatedCentre,
  account: Account,
  kind?: Kind,
): SimulatedCall => {
  const scenario: Scenario = choose<Scenario>(random, scenarios, kind) ?? answered;
  const quirks = chooseQuirks(random, kind);
  const order = (scenario: Scenario, postedAt: number): CallOrder => ({
    id: (quirks.identifier?.digits ?? ordinaryId)(random),
    scenario,
    postedAt,
    wrapsUpLater: quirks.timeline?.wrapsUpLater ?? false,
  });
  const call = placed(random, centre, order(scenario, at));
  const calls = [call];
  if (call.scenario.transfer === 'Skill') {
    // The agents of the first call still wrap it up when the second one rings.
    const busy = withEngagements(centre, call.engagements, call.startedAt);
    calls.push(placed(random, busy, { ...order(answered, call.endedAt), follows: call }));
  }

  const other = choose(random, otherPosts, kind);
  const others = other
    ? [{ ...other.wire(call, account), afterSeconds: 0, callId: undefined, kinds: [other.name] }]
    : [];
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

const placed = (random: Random, centre: SimulatedCentre, order: CallOrder): PlannedCall => {
  const call = placeCall(random, centre, order) ?? placeCall(random, centre, { ...order, scenario: abandoned });
  if (call === undefined) throw new Error('An abandoned call must not need a free agent');
  return call;
};

/** All posts of one call's summary, and the call for the report. Seconds of posts count from `at` (milliseconds). */
const summariesOf = (random: Random, call: PlannedCall, account: Account, quirks: Quirks, at: number) => {
  const { writing = plainWriting, shape = singleShape, timeline, identifier } = quirks;
  const carrier = quirks.carrier ?? formCarrier;
  const ofFields = identifier ? [identifier, ...quirks.fields] : quirks.fields;
  const rewrites = rewritesBy(random, ofFields, call, account);
  const written: Rewrite = 'keyBeside' in carrier ? (fields) => withoutKey(rewrites.all(fields)) : rewrites.all;
  const chosen: readonly (Choosable | undefined)[] = Object.values(quirks).flat();
  const kinds = [call.scenario.name, ...chosen.flatMap((quirk) => quirk?.name ?? [])];
  const firstAfter = secondsBetween(at, call, timeline?.wrapsUpLater ?? false);

  const postOf = (version: PlannedCall, afterSeconds: number, rewrite: Rewrite): Post => ({
    ...carrier.carry(writing.write(postedContentOf(shape, version, account, rewrite)), keyOf(account)),
    afterSeconds: firstAfter + afterSeconds,
    callId: call.id,
    kinds,
  });
  const versions = timeline?.versions(random, call) ?? [{ afterSeconds: 0, call }];
  const posts = versions.map((version) => postOf(version.call, version.afterSeconds, written));
  const reported: ReportedCall = {
    call,
    namedLegs: shape.legs(call),
    rewrite: rewrites.content,
    poorer: () => postOf(withLessDetail(call), 0, (fields) => withoutMedia(written(fields))),
  };

  return { posts: [...posts, ...(quirks.repeat?.copies(random, posts) ?? [])], reported };
};

const withoutMedia: Rewrite = (fields) => withTexts(fields, ['AudioFile', 'CallerConfAudioFile'], () => '');

const withoutKey: Rewrite = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key.toLowerCase() !== 'apikey'));

const secondsBetween = (at: number, { endedAt, wrapUpSeconds }: PlannedCall, wrapsUpLater: boolean): number =>
  Math.floor(endedAt / 1000) + (wrapsUpLater ? 0 : wrapUpSeconds) - Math.floor(at / 1000);

import fc from 'fast-check';
import { expect } from 'vitest';
import { type Delivery, type MergeRules, mergeDeliveries, type RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { deliveryAt, normalisedRecords } from './posted-records.ts';

/** Fixed, so that a run can be repeated; FC_SEED=... looks elsewhere. A failure prints its seed and path. */
export const seed = Number(process.env['FC_SEED'] ?? 20_261_121);

/** FC_PATH=... with `-t` tries one input of one property again. */
export const replayedPath = process.env['FC_PATH'];

/**
 * The share of the inputs that is tried. CI tries all of them. The mutation test, which runs a property thousands of times,
 * asks for fewer, and for no smallest one.
 */
const share = Number(process.env['FC_SHARE'] ?? 0.3);

/** How a property of so many inputs is run. */
export const runParameters = (numRuns: number) => ({
  seed,
  numRuns: Math.ceil(numRuns * share),
  endOnFailure: share < 0.3,
  ...(replayedPath !== undefined && { path: replayedPath }),
});

/** Asserts a property for `numRuns` generated inputs. */
export const holds = <Input>(property: fc.IProperty<Input>, numRuns = 200): void =>
  fc.assert(property, runParameters(numRuns));

/** The same for a property that waits for something. */
export const holdsAsync = <Input>(property: fc.IAsyncProperty<Input>, numRuns = 100): Promise<void> =>
  fc.assert(property, runParameters(numRuns));

/** Some of many cases, evenly spread: the share of them that is tried. */
export const tried = <Case>(cases: readonly Case[]): readonly Case[] =>
  cases.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share));

/** A choice between values by their weights. */
export const weighted = <Value>(...choices: readonly (readonly [weight: number, of: fc.Arbitrary<Value>])[]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/**
 * Every character that a text may have. fast-check's own units for them first make a table of all million, which takes a
 * second and memory that each collection of garbage then goes through.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

const instant = (second: number): string => new Date(Date.UTC(2026, 10, 20, 6, 0, second)).toISOString();

const blank = fc.constantFrom('', 'None', 'null', '-', undefined);
const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ arbitrary: blank, weight: 1 }, { arbitrary, weight: 2 });
const url = fc.nat({ max: 5 }).map((number) => `https://r.example.com/${number}.mp3`);
const time = fc.nat({ max: 59 }).map((second) => `2026-11-20 11:00:${String(second).padStart(2, '0')}`);

/** Call summaries of one call, with few values for each field, so that they agree and contradict each other often. */
const callPost = fc.record({
  monitorUCID: fc.constant('41781234567890123'),
  Status: often(fc.constantFrom('Answered', 'NotAnswered', 'answered', 'Fail')),
  Disposition: often(
    fc.constantFrom('Wrap up time exceeded :120', 'Sale', 'Refund', 'Wrap up time exceeded :120 -> Sale'),
  ),
  AudioFile: often(fc.array(url, { minLength: 1, maxLength: 3 }).map((urls) => urls.join(','))),
  CallerConfAudioFile: often(fc.array(url, { minLength: 1, maxLength: 3 }).map((urls) => urls.join(' -> '))),
  AgentID: often(fc.constantFrom('1001', '1001 -> 1002', ' -> 1003')),
  Comments: often(fc.constantFrom('one', 'two', 'x'.repeat(300))),
  CallDuration: often(fc.constantFrom('00:00:10', '10', 'soon', '00:00:12')),
  StartTime: often(fc.oneof(time, fc.constantFrom('soon', '2026-11-20T05:30:00Z'))),
  EndTime: often(time),
  CustomerStatus: often(fc.constantFrom('answered', 'DND', 'Busy -> DND')),
  UUI: often(fc.constantFrom('SkillTransfer-77~1001', 'order 7')),
  AgentPhoneNumber: often(fc.constantFrom('1', '2'.repeat(30))),
  SkillID: often(fc.constantFrom('1', '2')),
  Tenant: often(fc.constantFrom('a', 'b')),
});

/** Participant records of one participation. */
const participantPost = fc.record({
  UCID: fc.constant('41781234567890123'),
  CallID: fc.constant('9'),
  ExitStatus: fc.constantFrom('', 'None', 'HANGUP', 'TRANSFER'),
  EndTime: often(time),
  PickupTime: often(fc.oneof(time, fc.constant('soon'))),
  Audio: often(fc.array(url, { minLength: 1, maxLength: 3 }).map((urls) => urls.join(','))),
  AgentName: often(fc.constantFrom('Asha', 'Ravi')),
  DialStatus: often(fc.constantFrom('SUCCESS', 'FAILED', 'answered')),
  SkillID: often(fc.constantFrom('1', '2')),
});

const deliveryFrom = (post: object, second: number): Delivery => {
  const [keyed] = normalisedRecords([post]).deliveries;
  if (keyed === undefined) throw new Error('The post was not classified');
  return shownAs(asPosted(post, second), deliveryAt(keyed.delivery.facts, instant(second)));
};

/** Second and post: of a delivery itself a failure would show mostly its compressed text. A copy with another receipt loses it. */
const asPosted = (post: object, second: number): string =>
  [`at ${second} s`, ...Object.entries(post).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []))].join(' ');

/** The value, as fast-check shows it in a counterexample. No comparison sees that. */
const shownAs = <Value extends object>(text: string, value: Value): Value =>
  Object.defineProperty(value, fc.toStringMethod, { value: () => text });

const receivedWithin = fc.nat({ max: 20 });

/** Deliveries of one call, in no order. */
export const callDelivery = fc.tuple(callPost, receivedWithin).map(([post, second]) => deliveryFrom(post, second));

/** Deliveries of one participation, in no order. */
export const participantDelivery = fc
  .tuple(participantPost, receivedWithin)
  .map(([post, second]) => deliveryFrom(post, second));

/** A record of one of a few agents, with few values for each field, so that agents log in, change and log out often. */
const record = fc.record({
  AgentId: fc.constantFrom('1', '2', '3', '4'),
  AgentName: fc.constantFrom('Asha', 'Ravi', ''),
  AgentState: fc.constantFrom('READY', 'ready', 'ACW', 'Lunch', 'LUNCH', 'Tea'),
  SkillName: fc.constantFrom('a, b', 'b,a', ''),
});

/** Records that cannot be read; most answers have none. */
const unreadable = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constantFrom<unknown[]>([null], [{ AgentId: '1' }], [{ AgentName: 'Ravi' }]) },
);

/** Polls of one account: how many seconds after the one before, and the records of the answer. */
export const arbitraryPolls = fc.array(
  fc.record({
    afterSeconds: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
      { weight: 2, arbitrary: fc.integer({ min: 61, max: 20_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 20_001, max: 260_000 }) },
    ),
    records: fc.tuple(fc.array(record, { maxLength: 5 }), unreadable).map((lists) => lists.flat()),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Zones with and without clock changes, at midnight among them. */
export const arbitraryZone = fc.constantFrom('Asia/Kolkata', 'Europe/London', 'Africa/Cairo', 'America/Havana', 'UTC');

/** When the first of them may be. */
export const arbitraryStart = fc
  .constantFrom('2026-03-07', '2026-04-22', '2026-10-23', '2026-10-29', '2026-11-20')
  .map((date) => Date.parse(`${date}T06:00:00.000Z`));

/** What deliveries make, received one a second in the order given; handing them over backwards makes no difference. */
export const mergedInAnyOrder = (rules: MergeRules, said: readonly RecordFacts[]): RecordFacts => {
  const deliveries = said.map((facts, second) => deliveryAt(facts, `2026-11-20T06:00:0${second}.000Z`));
  const merged = mergeDeliveries(deliveries, rules);

  expect(mergeDeliveries(deliveries.toReversed(), rules)).toEqual(merged);
  return merged;
};

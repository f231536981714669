import { compare, withoutUndefined } from '../core/collections.ts';
import { contentHash } from '../core/encoding.ts';
import { canonicalJson } from '../core/json.ts';
import type { Note } from '../storage/field.ts';
import { factsThat, recordingFacts } from '../telephony/call-fields.ts';
import { notesOf, sortedNotes } from '../telephony/field-kinds.ts';
import { eachRecordingOnce } from '../telephony/signed-links.ts';
import type { Posting } from './stored-delivery.ts';

/** The facts of a call or participant by name, as `CallFacts` or `ParticipantFacts` declares them. */
export type RecordFacts = Readonly<Record<string, unknown>>;

/** The facts of one message about a record, and when they were first received (ISO instant). */
export interface Delivery {
  /** A hash of the facts, because the sender gives its messages no id: the same facts are the same delivery. */
  readonly id: string;
  readonly receivedAt: string;
  readonly facts: RecordFacts;
  /** The JSON text of the record as it was sent, without keys, compressed (see `compressText`). */
  readonly asSent: string;
  /** Present if it was read in the service's call report; a callback has none. */
  readonly source?: 'report' | undefined;
  /** The day of the report that has the record, if the record has no plain date of its own. */
  readonly day?: string | undefined;
  /** The country of the account's numbers, where the account names one. */
  readonly country?: string | undefined;
  /** Only of an account whose deliveries are forwarded. */
  readonly posting?: Posting | undefined;
  /** When a person was erased from it (ISO instant): `id` is still the hash of the facts before, and `asSent` has gone. */
  readonly erasedAt?: string | undefined;
}

/** The delivery of normalised facts: types, spellings and blanks of the message make no difference to its id. */
export const deliveryOf = (
  facts: RecordFacts,
  { receivedAt, asSent, source, day, country, posting }: Omit<Delivery, 'id' | 'facts' | 'erasedAt'>,
): Delivery =>
  withoutUndefined({
    id: contentHash(source === undefined ? facts : { ...facts, source }),
    receivedAt,
    facts: withoutUndefined(facts),
    asSent,
    source,
    day,
    country,
    posting,
  });

export const isCallback = ({ source }: Delivery): boolean => source === undefined;

export const isOnlyReported = (deliveries: readonly Delivery[]): boolean =>
  deliveries.length > 0 && !deliveries.some(isCallback);

/** Earlier first. Deliveries of the same millisecond are ordered by their ids, so that the order is total. */
export const byReceipt = (a: Delivery, b: Delivery): number =>
  a.receivedAt === b.receivedAt ? compare(a.id, b.id) : compare(a.receivedAt, b.receivedAt);

/** The fields of `facts` that differ from `base`, and null for each field that only `base` has. */
export const differenceFrom = (base: RecordFacts, facts: RecordFacts): RecordFacts =>
  Object.fromEntries(changedFields(base, facts).map((field) => [field, facts[field] ?? null]));

export const withDifference = (base: RecordFacts, difference: RecordFacts): RecordFacts =>
  Object.fromEntries(Object.entries({ ...base, ...difference }).filter(([, value]) => value !== null));

/** The names of the fields that differ, in alphabetical order. */
export const changedFields = (before: RecordFacts, after: RecordFacts): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !isSame(before[field], after[field]))
    .sort();

const isSame = (one: unknown, other: unknown): boolean => one === other || canonicalJson(one) === canonicalJson(other);

export interface MergeRules {
  /** Greater is richer; compared from the left. First comes what late, poor deliveries lack. */
  readonly richness: (facts: RecordFacts, source: Delivery['source']) => readonly number[];
  /** Fields with a rank of their own: a poorer delivery may still decide them. */
  readonly preferred?: (all: readonly Delivery[]) => readonly PreferredFields[];
  /** Lists that must not lose an entry: the record has those of all deliveries. */
  readonly additive: readonly string[];
}

/** Fields decided by the delivery with the highest rank; among equal ones by the richest. */
interface PreferredFields {
  readonly fields: readonly string[];
  readonly rankOf: (facts: RecordFacts) => number;
}

/**
 * Merges a set of deliveries in any order, by when each was first received. A blank never replaces a value. In a
 * contradiction the richer one decides, and of equally rich ones the one received later.
 */
export const mergeDeliveries = (
  deliveries: readonly Delivery[],
  { richness, preferred = () => [], additive }: MergeRules,
): RecordFacts => {
  const [only, ...others] = deliveries;
  // Most calls have one delivery, and then its facts. After an erasure a list may hold `erased` twice: the union drops it.
  if (only !== undefined && others.length === 0)
    return { ...only.facts, ...Object.fromEntries(additive.flatMap((field) => unionOf(field, [only.facts]))) };
  const ranked = deliveries
    .map((delivery) => ({ ...delivery, rank: richness(delivery.facts, delivery.source) }))
    .sort((a, b) => compareRanks(b.rank, a.rank) || byReceipt(b, a))
    .map(({ facts }) => facts);
  const deciders = decidersOf(ranked, preferred(deliveries));
  const inOrderOfReceipt = deliveries.toSorted(byReceipt).map(({ facts }) => facts);
  const deciding = ([field, facts]: readonly [string, RecordFacts]) =>
    additive.includes(field) ? inOrderOfReceipt : [facts];
  const notes = [...deciders].flatMap((decider) => notesOn(decider[0], deciding(decider)));
  const extra = Object.assign({}, ...ranked.map((facts) => facts['extra']).reverse());

  return {
    ...Object.fromEntries([...deciders].flatMap(([field, facts]) => entriesOf(field, facts))),
    ...Object.fromEntries(additive.flatMap((field) => unionOf(field, inOrderOfReceipt))),
    ...(Object.keys(extra).length > 0 && { extra }),
    ...(notes.length > 0 && { notes: sortedNotes(notes) }),
  };
};

/**
 * What decides each merged field: the richest delivery that has it, or the best by the field's own rank. The richest
 * delivery decides the notes of a field that no delivery has.
 */
const decidersOf = (ranked: readonly RecordFacts[], preferred: readonly PreferredFields[]) => {
  const deciders = new Map<string, RecordFacts>();
  const offer = (field: string, facts: RecordFacts) => deciders.set(field, deciders.get(field) ?? facts);

  for (const { fields, rankOf } of preferred) {
    const byRank = ranked.toSorted((a, b) => rankOf(b) - rankOf(a));
    for (const field of fields) {
      const best = byRank.find((facts) => field in facts);
      if (best !== undefined) offer(field, best);
    }
  }
  for (const facts of ranked) for (const field of fieldsOf(facts)) offer(field, facts);
  for (const facts of ranked) for (const { field } of notesOf(facts)) offer(field, facts);
  const timed = zonedTimes.map((field) => deciders.get(field)).find((decider) => decider !== undefined);
  return timed === undefined ? deciders : deciders.set('timeZone', timed);
};

/**
 * The zone is that in which the first of these was read, even if the account has got another one since: so the local time is what
 * was sent.
 */
const zonedTimes = ['startedAt', 'pickedUpAt', 'endedAt', 'approximateAt'] as const;

const notesOn = (field: string, all: readonly RecordFacts[]): readonly Note[] => [
  ...new Map(
    all
      .flatMap(notesOf)
      .filter((note) => note.field === field)
      .map((note) => [canonicalJson(note), note]),
  ).values(),
];

/** The word as sent comes from the same delivery as its field. */
const asSentField = (field: string) => `${field}AsSent`;

const mergedSeparately = new Set(['extra', 'notes']);

const fieldsOf = (facts: RecordFacts) =>
  Object.keys(facts).filter((key) => !key.endsWith('AsSent') && !mergedSeparately.has(key));

const entriesOf = (field: string, facts: RecordFacts): [string, unknown][] =>
  [field, asSentField(field)].filter((key) => key in facts).map((key) => [key, facts[key]]);

/**
 * One list with the entries of all lists, each once. Of a link that was signed again the later one stays. Returned as a name
 * and a list, for `Object.fromEntries`; empty where no delivery has such a list.
 */
export const unionOf = (field: string, all: readonly RecordFacts[]): [string, unknown][] => {
  const entries = all.flatMap((facts) => facts[field] ?? []);
  return entries.length === 0 ? [] : [[field, eachRecordingOnce(entries)]];
};

const compareRanks = (a: readonly number[], b: readonly number[]): number => {
  const differences = a.map((value, index) => value - (b[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
};

/** The service sets this itself when the agent's time is up. The agent's own disposition follows later. */
const automaticDisposition = /^wrap ?up time exceeded\b/i;

const ownDisposition = 2;

const dispositionRank = ({ dispositions }: RecordFacts): number => {
  if (!Array.isArray(dispositions)) return 0;
  return dispositions.some((disposition) => !automaticDisposition.test(disposition)) ? ownDisposition : 1;
};

/** What depends on whether the call was answered: its times, durations and outcomes, and who took it. */
const answerFields = factsThat(({ ofAnswer = false }) => ofAnswer);

const answerRank = ({ status }: RecordFacts): number => Number(status === 'answered');

const statusRank = ({ status }: RecordFacts): number => {
  if (status === 'answered') return 2;
  return status === 'not-answered' ? 1 : 0;
};

const recordingRank = ({ recordings, conferenceRecordings }: RecordFacts): number =>
  Number(recordings !== undefined || conferenceRecordings !== undefined);

/**
 * The richest delivery is an answered call with the agent's own disposition and a recording. The service posts a call at
 * once without a disposition, and minutes later with it. A poor copy (not answered, no recording) can follow either.
 *
 * Every callback is richer than the call report, which adds what callbacks lack. Where no callback knows of an answer, the
 * report decides what depends on it. An agent's disposition replaces an automatic one.
 */
export const callMergeRules: MergeRules = {
  richness: (facts, source) => [
    Number(source === undefined),
    statusRank(facts),
    Number(dispositionRank(facts) === ownDisposition),
    recordingRank(facts),
  ],
  preferred: (all) => [
    { fields: ['dispositions'], rankOf: dispositionRank },
    ...(all.filter(isCallback).some(({ facts }) => answerRank(facts) === 1)
      ? []
      : [{ fields: answerFields, rankOf: answerRank }]),
  ],
  additive: recordingFacts,
};

/** The richest delivery has an end and a recording. A delivery during the call has neither. */
export const participantMergeRules: MergeRules = {
  richness: ({ endedAt, recordings }) => [Number(endedAt !== undefined), Number(recordings !== undefined)],
  additive: ['recordings'],
};

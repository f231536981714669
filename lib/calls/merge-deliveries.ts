import type { Facts } from '../core/objects.ts';
import { notesOf, sortedNotes } from '../telephony/field-reader.ts';
import { byReceipt, type Delivery } from './delivery.ts';

/** How deliveries of one kind of record are weighed against each other. */
export interface MergeRules {
  /** Greater is richer; compared from the left. What a late, poor delivery lacks in practice comes first. */
  readonly richness: (facts: Facts) => readonly number[];
  /** Fields that a delivery poorer in all else may still decide, by a rank of their own. */
  readonly preferred?: Readonly<Record<string, (facts: Facts) => number>>;
  /** Lists of which no entry may get lost: those of all deliveries add up. */
  readonly additive: readonly string[];
}

/**
 * The one record that a set of deliveries makes. It depends on the set and on when each was first received, never on
 * the order in which they are given. A value never yields to a blank. Where deliveries contradict each other the richer
 * one stands, and of equally rich ones the one received later.
 */
export const mergeDeliveries = (
  deliveries: readonly Delivery[],
  { richness, preferred = {}, additive }: MergeRules,
): Facts => {
  const ranked = deliveries
    .map((delivery) => ({ ...delivery, rank: richness(delivery.facts) }))
    .sort((a, b) => compareRanks(b.rank, a.rank) || byReceipt(b, a))
    .map(({ facts }) => facts);
  const sources = sourcesOf(ranked, preferred);
  const notes = [...sources].flatMap(([field, facts]) => notesOf(facts).filter((note) => note.field === field));
  const extra = Object.assign({}, ...ranked.map((facts) => facts['extra']).reverse());

  return {
    ...Object.fromEntries([...sources].flatMap(([field, facts]) => entriesOf(field, facts))),
    ...Object.fromEntries(additive.flatMap((field) => unionOf(field, deliveries))),
    ...(Object.keys(extra).length > 0 && { extra }),
    ...(notes.length > 0 && { notes: sortedNotes(notes) }),
  };
};

/**
 * Where each field of the merged record comes from: the richest delivery that has it, or the best by the field's own
 * rank. A field that is nowhere but in notes keeps those of the richest.
 */
const sourcesOf = (ranked: readonly Facts[], preferred: NonNullable<MergeRules['preferred']>) => {
  const sources = new Map<string, Facts>();
  const offer = (field: string, facts: Facts) => sources.set(field, sources.get(field) ?? facts);

  for (const [field, rankOf] of Object.entries(preferred)) {
    const [best] = ranked.filter((facts) => field in facts).toSorted((a, b) => rankOf(b) - rankOf(a));
    if (best !== undefined) offer(field, best);
  }
  for (const facts of ranked) for (const field of fieldsOf(facts)) offer(field, facts);
  for (const facts of ranked) for (const { field } of notesOf(facts)) offer(field, facts);
  return sources;
};

/** A word as sent belongs to its field and moves with it. */
const asSentField = (field: string) => `${field}AsSent`;

const mergedSeparately = new Set(['extra', 'notes']);

const fieldsOf = (facts: Facts) =>
  Object.keys(facts).filter((key) => !key.endsWith('AsSent') && !mergedSeparately.has(key));

const entriesOf = (field: string, facts: Facts): [string, unknown][] =>
  [field, asSentField(field)].filter((key) => key in facts).map((key) => [key, facts[key]]);

const unionOf = (field: string, deliveries: readonly Delivery[]): [string, unknown][] => {
  const all = deliveries.toSorted(byReceipt).flatMap(({ facts }) => facts[field] ?? []);
  return all.length === 0 ? [] : [[field, [...new Set(all)]]];
};

const compareRanks = (a: readonly number[], b: readonly number[]): number => {
  const differences = a.map((value, index) => value - (b[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
};

/** Set by the service itself when the agent's time is up; the agent's own follows later. */
const automaticDisposition = /^wrap ?up time exceeded\b/i;

const dispositionRank = ({ dispositions }: Facts): number => {
  if (!Array.isArray(dispositions)) return 0;
  return dispositions.some((disposition) => !automaticDisposition.test(disposition)) ? 2 : 1;
};

const statusRank = ({ status }: Facts): number => {
  if (status === 'answered') return 2;
  return status === 'not-answered' ? 1 : 0;
};

const recordingRank = ({ recordings, conferenceRecordings }: Facts): number =>
  Number(recordings !== undefined || conferenceRecordings !== undefined);

/**
 * Richest is an answered call with the agent's own disposition and a recording. Practice: a call arrives at once without
 * a disposition and again minutes later with it; a poor copy (not answered, no recording) can follow either.
 */
export const callMergeRules: MergeRules = {
  richness: (facts) => [statusRank(facts), dispositionRank(facts), recordingRank(facts)],
  preferred: { dispositions: dispositionRank },
  additive: ['recordings', 'conferenceRecordings'],
};

/** Richest is a participation that has ended and has a recording: a delivery during the call has neither. */
export const participantMergeRules: MergeRules = {
  richness: ({ endedAt, recordings }) => [Number(endedAt !== undefined), Number(recordings !== undefined)],
  additive: ['recordings'],
};

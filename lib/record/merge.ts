import { byReceipt, type Delivery, type Facts } from './delivery.ts';
import type { Note } from './note.ts';

/** How deliveries of one kind of record are weighed against each other. */
export interface MergeRules {
  /** Greater is richer; compared from the left. What a late, poor delivery lacks in practice comes first. */
  readonly richness: (facts: Facts) => readonly number[];
  /** Lists of which no entry may get lost: those of all deliveries add up. */
  readonly additive: readonly string[];
}

/**
 * The one record that a set of deliveries makes. It depends on the set and on when each was first received, never on
 * the order in which they are given. A value never yields to a blank. Where deliveries contradict each other the richer
 * one stands, and of equally rich ones the one received later.
 */
export const merge = (deliveries: readonly Delivery[], { richness, additive }: MergeRules): Facts => {
  const ranked = deliveries
    .map((delivery) => ({ ...delivery, rank: richness(delivery.facts) }))
    .sort((a, b) => compareRanks(b.rank, a.rank) || byReceipt(b, a));

  const sources = new Map<string, Facts>();
  for (const { facts } of ranked)
    for (const field of fieldsOf(facts)) if (!sources.has(field)) sources.set(field, facts);
  for (const { facts } of ranked)
    for (const { field } of notesOf(facts)) if (!sources.has(field)) sources.set(field, facts);

  const notes = [...sources].flatMap(([field, facts]) => notesOf(facts).filter((note) => note.field === field));
  const extra = Object.assign({}, ...ranked.map(({ facts }) => facts['extra']).reverse());
  return {
    ...Object.fromEntries([...sources].flatMap(([field, facts]) => entriesOf(field, facts))),
    ...Object.fromEntries(additive.flatMap((field) => unionOf(field, deliveries))),
    ...(Object.keys(extra).length > 0 && { extra }),
    ...(notes.length > 0 && { notes: notes.sort(byField) }),
  };
};

/** A word as sent belongs to its field and moves with it. */
const companion = (field: string) => `${field}AsSent`;

const apart = new Set(['extra', 'notes']);

const fieldsOf = (facts: Facts) => Object.keys(facts).filter((key) => !key.endsWith('AsSent') && !apart.has(key));

const entriesOf = (field: string, facts: Facts): [string, unknown][] =>
  [field, companion(field)].filter((key) => key in facts).map((key) => [key, facts[key]]);

const unionOf = (field: string, deliveries: readonly Delivery[]): [string, unknown][] => {
  const all = deliveries.toSorted(byReceipt).flatMap(({ facts }) => facts[field] ?? []);
  return all.length === 0 ? [] : [[field, [...new Set(all)]]];
};

const notesOf = ({ notes }: Facts): readonly Note[] => (Array.isArray(notes) ? notes : []);

const byField = (a: Note, b: Note): number => a.field.localeCompare(b.field) || a.reason.localeCompare(b.reason);

const compareRanks = (a: readonly number[], b: readonly number[]): number => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
};

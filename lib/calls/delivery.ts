import { canonicalJson } from '../core/canonical-json.ts';
import { contentHash } from '../core/content-hash.ts';
import { type Facts, withoutUndefined } from '../core/objects.ts';
import { compare } from '../core/text.ts';

/** The facts of one message about a record, and when they were first received (ISO instant). */
export interface Delivery {
  /** A hash of the facts, because the sender gives its messages no id: the same facts are the same delivery. */
  readonly id: string;
  readonly receivedAt: string;
  readonly facts: Facts;
}

/** The delivery of normalised facts: types, spellings and blanks of the message make no difference to its id. */
export const deliveryOf = (facts: Facts, receivedAt: string): Delivery => ({
  id: contentHash(facts),
  receivedAt,
  facts: withoutUndefined(facts),
});

/** Earlier first. Deliveries of the same millisecond are ordered by their ids, so that the order is total. */
export const byReceipt = (a: Delivery, b: Delivery): number =>
  a.receivedAt === b.receivedAt ? compare(a.id, b.id) : compare(a.receivedAt, b.receivedAt);

/** The fields of `facts` that differ from `base`, and null for each field that only `base` has. */
export const differenceFrom = (base: Facts, facts: Facts): Facts =>
  Object.fromEntries(changedFields(base, facts).map((field) => [field, facts[field] ?? null]));

/** The inverse of `differenceFrom`. */
export const withDifference = (base: Facts, difference: Facts): Facts =>
  Object.fromEntries(Object.entries({ ...base, ...difference }).filter(([, value]) => value !== null));

/** The names of the fields that differ, in alphabetical order. */
export const changedFields = (before: Facts, after: Facts): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]))
    .sort();

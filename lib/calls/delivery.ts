import { canonicalJson } from '../core/canonical-json.ts';
import { contentHash } from '../core/content-hash.ts';
import { type Facts, withoutUndefined } from '../core/objects.ts';
import { compare } from '../core/text.ts';

/** One distinct thing that was said of a record, and when it was first received (ISO instant). */
export interface Delivery {
  /** Named by its content: the sender gives its messages no id. The same facts are the same delivery. */
  readonly id: string;
  readonly receivedAt: string;
  readonly facts: Facts;
}

/**
 * Names what was received. Type of value, spelling and blanks are gone by now, so they make no difference; what is
 * undefined is left out.
 */
export const deliveryOf = (facts: Facts, receivedAt: string): Delivery => ({
  id: contentHash(facts),
  receivedAt,
  facts: withoutUndefined(facts),
});

/** Earlier first; what was received in the same millisecond is ordered by content, so that the order is total. */
export const byReceipt = (a: Delivery, b: Delivery): number =>
  a.receivedAt === b.receivedAt ? compare(a.id, b.id) : compare(a.receivedAt, b.receivedAt);

/** How one set of facts differs from another: its value of each field that differs, null where it has none. */
export const differenceFrom = (base: Facts, facts: Facts): Facts =>
  Object.fromEntries(changedFields(base, facts).map((field) => [field, facts[field] ?? null]));

/** The facts that a difference describes: the inverse of `differenceFrom`. */
export const withDifference = (base: Facts, difference: Facts): Facts =>
  Object.fromEntries(Object.entries({ ...base, ...difference }).filter(([, value]) => value !== null));

/** The names of the fields that differ, in alphabetical order. */
export const changedFields = (before: Facts, after: Facts): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]))
    .sort();

import { contentHash } from '../json/canonical-json.ts';
import { present } from '../present.ts';
import { compare } from '../text/compare.ts';

/** Attributes by name, as a row holds them: text, numbers, lists and maps of these. */
export type Facts = Readonly<Record<string, unknown>>;

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
  facts: present(facts),
});

/** Earlier first; what was received in the same millisecond is ordered by content, so that the order is total. */
export const byReceipt = (a: Delivery, b: Delivery): number =>
  a.receivedAt === b.receivedAt ? compare(a.id, b.id) : compare(a.receivedAt, b.receivedAt);

import { canonicalJson } from '../json/canonical-json.ts';
import type { Delivery, Facts } from './delivery.ts';
import { type CallRecord, mergedFacts } from './record.ts';

/** How a record came to say what it says. */
export interface LastChange {
  /** What it said until then; nothing where nothing had been said. */
  readonly before: Facts;
  /** When the latest delivery of those that were known then was received. */
  readonly receivedAt: string | undefined;
}

/**
 * What last changed a record, worked out from its deliveries in the order of their receipt: rows do not remember in which
 * order they were processed. That was nearly always the same. Where a later revision cannot have come about so, the
 * delivery that was received first was processed last, as what was parked is; of several such ones any may be meant.
 */
export const lastChange = ({ key, deliveries, revision }: CallRecord): LastChange => {
  const said = (some: readonly Delivery[]) => mergedFacts(key.kind, some);
  const now = canonicalJson(said(deliveries));
  let count = deliveries.length;
  while (count > 1 && canonicalJson(said(deliveries.slice(0, count - 1))) === now) count -= 1;

  const isLateFirst = count === 1 && revision > 1;
  return {
    before: said(isLateFirst ? deliveries.slice(1) : deliveries.slice(0, count - 1)),
    receivedAt: deliveries.at(isLateFirst ? -1 : count - 1)?.receivedAt,
  };
};

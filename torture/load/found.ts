import type { Facts } from '../../lib/record/delivery.ts';

/** An event as subscribers got it; its place in the list is that in which the bus took it. */
export interface FoundEvent {
  readonly type: string;
  readonly detail: Facts;
}

/** What there is in the end. */
export interface Found {
  /** The calls' table: legs, participants, entries of indexes. */
  readonly calls: readonly Facts[];
  readonly quarantine: readonly Facts[];
  readonly events: readonly FoundEvent[];
  /** How many events there were each time the sandbox was killed. */
  readonly killedAfter: readonly number[];
}

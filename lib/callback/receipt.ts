import type { RejectionReason } from './rejections.ts';
import type { Outcome } from './store-or-park.ts';

/** How many records of a post were stored, known already, quarantined and parked. */
export interface Receipt {
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
  readonly parked?: number;
}

/** What became of a post with calls, and why the first of its records that was not understood was not. */
export type Acceptance = Receipt & { readonly reason?: RejectionReason };

/** Why nothing of a post was understood, and what was stored of it. */
export type Rejection = Receipt & {
  readonly reason: RejectionReason;
  /** Whether the sender is known and the post durable. To post it again would change nothing, so the answer is 200. */
  readonly isAcknowledged: boolean;
};

/** The rejection of a post of which nothing was stored. */
export const discarded = (reason: RejectionReason): Rejection => ({
  stored: 0,
  duplicates: 0,
  quarantined: 0,
  reason,
  isAcknowledged: false,
});

/** Counts the outcomes of a post's records. */
export const receiptOf = (outcomes: readonly Outcome[]): Receipt => {
  const count = (...counted: readonly Outcome[]) => outcomes.filter((outcome) => counted.includes(outcome)).length;
  const parked = count('parked');
  return {
    stored: count('stored'),
    duplicates: count('duplicate'),
    quarantined: count('quarantined', 'not-storable'),
    ...(parked > 0 && { parked }),
  };
};

import type { Outcome } from '../store-or-park.ts';
import type { RefusalReason } from './refusal.ts';

/** How many records of a post were new, known already, and not understood; and how many wait for their table. */
export interface Receipt {
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
  readonly parked?: number;
}

/** Of a post that was not taken in. */
export const nothing: Receipt = { stored: 0, duplicates: 0, quarantined: 0 };

/** Why a post was refused as a whole, and how much of it is kept all the same. */
export type Refusal = Receipt & { readonly reason: RefusalReason };

/** Counts what became of the records of a post. */
export const receiptOf = (outcomes: readonly Outcome[]): Receipt => {
  const number = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  return {
    stored: number('stored'),
    duplicates: number('duplicate'),
    quarantined: number('quarantined'),
    ...(number('parked') > 0 && { parked: number('parked') }),
  };
};

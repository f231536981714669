import type { Counted } from './count-all.ts';
import type { CallCounts } from './count-calls.ts';
import type { PollCounts } from './count-polls.ts';
import type { Deployed } from './deployed.ts';
import { type Month, monthOf } from './month-of.ts';
import { type Volume, volumes } from './scenario.ts';

/** All there is to tell: what was counted, and what follows from it for each volume. */
export interface Report {
  readonly deployed: Deployed;
  readonly calls: CallCounts;
  /** From the smallest floor to the largest. */
  readonly polls: readonly PollCounts[];
  readonly months: readonly { readonly volume: Volume; readonly month: Month }[];
}

/** Prices what was counted. */
export const reportOf = ({ calls, polls }: Counted, deployed: Deployed): Report => ({
  deployed,
  calls,
  polls,
  months: volumes.map((volume) => {
    const ofSize = polls.find(({ agents }) => agents === volume.agents);
    if (ofSize === undefined) throw new Error(`No polls of ${volume.agents} agents were counted`);
    return { volume, month: monthOf(volume, deployed, calls, ofSize) };
  }),
});

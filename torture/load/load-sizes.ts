import type { PartOptions } from '../part.ts';

/** How much is posted, and for how long. */
export interface LoadSize {
  /** Posts before anything is measured, while code is loaded and compiled. */
  readonly warmUpPosts: number;
  /** Posts a second, step by step, until the sandbox keeps up no more. */
  readonly ladder: readonly number[];
  readonly stepSeconds: number;
  /** Posts a second while faults come and go, as a share of what was sustained; and the least of them. */
  readonly faultyShare: number;
  readonly leastFaultyRate: number;
  readonly faultySeconds: number;
  /** How long a reply may take while the table hangs: the deadlines deployed, or on a busy machine the function's own. */
  readonly hungReplyMilliseconds: number;
  /** How long a fault lasts at most, and the time between two. */
  readonly longestFaultSeconds: number;
}

/** The sizes of this part. */
export const loadSizes: Readonly<Record<PartOptions['size'], LoadSize>> = {
  quick: {
    warmUpPosts: 10,
    ladder: [15],
    stepSeconds: 1,
    faultyShare: 0.5,
    leastFaultyRate: 20,
    faultySeconds: 4,
    hungReplyMilliseconds: 9_000,
    longestFaultSeconds: 0.8,
  },
  full: {
    warmUpPosts: 300,
    ladder: [25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 500, 600, 800],
    stepSeconds: 10,
    faultyShare: 0.5,
    leastFaultyRate: 10,
    faultySeconds: 150,
    hungReplyMilliseconds: 3_500,
    longestFaultSeconds: 6,
  },
};

/** Answers that become good: the first `answers` of a recording are odd, and then it is served whole. */
export const passing = ['absent', 'empty', 'html', 'short'] as const;

/** Answers that stay as they are. A redirect on the host leads to the recording, one elsewhere must not be followed. */
const lasting = ['redirect', 'elsewhere', 'gone', 'expired'] as const;

export const oddities = [...passing, ...lasting] as const;
export type Oddity = (typeof oddities)[number];

/** Which recordings are answered oddly, and how. */
export interface RecordingFault {
  /** One way, or each recording its own. */
  readonly mode: 'none' | 'mixed' | Oddity;
  /** The share of recordings, 0 to 1. */
  readonly rate: number;
  /** How many answers are odd before a recording that comes later is served whole. */
  readonly answers: number;
}

import type { Stage } from './stage.ts';

/** What was seen of a guarantee. */
export interface Finding {
  readonly isKept: boolean;
  /** In a few words. */
  readonly seen: string;
}

/** A guarantee, and what puts it to the test. */
export interface GuaranteeCase {
  /** A sentence that is true where it is kept. */
  readonly title: string;
  /** `callId` is one that nobody has used. */
  try(stage: Stage, callId: string): Promise<Finding>;
}

/** A number of things in words. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

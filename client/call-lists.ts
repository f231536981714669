import type { Call, CallParticipant, ListedCall } from '../lib/contract/rows.ts';

/** Everything that is known of a call. */
export interface WholeCall {
  readonly legs: readonly Call[];
  readonly participants: readonly CallParticipant[];
}

/**
 * Which part of a list of calls is wanted, by `listedAt`: the start of the call, else its end, else its first receipt. An
 * end is a Date or an ISO instant with its zone, and is included; without it the list is open.
 */
export interface CallRange {
  readonly from?: Date | string | undefined;
  readonly to?: Date | string | undefined;
}

/** A page of a list, and where the next one begins; no `next` after the last. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  readonly next: string | undefined;
}

/**
 * A list of calls, newest first, that is read as it is walked along. It has an entry for each leg of a call, all of which
 * have its `callId`.
 */
export interface CallList extends AsyncIterable<ListedCall> {
  /**
   * The same by pages, one request each, of up to `size` calls (1 to 1,000; DynamoDB ends a page at 1 MB). They begin at
   * the newest call, or where a page of this list said that the next one does: `cursor` is its `next`, which names no
   * customer and does not expire. An empty list is one page without calls.
   */
  readonly pages: (size: number, cursor?: string) => AsyncIterable<CallPage>;
}

import type { Strike } from '../strike.ts';

/** Whose call it is: which of the accounts of the play. */
export type AccountIndex = 0 | 1;

/** One post, as the telephony service makes it; keys and user names are put in when it is played. */
export interface Post {
  readonly account: AccountIndex;
  /** Call summaries and participant records in the sender's spelling. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Whether a single record comes in a list too. */
  readonly asList: boolean;
}

/** The process by which something is done: of each there is one at a time. */
export type Slot = 'receiver 0' | 'receiver 1' | 'recovery' | 'publisher';

/** Something that somebody does; those of one slot follow each other. */
export type Activity =
  | { readonly do: 'post'; readonly via: 0 | 1; readonly post: Post }
  /** Posts again what was posted, counted from the first one and around. */
  | { readonly do: 'repeat'; readonly via: 0 | 1; readonly of: number }
  /** The vendor posts again whatever got no answer, or a bad one. */
  | { readonly do: 'retry'; readonly via: 0 | 1 }
  | { readonly do: 'recover' }
  | { readonly do: 'publish'; readonly batch: number }
  | { readonly do: 'restart'; readonly slot: Slot }
  /** The clock goes on, or is set, while others are at work. */
  | { readonly do: 'clock'; readonly ms: number };

/** Activities that are done side by side, some time after those before. */
export interface Step {
  readonly clockMs: number;
  readonly together: readonly Activity[];
}

/** All that decides what happens. */
export interface CallsHistory {
  /** Decides in which order calls that are made at the same time have their effect. */
  readonly turnsSeed: number;
  /** What the processes of each slot meet, in the order in which they are started. */
  readonly processes: Readonly<Record<Slot, readonly (readonly Strike[])[]>>;
  readonly steps: readonly Step[];
}

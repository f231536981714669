import type { Agent } from '../lib/agent-login/model.ts';
import type { AgentNow, FeedNow } from '../lib/contract/rows.ts';

/** What stands in for a picture of the floor before the first answer of the service: there is none. */
export interface NoPicture {
  readonly freshness: 'none';
  readonly feed: FeedNow | undefined;
}

/** A picture that is kept up. */
export interface LivePicture {
  readonly freshness: 'live';
  readonly feed: FeedNow;
  /** The instant that it is true for. */
  readonly asOf: string;
  /** How old it is by the reader’s clock; never negative. */
  readonly ageSeconds: number;
}

/** A picture that is not kept up any more: what was known last, which may be otherwise by now. */
export interface StalePicture {
  readonly freshness: 'stale';
  readonly feed: FeedNow;
  /** The instant that it was true for. */
  readonly asOf: string;
  /** How old it is by the reader’s clock; never negative. */
  readonly ageSeconds: number;
}

/** How old the picture of the floor is. It is stale as soon as the reader’s clock has passed `feed.staleAt`. */
export type Freshness = NoPicture | LivePicture | StalePicture;

/**
 * Who is logged in, by id, and how old that is: agents who are known to be there are under another name than those who
 * were there when they were last seen, so that nobody takes one for the other without looking.
 */
export type Floor =
  | NoPicture
  | (LivePicture & { readonly agents: readonly AgentNow[] })
  | (StalePicture & { readonly lastKnownAgents: readonly AgentNow[] });

/** A part of a picture that was read without looking how old it is; `feed()` tells. */
export interface LastKnown<T> {
  readonly lastKnown: T;
}

/** An agent on a floor of the past. */
export type KeptAgent = Readonly<Agent>;

/**
 * The whole floor as it was at a past moment, since `at`. Interruptions are dated to when the picture became stale, but
 * written by the next poll: while nobody polls at all, the last floor passes for live for up to a day.
 */
export type FloorAt =
  | { readonly freshness: 'live'; readonly at: string; readonly asOf: string; readonly agents: readonly KeptAgent[] }
  /** The feed was interrupted then: this is what was known, true for `asOf`. */
  | {
      readonly freshness: 'stale';
      readonly at: string;
      readonly asOf: string | undefined;
      readonly lastKnownAgents: readonly KeptAgent[];
    };

/** One HTTP POST to the receiver. */
export interface Post {
  /** Counted from the moment the call is posted first. Posts with the same number are sent at the same time. */
  readonly afterSeconds: number;
  readonly contentType: string;
  readonly body: string;
  /** What comes after the `?` of the address; empty as a rule. */
  readonly query: string;
  /** Digits; undefined where the post is not about the summary of a call. */
  readonly callId: string | undefined;
  /** What the post shows: the scenario, then its quirks. */
  readonly kinds: readonly string[];
}

/** How a post looks on the wire. */
export type Wire = Pick<Post, 'contentType' | 'body' | 'query'>;

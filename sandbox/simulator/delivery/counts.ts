import type { Post } from '../posts/post.ts';
import type { Answer } from './send.ts';

/** What the simulator has done so far, as `GET /_simulator` tells it. */
export interface Counts {
  /** Calls of which at least one post was tried. */
  readonly calls: number;
  /** Posts settled: answered, or given up. Retries are not counted here. */
  readonly posts: number;
  /** Posts settled, by scenario and by quirk; a post counts under each it shows. */
  readonly postsByKind: Readonly<Record<string, number>>;
  /** Every try by its HTTP status, `timeout` or `network`. */
  readonly answers: Readonly<Record<string, number>>;
  readonly retries: number;
}

/** Keeps the counts. */
export interface Tally {
  readonly settled: (post: Post) => void;
  readonly answered: (answer: Answer) => void;
  readonly retried: () => void;
  readonly counts: () => Counts;
}

/** A tally that begins at nothing. */
export const createTally = (): Tally => {
  const callIds = new Set<string>();
  const byKind = new Map<string, number>();
  const byAnswer = new Map<string, number>();
  let posts = 0;
  let retries = 0;

  return {
    settled({ callId, kinds }) {
      posts += 1;
      if (callId !== undefined) callIds.add(callId);
      for (const kind of kinds) addOne(byKind, kind);
    },
    answered: (answer) => addOne(byAnswer, String(answer)),
    retried() {
      retries += 1;
    },
    counts: () => ({
      calls: callIds.size,
      posts,
      postsByKind: Object.fromEntries(byKind),
      answers: Object.fromEntries(byAnswer),
      retries,
    }),
  };
};

const addOne = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

import type { Choosable } from '../quirks/choose.ts';
import { between, pick, type Random } from '../random.ts';
import type { Post } from './post.ts';

/** A habit of sending the same body again. */
export interface Repeat extends Choosable {
  readonly copies: (random: Random, posts: readonly Post[]) => readonly Post[];
}

/** Habits of sending again. There is no message id: the copies are the same to the last byte. */
export const repeats = [
  {
    name: 'redelivery',
    probability: 0.06,
    copies: (random, posts) => {
      const post = pick(random, posts);
      const count = between(random, 1, 3);
      return Array.from({ length: count }, (_, index) => ({
        ...post,
        afterSeconds: post.afterSeconds + (index + 1) * between(random, 3, 15),
      }));
    },
  },
  {
    // The address is set for the campaign and for the account.
    name: 'twice-at-once',
    probability: 0.04,
    copies: (_, posts) => posts,
  },
] as const satisfies readonly Repeat[];

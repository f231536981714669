import { accountBook } from '../../../lib/account/account-book.ts';
import type { KeyedDelivery } from '../../../lib/callback/deliveries-of.ts';
import { deliveriesOf } from '../../../lib/callback/deliveries-of.ts';
import { recognise } from '../../../lib/callback/recognise.ts';
import { received } from '../../../test/lib/support/facts-of.ts';
import type { Reply } from '../../world/memory-world.ts';
import { must } from '../breach.ts';
import type { Post } from './calls-history.ts';
import { cast } from './cast.ts';
import { recordsOf } from './posting.ts';

/** One try to post something: when, by the clock of whoever received it, and whether it was acknowledged. */
export interface Try {
  readonly post: Post;
  readonly at: string;
  readonly isAcknowledged: boolean;
}

/** What the poster knows: it remembers everything. */
export interface Ledger {
  readonly posts: readonly Post[];
  readonly tries: readonly Try[];
  readonly add: (post: Post) => void;
  readonly tried: (post: Post, at: string, reply: Reply | undefined) => void;
  /** What was tried, and never acknowledged. */
  readonly outstanding: () => readonly Post[];
}

/** Remembers what was posted, and what was answered. */
export const createLedger = (): Ledger => {
  const posts: Post[] = [];
  const tries: Try[] = [];
  const acknowledged = new Set<Post>();

  return {
    posts,
    tries,
    add: (post) => posts.push(post),
    tried(post, at, reply) {
      const isAcknowledged = reply?.statusCode === 200;
      must(
        isAcknowledged || reply === undefined || reply.statusCode === 503,
        () => `A post was answered ${reply?.statusCode}`,
      );
      if (isAcknowledged)
        must(
          countIn(reply) === post.records.length,
          () => `A post of ${post.records.length} records was answered ${reply?.body}`,
        );
      if (isAcknowledged) acknowledged.add(post);
      tries.push({ post, at, isAcknowledged });
    },
    outstanding: () => [...new Set(tries.map(({ post }) => post))].filter((post) => !acknowledged.has(post)),
  };
};

const countIn = (reply: Reply | undefined): number =>
  Object.values<unknown>(JSON.parse(reply?.body ?? '{}')).reduce((sum: number, count) => sum + Number(count), 0);

const { masked } = accountBook(cast);

const understood = (post: Post): readonly KeyedDelivery[] =>
  deliveriesOf(recognise(recordsOf(post).map(received)), { account: cast[post.account], receivedAt: '', masked })
    .deliveries;

const saidBy = new WeakMap<Post, readonly KeyedDelivery[]>();

/** What a post says, each with the record that it belongs to. */
export const deliveriesIn = (post: Post): readonly KeyedDelivery[] => {
  const known = saidBy.get(post) ?? understood(post);
  saidBy.set(post, known);
  return known;
};

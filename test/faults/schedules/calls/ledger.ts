import { accountIndex } from '../../../../lib/accounts/account-index.ts';
import { classifyRecords } from '../../../../lib/callback/classify-records.ts';
import { type KeyedDelivery, normaliseRecords } from '../../../../lib/callback/normalise-records.ts';
import type { Reply } from '../../../deployment/world.ts';
import { formOf, httpApiEvent } from '../../../support/local-servers.ts';
import { posted } from '../../../support/posted-records.ts';
import { must } from '../../models/model.ts';
import { callAccounts } from '../processes.ts';
import { isParticipant, type Post } from './history.ts';

/** The records of a post as they are sent: summaries name the account and its key, participants neither. */
const recordsOf = ({ account, records }: Post): readonly object[] => {
  const { userName, apiKeys } = callAccounts[account];
  return records.map((record) =>
    isParticipant(record) ? record : { ...record, UserName: userName, Apikey: apiKeys[0] },
  );
};

export const eventOf = (post: Post) => {
  const records = recordsOf(post);
  return httpApiEvent({ body: formOf(records.length === 1 && !post.asList ? records[0] : records) });
};

/** One attempt: its time by the receiver’s clock, and whether it was acknowledged. */
interface Try {
  readonly post: Post;
  readonly at: string;
  readonly isAcknowledged: boolean;
}

export const createLedger = () => {
  const posts: Post[] = [];
  const tries: Try[] = [];
  const acknowledged = new Set<Post>();

  return {
    posts,
    tries,
    add: (post: Post) => posts.push(post),
    tried(post: Post, at: string, reply: Reply | undefined) {
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
    /** The posts that were tried and never acknowledged. */
    outstanding: () => [...new Set(tries.map(({ post }) => post))].filter((post) => !acknowledged.has(post)),
  };
};

export type Ledger = ReturnType<typeof createLedger>;

const countIn = (reply: Reply | undefined): number =>
  Object.values<unknown>(JSON.parse(reply?.body ?? '{}')).reduce((sum: number, count) => sum + Number(count), 0);

const { redact } = accountIndex(callAccounts);

const understood = (post: Post): readonly KeyedDelivery[] =>
  normaliseRecords(classifyRecords(recordsOf(post).map(posted)), {
    account: callAccounts[post.account],
    receivedAt: '',
    redact,
  }).deliveries;

const parsedPosts = new WeakMap<Post, readonly KeyedDelivery[]>();

/** The deliveries of a post, each with the key of its record. */
export const deliveriesIn = (post: Post): readonly KeyedDelivery[] => {
  const known = parsedPosts.get(post) ?? understood(post);
  parsedPosts.set(post, known);
  return known;
};

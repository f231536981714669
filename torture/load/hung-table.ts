import type { PreparedPost } from '../posting/prepared-posts.ts';
import type { SandboxChild } from '../sandbox/sandbox-child.ts';
import type { Sender, Tried } from './sender.ts';
import { setFault } from './set-fault.ts';

const tried = 5;

/** Where and what is posted while the table answers nothing at all, and how long a reply may take then. */
export interface HungTableOptions {
  readonly child: Pick<SandboxChild, 'addresses'>;
  readonly sender: Pick<Sender, 'send'>;
  readonly nextPosts: (count: number) => Promise<readonly PreparedPost[]>;
  readonly mostMilliseconds: number;
}

/** What was wrong with the replies: none, one of the 5xx, or one that came too late. Whatever was taken is parked. */
export const judgeHung = (replies: readonly Tried[], mostMilliseconds: number): readonly string[] => [
  ...replies.flatMap(({ reply, milliseconds }) => {
    if (reply === undefined) return ['While the table hung, a post was not answered.'];
    if (reply.status >= 500) return [`While the table hung, a post was answered with ${reply.status}.`];
    return milliseconds <= mostMilliseconds
      ? []
      : [`While the table hung, a reply took ${Math.round(milliseconds)} ms, where ${mostMilliseconds} are allowed.`];
  }),
  ...(replies.some(({ reply }) => (reply?.parked ?? 0) > 0) ? [] : ['While the table hung, nothing was parked.']),
];

/** A table that hangs must not make whoever posts wait for long: what is posted meanwhile is parked within the deadlines. */
export const hungTable = async ({
  child,
  sender,
  nextPosts,
  mostMilliseconds,
}: HungTableOptions): Promise<readonly string[]> => {
  const posts = await nextPosts(tried);
  await setFault(child, 'dynamodb', { mode: 'timeout', rate: 1 });
  try {
    const replies = await Promise.all(posts.map((post) => sender.send(post, performance.now())));
    return judgeHung(replies, mostMilliseconds);
  } finally {
    await setFault(child, 'dynamodb', { mode: 'none', rate: 1 });
  }
};

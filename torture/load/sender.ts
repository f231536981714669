import type { Reply } from '../posting/post-to.ts';
import type { PreparedPost } from '../posting/prepared-posts.ts';
import { isSettled, type Ledger } from './ledger.ts';

/** What became of one try. */
export interface Tried {
  readonly milliseconds: number;
  readonly reply: Reply | undefined;
}

/** Sends posts as the service does, and what was refused or not answered again. */
export interface Sender {
  /** One try; `dueAt` is when it was to be sent, on the clock of `performance.now`. */
  readonly send: (post: PreparedPost, dueAt: number) => Promise<Tried>;
  /** What has to be sent again, now. */
  readonly resend: () => Promise<void>;
  /** Posts that are on their way, and that have to be sent again. */
  readonly open: () => { readonly underway: number; readonly again: number };
  /** Every try by what it was answered. */
  readonly answers: () => ReadonlyMap<string, number>;
}

const atATime = 32;

const wordFor = (reply: Reply | undefined): string =>
  reply === undefined ? 'no answer' : `${reply.status}${reply.error === undefined ? '' : ` ${reply.error}`}`;

/** A sender that tells the ledger of all that it sends and is answered. */
export const createSender = (
  post: (post: PreparedPost['post']) => Promise<Reply | undefined>,
  ledger: Pick<Ledger, 'sending' | 'answered'>,
): Sender => {
  const answers = new Map<string, number>();
  let again: PreparedPost[] = [];
  let underway = 0;

  const send: Sender['send'] = async (prepared, dueAt) => {
    ledger.sending(prepared.meaning, Date.now());
    underway += 1;
    const reply = await post(prepared.post);
    underway -= 1;
    const milliseconds = performance.now() - dueAt;
    answers.set(wordFor(reply), (answers.get(wordFor(reply)) ?? 0) + 1);
    if (isSettled(reply)) ledger.answered(prepared.meaning, prepared.post.callId, reply, Date.now());
    else again.push(prepared);
    return { milliseconds, reply };
  };

  return {
    send,
    async resend() {
      const posts = again;
      again = [];
      const lane = async (): Promise<void> => {
        for (let next = posts.shift(); next !== undefined; next = posts.shift()) await send(next, performance.now());
      };
      await Promise.all(Array.from({ length: atATime }, lane));
    },
    open: () => ({ underway, again: again.length }),
    answers: () => answers,
  };
};

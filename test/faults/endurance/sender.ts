import { type Fault, type FaultName, faultNames } from '../../../sandbox/faults.ts';
import type { PreparedPost } from '../posts/expected-outcome.ts';
import type { Reply } from '../posts/post-client.ts';
import { type SandboxChild, waitUntil } from '../sandbox/sandbox-child.ts';
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

/** Puts a fault in force, or lifts it. */
export const setFault = async (
  { addresses }: Pick<SandboxChild, 'addresses'>,
  name: FaultName,
  fault: Fault,
): Promise<void> => {
  const answer = await fetch(`${addresses.faults}/${name}`, { method: 'PUT', body: JSON.stringify(fault) });
  if (!answer.ok) throw new Error(`The sandbox refused a fault: ${await answer.text()}`);
};

const patienceMilliseconds = 180_000;
const tellMilliseconds = 2_000;

/** How long no event may come until it is believed that none will. */
const quietMilliseconds = 1_000;

/**
 * Lifts all faults and waits until everything that was posted is answered, nothing is parked and no event comes any
 * more. Rejects if that does not happen.
 */
export const settle = async (
  child: SandboxChild,
  sender: Sender,
  onProgress: (line: string) => void,
): Promise<void> => {
  for (const name of faultNames) await setFault(child, name, { mode: 'none', rate: 1 });

  let quietSince = Date.now();
  let toldAt = 0;
  let known = -1;
  const isSettled = async (): Promise<boolean> => {
    await sender.resend();
    const { underway, again } = sender.open();
    const { parked, events } = await child.state();
    if (parked + underway + again > 0 || events !== known) quietSince = Date.now();
    known = events;
    if (Date.now() - toldAt > tellMilliseconds) {
      onProgress(`${again} to send again, ${parked} parked, ${events} events`);
      toldAt = Date.now();
    }
    return Date.now() - quietSince > quietMilliseconds;
  };
  await waitUntil('all that was posted to be stored and told', isSettled, patienceMilliseconds);
};

import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import type { Wire } from '../../../sandbox/simulator/posts/post.ts';
import type { Random } from '../../../sandbox/simulator/random.ts';
import type { PreparedPost } from './ledger.ts';
import { isFinal, type Ledger } from './ledger.ts';

const Counts = z.object({
  stored: z.number().default(0),
  duplicates: z.number().default(0),
  quarantined: z.number().default(0),
  parked: z.number().default(0),
  reason: z.string().optional(),
});

export type Reply = z.infer<typeof Counts> & { readonly status: number };

/** The result of one attempt; no reply if the connection failed. */
export interface Attempt {
  readonly milliseconds: number;
  readonly reply: Reply | undefined;
}

const concurrency = 32;

/** Sends posts as the service does: what was rejected with a 5xx or not answered is sent again. */
export const createSender = (gateway: string, random: Random, ledger: Ledger) => {
  const answers = new Map<string, number>();
  let latencies: number[] = [];
  let toResend: PreparedPost[] = [];
  let inFlight = 0;

  /** One attempt. `dueAt` is the instant at which it should start, on the clock of `performance.now`. */
  const send = async (prepared: PreparedPost, dueAt: number): Promise<Attempt> => {
    ledger.sending(prepared.expected, Date.now());
    inFlight += 1;
    const reply = await post(gateway, prepared.post);
    inFlight -= 1;
    const milliseconds = performance.now() - dueAt;
    latencies.push(milliseconds);
    answers.set(labelOf(reply), (answers.get(labelOf(reply)) ?? 0) + 1);
    if (isFinal(reply)) ledger.answered(prepared.expected, prepared.post.callId, reply, Date.now());
    else toResend.push(prepared);
    return { milliseconds, reply };
  };

  return {
    send,
    /** Starts each post when it is due, without waiting for replies; on average `rate` posts a second. */
    async sendAtRate(posts: readonly PreparedPost[], rate: number, signal?: AbortSignal) {
      let dueAt = performance.now();
      for (const post of posts) {
        dueAt += (-Math.log(1 - random()) * 1_000) / rate;
        for (let early = dueAt - performance.now(); early > 0; early = dueAt - performance.now()) await pause(early);
        if (signal?.aborted) return;
        void send(post, dueAt);
      }
    },
    async resend() {
      const posts = toResend;
      toResend = [];
      const worker = async (): Promise<void> => {
        for (let next = posts.shift(); next !== undefined; next = posts.shift()) await send(next, performance.now());
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    },
    open: () => ({ inFlight, toResend: toResend.length }),
    /** The number of attempts by the status and error of their reply. */
    answers: (): ReadonlyMap<string, number> => answers,
    /** The latencies since the last call of this function, in milliseconds from when a post was due. */
    latencies() {
      const taken = latencies;
      latencies = [];
      return taken;
    },
  };
};

export type Sender = ReturnType<typeof createSender>;

const labelOf = (reply: Reply | undefined): string =>
  reply === undefined ? 'no answer' : `${reply.status}${reply.reason === undefined ? '' : ` ${reply.reason}`}`;

/** Longer than the receiver may take for any request. */
const timeoutMs = 15_000;

/** Posts to a receiver; `undefined` if no complete response came. */
const post = async (gateway: string, { contentType, body, query }: Wire): Promise<Reply | undefined> => {
  const url = `${gateway}/callDetails${query === '' ? '' : `?${query}`}`;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body, signal });
    const counts = Counts.safeParse(tryParseJson(await answer.text()));
    return { status: answer.status, ...(counts.data ?? Counts.parse({})) };
  } catch {
    return undefined;
  }
};

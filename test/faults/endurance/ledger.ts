import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { createReceiveHandler } from '../../../functions/receive-callback/app.ts';
import { receiveCallback } from '../../../functions/receive-callback/receive-callback.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import type { StorableItem } from '../../../lib/callback/schema.ts';
import { quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { rowKey } from '../../../lib/calls/call-keys.ts';
import type { RecordKey } from '../../../lib/calls/call-record.ts';
import type { RecordFacts } from '../../../lib/calls/merge-deliveries.ts';
import { tryParseJson } from '../../../lib/core/json.ts';
import { lambdaContext } from '../../../sandbox/functions.ts';
import { httpApiEvent } from '../../../sandbox/gateway.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import type { Post, Wire } from '../../../sandbox/simulator/posts.ts';
import type { Random } from '../../../sandbox/simulator/random.ts';
import { posts } from '../../fixtures/simulated-centre.ts';

/** The expected status of a post, and everything that must be stored because of it. */
interface ExpectedOutcome {
  readonly status: number;
  readonly items: readonly StorableItem[];
}

/** middy’s types require fields that only a REST API sends. */
const Handler = z.custom<(event: unknown, context: Context) => Promise<unknown>>(
  (value) => typeof value === 'function',
);
const Status = z.object({ statusCode: z.number() });
const nothing = (): void => undefined;

/** Reads a post with the receiver itself, over stores that never fail and record what they are given. */
const expectedOutcome = async ({ contentType, body, query }: Wire): Promise<ExpectedOutcome> => {
  const items: StorableItem[] = [];
  const index = accountIndex([demoAccount]);
  const telemetry = { count: nothing, measure: nothing, fault: nothing, log: nothing, flush: nothing };
  const receive = receiveCallback({
    telemetry,
    clock: () => new Date(0),
    deadline: () => new AbortController().signal,
    accounts: { current: async () => index, refresh: async () => index },
    calls: {
      async record(key, delivery) {
        items.push({ kind: 'delivery', key, delivery });
        return 'stored';
      },
    },
    quarantine: {
      async store(entry) {
        items.push({ kind: 'quarantine', entry });
      },
    },
    parking: { park: async () => undefined },
  });
  const request = {
    method: 'POST',
    url: query === '' ? '/callDetails' : `/callDetails?${query}`,
    httpVersion: '1.1',
    headers: { 'content-type': contentType },
    sourceIp: '127.0.0.1',
    body: Buffer.from(body),
  };
  const handler = Handler.parse(createReceiveHandler({ receive, telemetry, secretSha256: undefined }));
  const answer = await handler(httpApiEvent(request, new Date(0)), lambdaContext('receive-callback', 10_000));

  return { status: Status.parse(answer).statusCode, items };
};

export interface PreparedPost {
  readonly post: Post;
  readonly expected: ExpectedOutcome;
}

/** Gives the next posts of one endless series. They are made ahead, so that sending is not slowed. */
export const preparedPosts = (random: Random) => {
  const series = posts(random);

  return async (count: number): Promise<readonly PreparedPost[]> => {
    const prepared: PreparedPost[] = [];
    while (prepared.length < count) {
      const post = series.next().value;
      prepared.push({ post, expected: await expectedOutcome(post) });
    }
    return prepared;
  };
};

/** One distinct delivery that was posted. Instants are in milliseconds, on the clock that the sandbox has too. */
interface PostedDelivery {
  readonly facts: RecordFacts;
  readonly firstSentAt: number;
  /** When it was first acknowledged; none if it never was. */
  acknowledgedAt?: number;
}

/** Everything posted for one call or participant, by the ids of the deliveries. */
export interface PostedRecord {
  readonly key: RecordKey;
  readonly deliveries: Map<string, PostedDelivery>;
}

/** A body for quarantine: how often it was posted, and how often it was acknowledged as quarantined. */
interface PostedEntry {
  sent: number;
  acknowledged: number;
}

export const nameOf = (key: RecordKey): string => Object.values(rowKey(key)).join(' ');

/** Names a body in quarantine: the id of its row. */
export const entryName = (entry: Extract<StorableItem, { kind: 'quarantine' }>['entry']): string =>
  quarantineRow(entry, 1).id;

/** Whether the sender may forget the post: it is stored, or rejected with a 4xx. */
const isFinal = (reply: Reply | undefined): reply is Reply => reply !== undefined && reply.status < 500;

/** What was posted, and what the replies said. */
export const createLedger = () => {
  const records = new Map<string, PostedRecord>();
  const entries = new Map<string, PostedEntry>();
  const callIds = new Set<string>();
  const wrongAnswers: string[] = [];

  const recordFor = (key: RecordKey): PostedRecord => {
    const record = records.get(nameOf(key)) ?? { key, deliveries: new Map() };
    records.set(nameOf(key), record);
    return record;
  };
  const entryFor = (entry: Extract<StorableItem, { kind: 'quarantine' }>['entry']): PostedEntry => {
    const posted = entries.get(entryName(entry)) ?? { sent: 0, acknowledged: 0 };
    entries.set(entryName(entry), posted);
    return posted;
  };
  const acknowledge = (item: StorableItem, at: number): void => {
    if (item.kind === 'quarantine') {
      entryFor(item.entry).acknowledged += 1;
      return;
    }
    const delivery = recordFor(item.key).deliveries.get(item.delivery.id);
    if (delivery !== undefined) delivery.acknowledgedAt ??= at;
  };

  return {
    records,
    /** By the id of the row. */
    entries,
    /** Calls of acknowledged posts, as the contact centre names them: not read by the code under test. */
    callIds,
    /** Replies that differ from the expected outcome. */
    wrongAnswers,
    /** Must be called before the post is sent. */
    sending({ items }: ExpectedOutcome, at: number) {
      for (const item of items) {
        if (item.kind === 'quarantine') entryFor(item.entry).sent += 1;
        else {
          const { deliveries } = recordFor(item.key);
          const { id, facts } = item.delivery;
          if (!deliveries.has(id)) deliveries.set(id, { facts, firstSentAt: at });
        }
      }
    },
    answered({ status, items }: ExpectedOutcome, callId: string | undefined, reply: Reply, at: number) {
      if (!isFinal(reply)) return;
      if (reply.status !== status)
        wrongAnswers.push(`${reply.status} ${reply.reason ?? ''} where ${status} was expected`);
      const stored = reply.stored + reply.duplicates + reply.quarantined + reply.parked;
      if (stored !== items.length)
        wrongAnswers.push(`${reply.status} with ${stored} stored records, for a post with ${items.length}`);
      if (stored < items.length) return;
      for (const item of items) acknowledge(item, at);
      if (callId !== undefined) callIds.add(callId);
    },
  };
};

export type Ledger = ReturnType<typeof createLedger>;

const Counts = z.object({
  stored: z.number().default(0),
  duplicates: z.number().default(0),
  quarantined: z.number().default(0),
  parked: z.number().default(0),
  reason: z.string().optional(),
});

type Reply = z.infer<typeof Counts> & { readonly status: number };

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

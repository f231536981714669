import * as z from 'zod/mini';
import { field, instant, text } from '../schema/field.ts';

/** Why a poll found out nothing about the agents. None of these logs anybody out. */
export const pollProblems = [
  'timeout',
  'connection',
  'too-large',
  'redirect',
  'unsendable',
  'http-error',
  'not-json',
  'unexpected-answer',
  'rate-limited',
  'unauthorised',
  'rejected',
  'no-token',
  'token-limit',
  'token-renewed',
  'aborted',
  'not-polled',
] as const;
export type PollProblem = (typeof pollProblems)[number];

/** Why a poll failed, and the service's Retry-After in seconds. */
export interface PollFailure {
  readonly reason: PollProblem;
  readonly retryAfterSeconds?: number | undefined;
}

const count = z.int().check(z.nonnegative());

/** What the poller has to remember between two runs. None of it is meant for readers. */
const Poller = z.object({
  /** The slot that a run acquired last. Each slot is polled once. */
  slot: z.int(),
  /** The latest arrival time of each request of the last minute, in milliseconds since the epoch. */
  requests: z.readonly(z.array(z.number())),
  /** A run acquired the slot and has not recorded a result: it is running, or was aborted. */
  inFlight: z.boolean(),
  backOff: z.optional(z.readonly(z.object({ until: z.string(), times: count }))),
  /** The latest snapshot that counts. */
  snapshotAt: z.optional(z.string()),
  /** A snapshot whose agents have not all been written to their rows yet. */
  pendingAt: z.optional(z.string()),
  /** Since when every answer has had records without an id. */
  unidentifiedSince: z.optional(z.string()),
  /** The account's local date at the latest poll. On a new date every timeline gets a new interval. */
  day: z.optional(z.string()),
  /** The first calls that agents ended since the latest callback: when (milliseconds since the epoch), and a hash of the agent. */
  endedCalls: z.optional(z.readonly(z.array(z.readonly(z.object({ at: z.number(), by: z.number() }))))),
});

/** The row that dates an account's agents for readers. It also holds the poller's own state. */
export const Feed = z
  .object({
    account: field(text, 'The telephony account, by user name.'),
    status: field(
      z.enum(['starting', 'live', 'interrupted']),
      'Whether polls succeed; `starting` until the first answer.',
    ),
    statusSince: field(instant, 'When this status began.'),
    asOf: field(z.optional(instant), 'For which instant the rows are true; absent until the first answer.'),
    staleAt: field(z.optional(instant), 'When the rows become stale.'),
    agentCount: field(count, 'The number of logged-in agents.'),
    counts: field(z.record(z.string(), count), 'The number in each state.'),
    unreadableRecords: field(count, 'Unreadable records of the latest answer.'),
    failingSince: field(z.optional(instant), 'When polls began to fail; absent while they succeed.'),
    lastProblem: field(
      z.optional(z.readonly(z.object({ reason: z.enum(pollProblems), at: instant }))),
      'Why and when a poll last failed.',
    ),
    version: field(count, 'Counts the writes of this row.'),
    poller: field(z.readonly(Poller), 'Internal to the poller.'),
  })
  .register(z.globalRegistry, { title: 'Agent feed' });
export type Feed = Readonly<z.infer<typeof Feed>>;

/** What the feed's row shows to readers of the poller's own state. */
export const pollerReadings = {
  attemptedAt: field(
    z.optional(instant),
    'When the slot began in which the poller last tried to poll, with or without success.',
  ),
  pausedUntil: field(z.optional(instant), 'Until when the poller tries nothing, because the service rejected a poll.'),
  callbacksSilentSince: field(
    z.optional(instant),
    'Since when callbacks are missing. Agents have ended five calls since the latest one, the third of them at this instant, six minutes ago or more. Absent while callbacks come.',
  ),
};

/** Agents' rows are stale at this age: two polls have failed by then. */
export const staleAfterSeconds = 30;

/** The feed of an account that was never polled. */
export const newFeed = (account: string, now: Date): Feed => ({
  account,
  status: 'starting',
  statusSince: now.toISOString(),
  agentCount: 0,
  counts: {},
  unreadableRecords: 0,
  version: 0,
  poller: { slot: -1, requests: [], inFlight: false },
});

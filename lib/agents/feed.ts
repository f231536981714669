import * as z from 'zod';
import { field, instant, text } from '../schema/field.ts';

/** Why a poll brought no picture of the floor. None of them logs anybody out. */
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

/** A problem, and how long the service asks to be left alone, in seconds. */
export interface PollFailure {
  readonly reason: PollProblem;
  readonly retryAfterSeconds?: number | undefined;
}

const count = z.int().nonnegative();

/** What the poller has to remember between two runs. Nothing of it is meant for readers. */
const Poller = z.object({
  /** The slot that was claimed last; each is polled once. */
  slot: z.int(),
  /** By when each request of the last minute had reached the service, in milliseconds since the epoch. */
  requests: z.array(z.number()).readonly(),
  /** A run claimed the slot and has not said what became of it: it is under way, or was cut. */
  inFlight: z.boolean(),
  backOff: z.object({ until: z.string(), times: count }).readonly().optional(),
  /** The latest whole floor that was kept. */
  snapshotAt: z.string().optional(),
  /** A kept floor of which not every agent's row has been written yet. */
  pendingAt: z.string().optional(),
  /** Since when every answer has had records without an id. */
  unidentifiedSince: z.string().optional(),
  /** The account's local date of the latest poll: a new day opens every timeline anew. */
  day: z.string().optional(),
});

/** The row by which readers know how old the picture of an account's floor is, and the poller where it stands. */
export const Feed = z
  .object({
    account: field(text, 'The account of the telephony service, by its user name.'),
    status: field(
      z.enum(['starting', 'live', 'interrupted']),
      'Whether the picture is kept up; `starting` until the first answer.',
    ),
    statusSince: field(instant, 'Since when that is so.'),
    asOf: field(instant.optional(), 'The instant that the agents’ rows are true for; absent until the first answer.'),
    staleAt: field(instant.optional(), 'After this instant the picture is stale, unless `asOf` has moved on.'),
    agentCount: field(count, 'How many agents are logged in.'),
    counts: field(z.record(z.string(), count), 'How many of them are in each state.'),
    unreadableRecords: field(count, 'Records of the latest answer that were no agent’s, or lacked a state.'),
    failingSince: field(instant.optional(), 'When polls began to fail; absent while they succeed.'),
    lastProblem: field(
      z
        .object({ reason: z.enum(pollProblems), at: instant })
        .readonly()
        .optional(),
      'Why the latest poll that failed did, and when; also once polls succeed again, see `failingSince`.',
    ),
    version: field(count, 'Counts the writes of this row.'),
    poller: field(Poller.readonly(), 'The poller’s own notes; they may change at any time.'),
  })
  .meta({ title: 'Agent feed' });
export type Feed = Readonly<z.infer<typeof Feed>>;

/** Readers are told that a picture is stale once it is this old: two polls have failed by then. */
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

/** The row that remembers an interruption of a feed, or its end. It is written once, and makes one event. */
export const FeedChange = z
  .object({
    account: field(text, 'The account of the telephony service, by its user name.'),
    status: field(z.enum(['live', 'interrupted']), 'What became of the feed.'),
    at: field(instant, 'When it did: of an interruption, when the picture became stale.'),
    asOf: field(instant.optional(), 'The instant that the agents’ rows were true for; absent if there were none yet.'),
    previousSince: field(instant, 'Since when it had been what it was before.'),
    reason: field(z.enum(pollProblems).optional(), 'Why the latest poll had failed; of an interruption only.'),
    recordedAt: field(instant, 'When this was written.'),
  })
  .meta({ title: 'Agent feed change' });
export type FeedChange = Readonly<z.infer<typeof FeedChange>>;

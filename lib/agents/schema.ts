import * as z from 'zod/mini';
import { serviceProblems } from '../service/service.ts';
import { count, field, instant, nonEmpty, nonEmptyList, seconds } from '../storage/field.ts';
import { loggedInStates, loggedOut } from '../telephony/vocabularies.ts';

/** What one answer reports about an agent. Blank fields are absent. */
export const AgentFacts = z
  .strictObject({
    agentId: field(nonEmpty, 'The login id, as in calls.', { origin: 'AgentId' }),
    name: field(z.optional(nonEmpty), 'The agent’s name.', { origin: 'AgentName', personal: true }),
    phoneNumber: field(z.optional(nonEmpty), 'The phone number of the log-in.', {
      origin: 'PhoneNumber',
      personal: true,
    }),
    state: field(z.enum([...loggedInStates, loggedOut]), 'What the agent is doing.', {
      origin: 'AgentState',
    }),
    stateAsSent: field(z.optional(nonEmpty), 'The state as sent; absent after the log-out.', {
      origin: 'AgentState',
      personal: true,
    }),
    skills: field(z.optional(nonEmptyList), 'The skills in the order sent, each once.', { origin: 'SkillName' }),
    extra: field(
      z.optional(z.record(z.string(), nonEmpty)),
      'Undocumented fields, as sent with the latest change; no change by themselves.',
      { personal: true },
    ),
  })
  .register(z.globalRegistry, { title: 'Agent facts' });

export type AgentFacts = z.infer<typeof AgentFacts>;

/** An agent and the times of its state. Instants are those of polls, so they are up to 15 seconds late. */
export const Agent = z
  .strictObject({
    ...AgentFacts.shape,
    since: field(instant, 'When the agent entered this state.'),
    loggedInSince: field(instant, 'When the agent logged in.'),
  })
  .register(z.globalRegistry, { title: 'Agent' });

export type Agent = z.infer<typeof Agent>;

/** An interval ends with the state or the day, so a day's intervals add up to the time logged in. The last one is open. */
export const Interval = z
  .object({
    agentId: AgentFacts.shape.agentId,
    state: AgentFacts.shape.state,
    stateAsSent: AgentFacts.shape.stateAsSent,
    since: field(instant, 'When the state began, perhaps on an earlier day.'),
    from: field(instant, 'When it begins: with the state or at midnight.'),
    to: field(z.optional(instant), 'When it ended; absent while it is open.'),
    seconds: field(z.optional(seconds), 'How long it lasted; absent while it is open.'),
  })
  .register(z.globalRegistry, { title: 'Interval' });

export type Interval = Readonly<z.infer<typeof Interval>>;

/** What the poller has to remember between two runs. None of it is meant for readers. */
const Poller = z.object({
  /** The slot that a run acquired last. Each slot is polled once. */
  slot: z.int(),
  /** The latest arrival time of each request of the last minute, in milliseconds since the epoch. */
  requests: z.readonly(z.array(z.number())),
  /** A run acquired the slot and has not recorded a result: it is running, or was aborted. */
  inFlight: z.boolean(),
  backOff: z.optional(z.readonly(z.object({ until: z.string(), times: count }))),
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

export type Poller = Readonly<z.infer<typeof Poller>>;

/** Agents' rows are stale at this age: two polls have failed by then. */
export const staleAfterSeconds = 30;

/** Whether polls succeed, and as of when agents' rows are true: for readers the agent feed. Has the poller's state too. */
export const PollStatus = z
  .object({
    account: field(nonEmpty, 'The telephony account, by user name.'),
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
      z.optional(z.readonly(z.object({ reason: z.enum(serviceProblems), at: instant }))),
      'Why and when a poll last failed.',
    ),
    version: field(count, 'Counts the writes of this row.'),
    poller: field(z.readonly(Poller), 'Internal to the poller.'),
  })
  .register(z.globalRegistry, { title: 'Agent feed' });

export type PollStatus = Readonly<z.infer<typeof PollStatus>>;

/** What the row shows to readers of the poller's own state. */
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

/** The row of one interruption of a feed, or of its end. It is written once and becomes one event. */
export const FeedChange = z
  .object({
    account: field(nonEmpty, 'The telephony account, by user name.'),
    status: field(z.enum(['live', 'interrupted']), 'The status that the feed entered.'),
    at: field(instant, 'When the feed entered it. An interruption begins when the rows become stale.'),
    asOf: field(z.optional(instant), 'For which instant the rows of agents were true; absent if there were none.'),
    previousSince: field(instant, 'When the feed entered its previous status.'),
    reason: field(z.optional(z.enum(serviceProblems)), 'Why the latest poll failed; for interruptions only.'),
    recordedAt: field(instant, 'When this row was written.'),
  })
  .register(z.globalRegistry, { title: 'Agent feed change' });

export type FeedChange = Readonly<z.infer<typeof FeedChange>>;

/** A part of the stored state of all agents at an instant. It holds until the next snapshot. */
export const Snapshot = z
  .object({
    at: field(instant, 'From when the snapshot is valid.'),
    asOf: field(z.optional(instant), 'When the agents were seen; before `at` in an interruption.'),
    status: field(PollStatus.shape.status, 'Whether the feed was live.'),
    part: field(z.int().check(z.nonnegative()), 'The number of this part, from 0.'),
    parts: field(z.int().check(z.positive()), 'The number of parts, one per some 1,500 agents.'),
    counts: field(z.record(z.string(), z.int()), 'The agents in each state, over all parts.'),
    agents: field(z.readonly(z.array(Agent)), 'The logged-in agents of this part, by id.'),
  })
  .register(z.globalRegistry, { title: 'Snapshot' });

export type Snapshot = Readonly<z.infer<typeof Snapshot>>;

export const CurrentAgent = z.object({
  ...Agent.shape,
  /** Counts the agent's published changes since the log-in, from 1. */
  version: z.int().check(z.positive()),
  /** The poll that found the latest published change (ISO instant). */
  changedAt: z.string(),
  recordedAt: z.string(),
  /** When the open interval of the timeline begins: with the state, or at the latest local midnight. */
  intervalFrom: z.string(),
});

export type CurrentAgent = Readonly<z.infer<typeof CurrentAgent>>;

export interface AgentChange {
  readonly agentId: string;
  readonly before: CurrentAgent | undefined;
  /** The agent's next row; undefined where the row is to be removed. */
  readonly after: CurrentAgent | undefined;
  readonly timeline: readonly Interval[];
}

import {
  type ChecksOf,
  instant,
  listOf,
  mapOf,
  number,
  object,
  oneOf,
  optional,
  type Problem,
  readFields,
  readRow,
  string,
  text,
  truth,
  wholeNumber,
} from '../core/check.ts';
import type { Facts } from '../core/collections.ts';
import type { Result } from '../core/result.ts';
import { loggedInStates, loggedOut } from '../telephony/agent-fields.ts';
import type { CurrentAgent } from './agent.ts';
import { pollProblems } from './poll-problems.ts';
import type { Agent, Feed, FeedChange, Snapshot } from './schema.ts';

/*
 * The rows of the agents' table as functions read them again. The contract declares what readers see of them, and the type
 * of each list here demands a check for every field that it declares.
 */

const some = text('Expected a text');
const texts = listOf(some, 'Expected texts');
const count = wholeNumber(0);
const status = oneOf('starting', 'live', 'interrupted');

const agent: ChecksOf<Agent> = {
  agentId: some,
  name: optional(some),
  phoneNumber: optional(some),
  state: oneOf(...loggedInStates, loggedOut),
  stateAsSent: optional(some),
  skills: optional(texts),
  extra: optional(mapOf(some, 'Expected texts by name')),
  since: instant,
  loggedInSince: instant,
};

const currentAgent: ChecksOf<CurrentAgent> = {
  ...agent,
  version: wholeNumber(1),
  changedAt: string,
  recordedAt: string,
  intervalFrom: string,
};

/** The agent in a row, or what is wrong in it. */
export const parseAgent = (row: Facts): Result<CurrentAgent, readonly Problem[]> =>
  readFields<CurrentAgent>(currentAgent, row);

/** The agent in a row. Throws if something else wrote the row. */
export const agentOf = (row: Facts): CurrentAgent => readRow<CurrentAgent>(currentAgent, row);

const poller: ChecksOf<Feed['poller']> = {
  slot: wholeNumber(-1),
  requests: listOf(number, 'Expected times', 0),
  inFlight: truth,
  backOff: optional(object({ until: string, times: count })),
  snapshotAt: optional(string),
  pendingAt: optional(string),
  unidentifiedSince: optional(string),
  day: optional(string),
  endedCalls: optional(listOf(object({ at: number, by: number }), 'Expected ended calls', 0)),
};

const feed: ChecksOf<Feed> = {
  account: some,
  status,
  statusSince: instant,
  asOf: optional(instant),
  staleAt: optional(instant),
  agentCount: count,
  counts: mapOf(count, 'Expected numbers by state'),
  unreadableRecords: count,
  failingSince: optional(instant),
  lastProblem: optional(object({ reason: oneOf(...pollProblems), at: instant })),
  version: count,
  poller: object(poller),
};

/** The feed in a row. Throws if something else wrote the row. */
export const feedOf = (row: Facts): Feed => readRow<Feed>(feed, row);

const feedChange: ChecksOf<FeedChange> = {
  account: some,
  status: oneOf('live', 'interrupted'),
  at: instant,
  asOf: optional(instant),
  previousSince: instant,
  reason: optional(oneOf(...pollProblems)),
  recordedAt: instant,
};

/** The change of a feed in a row. Throws if something else wrote the row. */
export const feedChangeOf = (row: Facts): FeedChange => readRow<FeedChange>(feedChange, row);

const snapshotPart: ChecksOf<Snapshot> = {
  at: instant,
  asOf: optional(instant),
  status,
  part: count,
  parts: wholeNumber(1),
  counts: mapOf(count, 'Expected numbers by state'),
  agents: listOf(object(agent), 'Expected agents', 0),
};

/** The part of a snapshot in a row. Throws if something else wrote the row. */
export const snapshotOf = (row: Facts): Snapshot => readRow<Snapshot>(snapshotPart, row);

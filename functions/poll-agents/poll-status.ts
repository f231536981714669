import { type AgentLogins, isUnidentified } from '../../lib/agents/normalise-agent.ts';
import { type Poller, type PollStatus, staleAfterSeconds } from '../../lib/agents/schema.ts';
import type { ServiceFailure, ServiceProblem } from '../../lib/service/service.ts';
import { backOffAfter, withUnknownRequest } from './slot.ts';

// What the result of a poll makes of the account's poll status. The write of a status raises its version.

export const newPollStatus = (account: string, now: Date): PollStatus => ({
  account,
  status: 'starting',
  statusSince: now.toISOString(),
  agentCount: 0,
  counts: {},
  unreadableRecords: 0,
  version: 0,
  poller: { slot: -1, requests: [], inFlight: false },
});

/** What the row of the poll status states about an answer. */
export interface AgentSummary {
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly unreadableRecords: number;
}

/** The status after a poll that was answered, once all agents are written. */
export const pollAnswered = (before: PollStatus, { at, counts, unreadableRecords }: AgentSummary): PollStatus => {
  const { failingSince: _failing, ...rest } = before;
  const { backOff: _backOff, pendingAt: _pending, ...poller } = before.poller;
  return {
    ...rest,
    ...(before.status !== 'live' && { status: 'live' as const, statusSince: at }),
    asOf: at,
    staleAt: secondsLater(at, staleAfterSeconds),
    agentCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    unreadableRecords,
    poller: { ...poller, inFlight: false },
  };
};

/** The status after a poll that was answered, while some of its agents are not written yet. */
export const pollPending = (before: PollStatus, { at, unreadableRecords }: AgentSummary): PollStatus => {
  const { backOff: _backOff, ...poller } = before.poller;
  return { ...before, unreadableRecords, poller: { ...poller, pendingAt: at } };
};

/**
 * The status after a poll that failed. What it states about the agents stays as it was. The first failure in a row is
 * no interruption. Somebody's query may have used up the limit, and a late poll may find the rows stale already.
 */
export const pollFailed = (before: PollStatus, failure: ServiceFailure, now: Date): PollStatus => {
  const at = now.toISOString();
  const backOff = backOffAfter(failure, before.poller, now);
  const failed: PollStatus = {
    ...before,
    failingSince: before.failingSince ?? at,
    lastProblem: { reason: failure.reason, at },
    poller: {
      ...before.poller,
      inFlight: false,
      ...(backOff && { backOff }),
      ...(failure.reason === 'rate-limited' && { requests: withUnknownRequest(before.poller.requests) }),
    },
  };
  return before.failingSince === undefined ? failed : withInterruption(failed, at);
};

/**
 * The status after a slot in which no request may be sent; undefined if it stays as it was. Its problem is the rate limit.
 * After a rejection it stays the rejection, for which the poller backs off.
 */
export const pollSkipped = (
  before: PollStatus,
  why: 'rate-limited' | 'backing-off',
  now: Date,
): PollStatus | undefined => interruptedBy(before, why === 'rate-limited' ? why : before.lastProblem?.reason, now);

/** How long rows may be stale without polls before that counts as an interruption. One lost slot does not count. */
const gapGraceSeconds = 15;

/** The status after a time without polls, in which no run could record an interruption; undefined if there was none. */
export const pollGap = (before: PollStatus, now: Date): PollStatus | undefined => {
  const isDue =
    before.asOf !== undefined && secondsLater(before.asOf, staleAfterSeconds + gapGraceSeconds) < now.toISOString();
  const reason = before.failingSince === undefined ? 'not-polled' : before.lastProblem?.reason;
  return isDue ? interruptedBy(before, reason, now) : undefined;
};

/** Whether the status, as far as this run knows it, is to be recorded as interrupted by now. */
export const becomesInterrupted = (known: PollStatus, now: Date): boolean =>
  withInterruption(known, now.toISOString()).status !== known.status;

const interruptedBy = (before: PollStatus, reason: ServiceProblem | undefined, now: Date): PollStatus | undefined => {
  const at = now.toISOString();
  const next = withInterruption(before, at);
  if (next.status === before.status) return undefined;
  return {
    ...next,
    ...(reason !== undefined && { lastProblem: { reason, at } }),
    failingSince: before.failingSince ?? at,
  };
};

/**
 * Marks the status as interrupted, once, when the agents' rows are stale. The interruption begins with the first stale
 * millisecond. No poll has that time, because polls are dated in whole seconds. Before the first answer rows are stale from the
 * first failure on.
 */
const withInterruption = (before: PollStatus, at: string): PollStatus => {
  const since = before.asOf ?? before.failingSince;
  const isDue = since !== undefined && secondsLater(since, staleAfterSeconds) <= at && before.status !== 'interrupted';
  return isDue
    ? { ...before, status: 'interrupted', statusSince: secondsLater(since, staleAfterSeconds + 0.001) }
    : before;
};

const secondsLater = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString();

/** For how long a record without an id may mean a logged-in agent. If every answer has one for longer, it is ignored. */
const unidentifiedForMs = 5 * 60_000;

/** The answer without ignored records, and the poller's state, which notes since when answers have had records without an id. */
interface IdentifiedLogins {
  readonly poller: Poller;
  readonly logins: AgentLogins;
}

/** Ignores records without an id once every answer of five minutes has had some. */
export const ignoreUnidentified = (before: Poller, logins: AgentLogins, now: Date): IdentifiedLogins => {
  const { unidentifiedSince: since = now.toISOString(), ...poller } = before;
  if (!logins.unreadable.some(isUnidentified)) return { poller, logins };

  const isOver = now.getTime() - Date.parse(since) > unidentifiedForMs;
  const unreadable = isOver ? logins.unreadable.filter((record) => !isUnidentified(record)) : logins.unreadable;
  return { poller: { ...poller, unidentifiedSince: since }, logins: { ...logins, unreadable } };
};

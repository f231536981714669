import { type AgentLogins, isUnidentified } from '../../lib/agents/normalise-agent.ts';
import { type Poller, type PollStatus, staleAfterSeconds } from '../../lib/agents/schema.ts';
import type { ServiceFailure, ServiceProblem } from '../../lib/service/service.ts';
import { backOffAfter, isSlotTaken, withoutBackOff, withUnknownRequest } from './rate-limit.ts';

/*
 * The state machine of a poll, from the tick to the stored agents: `nextStep` has what a run does with the poll status that it
 * finds, and `nextStatus` what the status becomes by it. Every event is one write of the row, which raises its version. A run
 * whose write finds another version has lost the race to another run, and ends. Lambda may abort a run after any write.
 *
 * The poller's notes (`poller`) also change between events, and the next write has them: in `poll-slot.ts` a back-off that a new
 * key voids, the arrival of a request, calls that got their callback, and records without an id; in `write-agents.ts` the snapshot
 * that the write commits, calls that have ended, and a rest whose snapshot has expired. Two writes are no events: the first one of
 * a run that takes over, and the removal of rows of agents who have logged out. Both only raise the version.
 */

/**
 * What a run does next, by what the run before has left in the row.
 *
 * | inFlight | pendingAt | the run before                                                             | this run      |
 * |----------|-----------|----------------------------------------------------------------------------|---------------|
 * | no       | no        | has recorded a result                                                      | polls         |
 * | yes      | no        | noted a request, and has no result: it was aborted, or is late             | takes over    |
 * | yes      | yes       | saved an answer in a snapshot, and was aborted while it wrote agents' rows | takes over    |
 * | no       | yes       | did so, and was taken over                                                 | writes the rest |
 */
export const nextStep = (poller: Poller, now: Date): 'none' | 'take-over' | 'write-rest' | 'poll' => {
  if (isSlotTaken(poller, now)) return 'none';
  if (poller.inFlight) return 'take-over';
  return poller.pendingAt === undefined ? 'poll' : 'write-rest';
};

export interface AgentSummary {
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly unreadableRecords: number;
}

export type PollEvent =
  /** The run before is aborted or late. It can write no more, as this run has raised the version. */
  | { readonly kind: 'taken-over' }
  /** Perhaps nobody has polled for some time, so that no run could record an interruption. */
  | { readonly kind: 'due' }
  | { readonly kind: 'skipped'; readonly why: 'rate-limited' | 'backing-off' }
  /** A request is about to be sent, the first of the slot or its retry. It is noted here with its latest possible arrival. */
  | { readonly kind: 'requested'; readonly poller: Poller }
  | { readonly kind: 'failed'; readonly failure: ServiceFailure }
  /** Answered, and saved in a snapshot; some agents' rows are not written yet. */
  | { readonly kind: 'partly-written'; readonly summary: AgentSummary }
  | { readonly kind: 'written'; readonly summary: AgentSummary };

/** The status after an event; the same object if nothing is to be written. */
export const nextStatus = (before: PollStatus, event: PollEvent, now: Date): PollStatus => {
  switch (event.kind) {
    case 'taken-over':
      // A poll with pending agents was answered, so it has not failed.
      return before.poller.pendingAt === undefined
        ? failed(before, { reason: 'aborted' }, now)
        : { ...before, poller: { ...before.poller, inFlight: false } };
    case 'due':
      return afterGap(before, now);
    case 'skipped':
      // After a rejection the problem stays the rejection, for which the poller backs off.
      return interruptedBy(before, event.why === 'rate-limited' ? event.why : before.lastProblem?.reason, now);
    case 'requested':
      return { ...before, poller: event.poller };
    case 'failed':
      return failed(before, event.failure, now);
    case 'partly-written': {
      const { at: pendingAt, unreadableRecords } = event.summary;
      return { ...before, unreadableRecords, poller: { ...withoutBackOff(before.poller), pendingAt } };
    }
    case 'written':
      return answered(before, event.summary);
  }
};

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

const answered = (before: PollStatus, { at, counts, unreadableRecords }: AgentSummary): PollStatus => {
  const { failingSince: _failing, ...rest } = before;
  const { pendingAt: _pending, ...poller } = withoutBackOff(before.poller);
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

/** The agents' facts stay. A first failure is no interruption: somebody's query may have used up the limit. */
const failed = (before: PollStatus, failure: ServiceFailure, now: Date): PollStatus => {
  const at = now.toISOString();
  const backOff = backOffAfter(failure, before.poller, now);
  const next: PollStatus = {
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
  return before.failingSince === undefined ? next : withInterruption(next, at);
};

/** How long rows may be stale without polls before that counts as an interruption. One lost slot does not count. */
const gapGraceSeconds = 15;

const afterGap = (before: PollStatus, now: Date): PollStatus => {
  const { asOf, failingSince, lastProblem } = before;
  if (asOf === undefined || secondsLater(asOf, staleAfterSeconds + gapGraceSeconds) >= now.toISOString()) return before;
  return interruptedBy(before, failingSince === undefined ? 'not-polled' : lastProblem?.reason, now);
};

export const becomesInterrupted = (status: PollStatus, now: Date): boolean =>
  withInterruption(status, now.toISOString()) !== status;

const interruptedBy = (before: PollStatus, reason: ServiceProblem | undefined, now: Date): PollStatus => {
  const at = now.toISOString();
  const next = withInterruption(before, at);
  if (next === before) return before;
  return { ...next, ...(reason && { lastProblem: { reason, at } }), failingSince: before.failingSince ?? at };
};

/**
 * Marks stale rows as interrupted, once, from the first stale millisecond: no poll has that time, as polls are dated in
 * whole seconds. Before the first answer rows are stale from the first failure on.
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

/** Ignores records without an id once every answer of five minutes has had some. The poller's state notes since when. */
export const ignoreUnidentified = (
  before: Poller,
  logins: AgentLogins,
  now: Date,
): { readonly poller: Poller; readonly logins: AgentLogins } => {
  const { unidentifiedSince: since = now.toISOString(), ...poller } = before;
  if (!logins.unreadable.some(isUnidentified)) return { poller, logins };

  const isOver = now.getTime() - Date.parse(since) > unidentifiedForMs;
  const unreadable = isOver ? logins.unreadable.filter((record) => !isUnidentified(record)) : logins.unreadable;
  return { poller: { ...poller, unidentifiedSince: since }, logins: { ...logins, unreadable } };
};

import { becomesInterrupted, pollFailed, pollGap, pollSkipped } from './feed.ts';
import { type AccountAgents, emitNoAnswerMetrics, type PollContext, readAgents, readFeed } from './poll-context.ts';
import type { Feed } from './schema.ts';
import { capacityWaitMs, latestSendMs, requestTimeoutMs, reserveSlot, type SkipReason } from './slot.ts';
import { deleteUncommitted } from './snapshot.ts';
import { finishPending, writeFeed, writeStatus } from './write-agents.ts';

/** Whether a run may poll in the slot, and the agents as they are stored then. */
export interface SlotResult {
  /** `skipped`: the slot is taken, or nothing may be sent in it. `conflict`: another run wrote the feed first. */
  readonly kind: 'acquired' | 'skipped' | 'conflict';
  /** Undefined where the run does not know the agents. */
  readonly known: AccountAgents | undefined;
}

/**
 * Acquires the present slot of an account. What the run remembers is current if nobody has written the feed since; the
 * conditional write of the slot finds that out. Otherwise the feed's row shows whether the slot is free, and all agents
 * are read only if it is.
 */
export const acquireSlot = async (run: PollContext, remembered: AccountAgents | undefined): Promise<SlotResult> => {
  const slot = remembered && !mayBeOutdated(run, remembered) && (await tryToAcquire(run, remembered));
  if (slot && slot.kind !== 'conflict') return slot;

  const feed = await readFeed(run, run.account.userName);
  if (isSlotTaken(run, feed)) return { kind: 'skipped', known: undefined };
  return tryToAcquire(run, await readAgents(run, run.account.userName));
};

/**
 * Remembered agents may be outdated if this process has not polled for long, because another process may poll. They must
 * not be saved as the snapshot of an interruption before a write has confirmed them.
 */
const mayBeOutdated = (run: PollContext, { feed }: AccountAgents): boolean => becomesInterrupted(feed, run.clock());

const isSlotTaken = (run: PollContext, feed: Feed): boolean => {
  const reserved = reserveSlot(feed, run.clock());
  return !reserved.ok && reserved.problem === 'slot-taken';
};

const conflict: SlotResult = { kind: 'conflict', known: undefined };

const tryToAcquire = async (run: PollContext, known: AccountAgents): Promise<SlotResult> => {
  if (isSlotTaken(run, known.feed)) return { kind: 'skipped', known };

  const finished = await finishEarlierRun(run, run.hasNewKey ? { ...known, feed: withoutBackOff(known.feed) } : known);
  if (finished === undefined) return conflict;
  if (finished.feed.poller.pendingAt !== undefined) return { kind: 'skipped', known: finished };

  const current = await recordPollGap(run, finished);
  if (current === undefined) return conflict;

  await waitForCapacity(run, current.feed);
  const reserved = reserveSlot(current.feed, run.clock());
  if (!reserved.ok) {
    const skipped = await skipSlot(run, current, reserved.problem);
    return skipped === undefined ? conflict : { kind: 'skipped', known: skipped };
  }
  const isWritten = await writeFeed(run, reserved.value);
  return isWritten ? { kind: 'acquired', known: { ...current, feed: reserved.value } } : conflict;
};

const withoutBackOff = (feed: Feed): Feed => {
  const { backOff: _backOff, ...poller } = feed.poller;
  return { ...feed, poller };
};

/** Cleans up after an aborted run, and writes the agents that a run has left to write. */
const finishEarlierRun = async (run: PollContext, known: AccountAgents): Promise<AccountAgents | undefined> => {
  const recovered = known.feed.poller.inFlight ? await recoverAborted(run, known) : known;
  return recovered && finishPending(run, recovered);
};

/**
 * The earlier run may be late rather than dead: after this first write, its own writes conflict. So the snapshots that it
 * saved and never committed can be deleted. Its poll counts as failed.
 */
const recoverAborted = async (run: PollContext, known: AccountAgents): Promise<AccountAgents | undefined> => {
  const feed = { ...known.feed, version: known.feed.version + 1 };
  if (!(await writeFeed(run, feed))) return undefined;
  await deleteUncommitted(run, feed);
  const locked = { ...known, feed };
  // A poll with pending agents was answered, so it has not failed.
  if (feed.poller.pendingAt !== undefined) return writeStatus(run, locked, withoutInFlight(feed));

  emitNoAnswerMetrics(run.telemetry, 'PollsFailed');
  return writeStatus(run, locked, pollFailed(feed, { reason: 'aborted' }, run.clock()));
};

const withoutInFlight = (feed: Feed): Feed => ({
  ...feed,
  version: feed.version + 1,
  poller: { ...feed.poller, inFlight: false },
});

/** After a time in which nobody polled, records the interruption before this poll ends it. */
const recordPollGap = async (run: PollContext, known: AccountAgents): Promise<AccountAgents | undefined> => {
  const feed = pollGap(known.feed, run.clock());
  return feed === undefined ? known : writeStatus(run, known, feed);
};

/** A timer may fire a moment early. */
const timerGraceMs = 5;

/** A retry uses one request of the rate limit, so the next polls may have to wait for a moment. */
const waitForCapacity = async (run: PollContext, feed: Feed): Promise<void> => {
  const now = run.clock();
  const waitMs = capacityWaitMs(feed, now);
  const atMs = now.getTime() + waitMs;
  const isInTime = atMs <= latestSendMs(now.getTime()) && atMs + requestTimeoutMs <= run.untilMs;
  if (waitMs > 0 && isInTime) await run.pause(waitMs + timerGraceMs);
};

/** Counts a slot in which nothing may be sent. The agents' rows may become stale in it, which is recorded. */
const skipSlot = async (
  run: PollContext,
  known: AccountAgents,
  why: SkipReason,
): Promise<AccountAgents | undefined> => {
  emitNoAnswerMetrics(run.telemetry, 'PollsSkipped');
  const feed = why === 'slot-taken' ? undefined : pollSkipped(known.feed, why, run.clock());
  return feed === undefined ? known : writeStatus(run, known, feed);
};

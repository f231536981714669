import { writeStatus } from './apply-result.ts';
import type { Feed } from './feed.ts';
import { becomesInterrupted, pollAborted, pollGap, pollSkipped } from './feed-transitions.ts';
import { emitNoAnswerMetrics, type PollContext, writeContext } from './poll-context.ts';
import { capacityWaitMs, latestSendMs, requestTimeoutMs, reserveSlot, type SkipReason } from './rate-limit.ts';
import { type Floor, readAgents, readFeed, writeFeed } from './read-agents.ts';
import { deleteUncommitted } from './snapshot.ts';
import { finishPending } from './write-agents.ts';

/** Whether this run may ask, has been overtaken, or finds the slot taken; and the floor, where it knows it. */
export interface SlotResult {
  readonly kind: 'acquired' | 'skipped' | 'conflict';
  readonly floor: Floor | undefined;
}

/**
 * Claims the present slot of an account. What a run remembers of the floor is good if nobody has written the feed since,
 * which the claim itself finds out. Else the feed's row tells whether the slot is taken, before all of the floor is read.
 */
export const acquireSlot = async (run: PollContext, remembered: Floor | undefined): Promise<SlotResult> => {
  const turn = remembered && !mayBeOutdated(run, remembered) && (await tryToAcquire(run, remembered));
  if (turn && turn.kind !== 'conflict') return turn;

  const feed = await readFeed(run, run.account.userName);
  if (isSlotTaken(run, feed)) return { kind: 'skipped', floor: undefined };
  return tryToAcquire(run, await readAgents(run, run.account.userName));
};

/**
 * A memory by which nobody has polled for long may just be old itself, as somebody else has. The floor of that memory must
 * not be kept as one of the past before a write finds out.
 */
const mayBeOutdated = (run: PollContext, { feed }: Floor): boolean => becomesInterrupted(feed, run.clock());

const conflict: SlotResult = { kind: 'conflict', floor: undefined };

const isSlotTaken = (run: PollContext, feed: Feed): boolean => {
  const claimed = reserveSlot(feed, run.clock());
  return !claimed.ok && claimed.problem === 'slot-taken';
};

const tryToAcquire = async (run: PollContext, known: Floor): Promise<SlotResult> => {
  if (isSlotTaken(run, known.feed)) return { kind: 'skipped', floor: known };

  const ready = await finishEarlierRun(run, run.hasNewKey ? { ...known, feed: withoutBackOff(known.feed) } : known);
  if (ready === undefined) return conflict;
  if (ready.feed.poller.pendingAt !== undefined) return { kind: 'skipped', floor: ready };

  const told = await recordPollGap(run, ready);
  if (told === undefined) return conflict;

  await waitForCapacity(run, told.feed);
  const claimed = reserveSlot(told.feed, run.clock());
  if (!claimed.ok) {
    const floor = await skipSlot(run, told, claimed.problem);
    return floor === undefined ? conflict : { kind: 'skipped', floor };
  }
  const isMine = await writeFeed(run, claimed.value);
  return isMine ? { kind: 'acquired', floor: { ...told, feed: claimed.value } } : conflict;
};

const withoutBackOff = (feed: Feed): Feed => {
  const { backOff: _backOff, ...poller } = feed.poller;
  return { ...feed, poller };
};

/** A timer may go off a moment early. */
const timerGraceMs = 5;

/** After a second try the next polls have to wait for a moment until the limit has room for them. */
const waitForCapacity = async (run: PollContext, feed: Feed): Promise<void> => {
  const now = run.clock();
  const waitMs = capacityWaitMs(feed, now);
  const atMs = now.getTime() + waitMs;
  const isInTime = atMs <= latestSendMs(now.getTime()) && atMs + requestTimeoutMs <= run.untilMs;
  if (waitMs > 0 && isInTime) await run.pause(waitMs + timerGraceMs);
};

/** What a run that was cut has left is cleared away and finished first. */
const finishEarlierRun = async (run: PollContext, floor: Floor): Promise<Floor | undefined> => {
  const cleared = floor.feed.poller.inFlight ? await recoverAborted(run, floor) : floor;
  return cleared && finishPending(writeContext(run), cleared);
};

/**
 * The first write shuts out a run that is not dead but late: what it kept without it counting may go then. Its poll has
 * failed, which is told as for any other.
 */
const recoverAborted = async (run: PollContext, floor: Floor): Promise<Floor | undefined> => {
  const mine = { ...floor.feed, version: floor.feed.version + 1 };
  if (!(await writeFeed(run, mine))) return undefined;
  await deleteUncommitted(run, mine);
  const known = { ...floor, feed: mine };
  // What is pending was seen: it is no failure, and the floor as it was is no longer there to be kept.
  if (mine.poller.pendingAt !== undefined) return writeStatus(run, known, withoutInFlight(mine));

  emitNoAnswerMetrics(run.telemetry, 'PollsFailed');
  return writeStatus(run, known, pollAborted(mine, run.clock()));
};

const withoutInFlight = (feed: Feed): Feed => ({
  ...feed,
  version: feed.version + 1,
  poller: { ...feed.poller, inFlight: false },
});

/** Where nobody polled for a while, the gap is told of and remembered before it ends. */
const recordPollGap = async (run: PollContext, floor: Floor): Promise<Floor | undefined> => {
  const feed = pollGap(floor.feed, run.clock());
  return feed === undefined ? floor : writeStatus(run, floor, feed);
};

/** In a slot in which nothing may be asked the picture can become stale all the same. */
const skipSlot = async (run: PollContext, floor: Floor, why: SkipReason): Promise<Floor | undefined> => {
  emitNoAnswerMetrics(run.telemetry, 'PollsSkipped');
  const feed = why === 'slot-taken' ? undefined : pollSkipped(floor.feed, why, run.clock());
  return feed === undefined ? floor : writeStatus(run, floor, feed);
};

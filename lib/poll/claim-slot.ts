import { claim, mayWaitUntil, type NoClaim, requestTimeoutMs, waitFor } from '../feed/claim.ts';
import type { Feed } from '../feed/feed.ts';
import { becomesInterrupted, cut, passedOver, unpolled } from '../feed/settle.ts';
import { type Floor, readFeed, readFloor, writeFeed } from '../floor/floor.ts';
import { forgetUncounted } from '../floor/keep-floor.ts';
import { finishPending } from '../floor/write-floor.ts';
import { writeNews } from './conclude.ts';
import { type Run, writing } from './run.ts';
import { tellNoAnswer } from './tell-no-answer.ts';

/** Whether this run may ask, has been overtaken, or finds the slot taken; and the floor, where it knows it. */
export interface Turn {
  readonly kind: 'mine' | 'not-mine' | 'overtaken';
  readonly floor: Floor | undefined;
}

/**
 * Claims the present slot of an account. What a run remembers of the floor is good if nobody has written the feed since,
 * which the claim itself finds out. Else the feed's row tells whether the slot is taken, before all of the floor is read.
 */
export const claimSlot = async (run: Run, remembered: Floor | undefined): Promise<Turn> => {
  const turn = remembered && !isDoubtful(run, remembered) && (await tryToClaim(run, remembered));
  if (turn && turn.kind !== 'overtaken') return turn;

  const feed = await readFeed(run, run.account.userName);
  if (isTaken(run, feed)) return { kind: 'not-mine', floor: undefined };
  return tryToClaim(run, await readFloor(run, run.account.userName));
};

/**
 * A memory by which nobody has polled for long may just be old itself, as somebody else has. The floor of that memory must
 * not be kept as one of the past before a write finds out.
 */
const isDoubtful = (run: Run, { feed }: Floor): boolean => becomesInterrupted(feed, run.clock());

const overtaken: Turn = { kind: 'overtaken', floor: undefined };

const isTaken = (run: Run, feed: Feed): boolean => {
  const claimed = claim(feed, run.clock());
  return !claimed.ok && claimed.problem === 'slot-taken';
};

const tryToClaim = async (run: Run, known: Floor): Promise<Turn> => {
  if (isTaken(run, known.feed)) return { kind: 'not-mine', floor: known };

  const ready = await tidied(run, run.hasNewKey ? { ...known, feed: withoutBackOff(known.feed) } : known);
  if (ready === undefined) return overtaken;
  if (ready.feed.poller.pendingAt !== undefined) return { kind: 'not-mine', floor: ready };

  const told = await tellOfNoPolls(run, ready);
  if (told === undefined) return overtaken;

  await waitForPlace(run, told.feed);
  const claimed = claim(told.feed, run.clock());
  if (!claimed.ok) {
    const floor = await passOver(run, told, claimed.problem);
    return floor === undefined ? overtaken : { kind: 'not-mine', floor };
  }
  const isMine = await writeFeed(run, claimed.value);
  return isMine ? { kind: 'mine', floor: { ...told, feed: claimed.value } } : overtaken;
};

const withoutBackOff = (feed: Feed): Feed => {
  const { backOff: _backOff, ...poller } = feed.poller;
  return { ...feed, poller };
};

/** A timer may go off a moment early. */
const graceMs = 5;

/** After a second try the next polls have to wait for a moment until the limit has room for them. */
const waitForPlace = async (run: Run, feed: Feed): Promise<void> => {
  const now = run.clock();
  const waitMs = waitFor(feed, now);
  const atMs = now.getTime() + waitMs;
  const isInTime = atMs <= mayWaitUntil(now.getTime()) && atMs + requestTimeoutMs <= run.untilMs;
  if (waitMs > 0 && isInTime) await run.pause(waitMs + graceMs);
};

/** What a run that was cut has left is cleared away and finished first. */
const tidied = async (run: Run, floor: Floor): Promise<Floor | undefined> => {
  const cleared = floor.feed.poller.unsettled ? await afterACut(run, floor) : floor;
  return cleared && finishPending(writing(run), cleared);
};

/**
 * The first write shuts out a run that is not dead but late: what it kept without it counting may go then. Its poll has
 * failed, which is told as for any other.
 */
const afterACut = async (run: Run, floor: Floor): Promise<Floor | undefined> => {
  const mine = { ...floor.feed, version: floor.feed.version + 1 };
  if (!(await writeFeed(run, mine))) return undefined;
  await forgetUncounted(run, mine);
  const known = { ...floor, feed: mine };
  // What is pending was seen: it is no failure, and the floor as it was is no longer there to be kept.
  if (mine.poller.pendingAt !== undefined) return writeNews(run, known, settled(mine));

  tellNoAnswer(run.telemetry, 'PollsFailed');
  return writeNews(run, known, cut(mine, run.clock()));
};

const settled = (feed: Feed): Feed => ({
  ...feed,
  version: feed.version + 1,
  poller: { ...feed.poller, unsettled: false },
});

/** Where nobody polled for a while, the gap is told of and remembered before it ends. */
const tellOfNoPolls = async (run: Run, floor: Floor): Promise<Floor | undefined> => {
  const feed = unpolled(floor.feed, run.clock());
  return feed === undefined ? floor : writeNews(run, floor, feed);
};

/** In a slot in which nothing may be asked the picture can become stale all the same. */
const passOver = async (run: Run, floor: Floor, why: NoClaim): Promise<Floor | undefined> => {
  tellNoAnswer(run.telemetry, 'PollsPassedOver');
  const feed = why === 'slot-taken' ? undefined : passedOver(floor.feed, why, run.clock());
  return feed === undefined ? floor : writeNews(run, floor, feed);
};

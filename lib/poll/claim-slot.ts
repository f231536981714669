import { claim } from '../feed/claim.ts';
import type { Feed } from '../feed/feed.ts';
import { passedOver } from '../feed/settle.ts';
import { type Floor, readFloor, writeFeed } from '../floor/floor.ts';
import { forgetUncounted } from '../floor/keep-floor.ts';
import { finishPending } from '../floor/write-floor.ts';
import { writeNews } from './conclude.ts';
import { type Run, writing } from './run.ts';

/** Whether this run may ask, and the floor as it knows it; none where others have changed it. */
export interface Turn {
  readonly mayAsk: boolean;
  readonly floor: Floor | undefined;
}

/**
 * Claims the present slot of an account. What a run remembers of the floor is good if nobody has written the feed since,
 * which the claim itself finds out; else the floor is read, and tried once more.
 */
export const claimSlot = async (run: Run, remembered: Floor | undefined): Promise<Turn> => {
  const turn = remembered && (await tryToClaim(run, remembered));
  if (turn?.floor !== undefined) return turn;
  return tryToClaim(run, await readFloor(run, run.account.userName));
};

const tryToClaim = async (run: Run, floor: Floor): Promise<Turn> => {
  const early = claim(floor.feed, run.clock());
  if (!early.ok && early.problem === 'slot-taken') return { mayAsk: false, floor };

  const ready = await tidied(run, floor);
  if (ready === undefined || ready.feed.poller.pendingAt !== undefined) return { mayAsk: false, floor: ready };

  const claimed = claim(ready.feed, run.clock());
  if (!claimed.ok) return { mayAsk: false, floor: await passOver(run, ready) };
  const isMine = await writeFeed(run, claimed.value);
  return { mayAsk: isMine, floor: isMine ? { ...ready, feed: claimed.value } : undefined };
};

/** What a run that was cut has left is cleared away and finished first. */
const tidied = async (run: Run, floor: Floor): Promise<Floor | undefined> => {
  const cleared = floor.feed.poller.unsettled ? await afterACut(run, floor) : floor;
  return cleared && finishPending(writing(run), cleared);
};

/** The first write shuts out a run that is not dead but late: what it kept without it counting may go then. */
const afterACut = async (run: Run, floor: Floor): Promise<Floor | undefined> => {
  const mine = next(floor.feed, {});
  if (!(await writeFeed(run, mine))) return undefined;
  await forgetUncounted(run, mine);
  const feed = next(mine, { unsettled: false });
  return (await writeFeed(run, feed)) ? { ...floor, feed } : undefined;
};

const next = (feed: Feed, notes: Partial<Feed['poller']>): Feed => ({
  ...feed,
  version: feed.version + 1,
  poller: { ...feed.poller, ...notes },
});

/** In a slot in which nothing may be asked the picture can become stale all the same. */
const passOver = async (run: Run, floor: Floor): Promise<Floor | undefined> => {
  run.telemetry.count('PollsPassedOver');
  const feed = passedOver(floor.feed, run.clock());
  return feed === undefined ? floor : writeNews(run, floor, feed);
};

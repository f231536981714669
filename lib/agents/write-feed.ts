import type { Alongside } from '../schema/versioned-rows.ts';
import { feedChangeRow, feedRow } from './agent-rows.ts';
import type { PollContext } from './poll-context.ts';
import type { AccountAgents, StorePorts } from './read-agents.ts';
import type { Feed } from './schema.ts';
import { snapshotRows } from './snapshot.ts';

/**
 * Writes the next version of the feed, and other rows with it, all or nothing. False means that another run has written
 * the feed since it was read. What this run knows is out of date, and it has to stop.
 */
export const writeFeed = async ({ table }: StorePorts, feed: Feed, alongside?: Alongside): Promise<boolean> =>
  (await table.write(feedRow(feed), alongside)) === 'written';

/**
 * Writes a feed without a new answer. If the feed becomes interrupted, this also writes the row that becomes the event,
 * and saves the agents as they were last known. A failure to save them does not suppress the event. Where another run
 * writes the interruption first, that snapshot may stay: both runs save the same one.
 */
export const writeStatus = async (
  run: PollContext,
  known: AccountAgents,
  feed: Feed,
): Promise<AccountAgents | undefined> => {
  const isStatusChange = feed.status !== known.feed.status;
  const isSaved = isStatusChange && (await saveLastSnapshot(run, known, feed));
  const next = isSaved ? { ...feed, poller: { ...feed.poller, snapshotAt: feed.statusSince } } : feed;
  const { clock, retention } = run;
  const puts = isStatusChange ? [feedChangeRow(known.feed, next, clock().toISOString(), retention.intervalDays)] : [];
  const isWritten = await writeFeed(run, next, { puts, removes: [] });
  return isWritten ? { ...known, feed: next } : undefined;
};

const saveLastSnapshot = async (run: PollContext, { agents }: AccountAgents, feed: Feed): Promise<boolean> => {
  try {
    await run.table.put(snapshotRows(feed, feed.statusSince, agents, run.retention.snapshotDays));
    return true;
  } catch (error) {
    run.telemetry.fault('agent-store', error);
    return false;
  }
};

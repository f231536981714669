import type { AgentFacts } from '../agent-login/model.ts';
import type { Feed } from '../feed/feed.ts';
import { answered } from '../feed/settle.ts';
import { localDate } from '../time/days.ts';
import { after, changes, countsOf } from './changes.ts';
import type { Floor } from './floor.ts';
import { keepFloor, keptFloorAt } from './keep-floor.ts';
import { removeLeavers, type Writing, writeSteps } from './write-steps.ts';

/** Who was there at an instant, by an answer. */
export interface Sighting {
  /** ISO instant in whole seconds: when the service was asked. */
  readonly at: string;
  readonly there: readonly AgentFacts[];
  readonly unreadableRecords: number;
}

/**
 * Brings the rows to what was seen. The whole floor is kept first, if anything is new; with the feed's next version it
 * counts as seen. Agents follow in transactions, each with the feed's row, so that every change is written once; a run
 * that is cut leaves the rest to the next one, which finds the floor `pendingAt`. Answers the floor as it is written
 * now, or undefined if somebody else has taken over.
 */
export const writeFloor = async (ports: Writing, floor: Floor, sighting: Sighting): Promise<Floor | undefined> => {
  const { at, there, unreadableRecords } = sighting;
  const { timeZone } = ports;
  const { feed } = floor;
  const steps = changes(floor.agents, there, { at, recordedAt: ports.clock().toISOString(), timeZone });
  const agents = after(floor.agents, steps);
  const picture = { at, counts: countsOf(agents), unreadableRecords };
  const day = localDate(at, timeZone);
  const write = (from: Feed) => writeSteps(ports, { ...floor, feed: from }, steps, picture);

  const isKept = feed.poller.pendingAt === at;
  const isNew = steps.length > 0 || day !== feed.poller.day || feed.status !== 'live';
  const keeping = { feed: answered(feed, picture), at, agents, retentionDays: ports.retention.floorDays };
  const noted = { ...feed, poller: { ...feed.poller, floorKeptAt: at, day } };
  const written = isNew && !isKept ? await keepFloor(ports, keeping, () => write(noted)) : (await write(feed)).floor;
  return written && removeLeavers(ports, written);
};

/** Writes the rest of a floor that a run was cut in. It comes out as it would have then. */
export const finishPending = async (ports: Writing, floor: Floor): Promise<Floor | undefined> => {
  const { account, unreadableRecords, poller } = floor.feed;
  const at = poller.pendingAt;
  if (at === undefined) return removeLeavers(ports, floor);

  const there = await keptFloorAt(ports, account, at);
  if (there !== undefined) return writeFloor(ports, floor, { at, there, unreadableRecords });

  // The poller stood still until the floor expired: the next answer is compared with the agents as they are.
  const { pendingAt: _pending, ...rest } = poller;
  return { ...floor, feed: { ...floor.feed, poller: rest } };
};

import { batchesByWeight } from '../core/batches.ts';
import { localDate } from '../core/instant.ts';
import type { RowKey } from '../schema/versioned-rows.ts';
import { emitChangeMetrics } from '../telemetry/metrics.ts';
import { type AgentFacts, isLoggedOut } from './agent.ts';
import { type AgentsRow, agentKey, changeRows, feedChangeRow } from './agent-rows.ts';
import { type AgentChange, applyChanges, countsByState, diffAgents } from './diff-agents.ts';
import type { Feed } from './feed.ts';
import { type FloorSummary, pollAnswered } from './feed-transitions.ts';
import { type Floor, type FloorPorts, writeFeed } from './read-agents.ts';
import { readSnapshot, saveSnapshot, type WriteResult } from './snapshot.ts';

/** How many days history is kept. */
export interface Retention {
  readonly floorDays: number;
  readonly intervalDays: number;
}

/** What writing a floor takes: until when it may go on (milliseconds), and how its rows are made. */
export interface WriteContext extends FloorPorts {
  readonly retention: Retention;
  readonly timeZone: string;
  readonly untilMs: number;
}

/**
 * A transaction takes 100 rows: the feed's, one that tells of the feed, and those of the agents. It takes 4 MB, which as
 * many rows do not reach: names and skills are bounded.
 */
const maxRows = 98;

interface PlannedChange {
  readonly change: AgentChange;
  readonly puts: readonly AgentsRow[];
  readonly removes: readonly RowKey[];
}

const rowCount = ({ puts, removes }: PlannedChange): number => puts.length + removes.length;

/** Takes the steps in transactions; the last one makes the picture true. */
const writeChanges = async (
  ports: WriteContext,
  floor: Floor,
  steps: readonly AgentChange[],
  picture: FloorSummary,
): Promise<WriteResult> => {
  const { account } = floor.feed;
  const planned = steps.map(
    (step): PlannedChange => ({ change: step, ...changeRows(account, step, ports.retention.intervalDays) }),
  );
  const batches = planned.length === 0 ? [[]] : batchesByWeight(planned, maxRows, rowCount);
  const taken: AgentChange[] = [];
  let { feed } = floor;

  for (const [index, batch] of batches.entries()) {
    if (index > 0 && ports.clock().getTime() > ports.untilMs) break;

    const isLast = index === batches.length - 1;
    const next = isLast ? pollAnswered(feed, picture) : withPending(feed, picture);
    const puts = [...batch.flatMap((each) => each.puts), ...(isLast ? restorationRows(ports, floor.feed, next) : [])];
    if (!(await writeFeed(ports, next, { puts, removes: batch.flatMap(({ removes }) => removes) })))
      return { floor: undefined, isCommitted: index > 0 };

    const changes = batch.filter(({ change: step }) => step.after?.changedAt === picture.at).length;
    if (changes > 0) ports.telemetry.count('AgentsChanged', changes);
    emitChangeMetrics(ports.telemetry, changes);
    taken.push(...batch.map(({ change: step }) => step));
    feed = next;
  }
  return { floor: { feed, agents: applyChanges(floor.agents, taken) }, isCommitted: true };
};

const withPending = (feed: Feed, { at, unreadableRecords }: FloorSummary): Feed => {
  const { backOff: _backOff, ...poller } = feed.poller;
  return { ...feed, unreadableRecords, version: feed.version + 1, poller: { ...poller, pendingAt: at } };
};

const restorationRows = ({ clock, retention }: WriteContext, before: Feed, next: Feed): readonly AgentsRow[] =>
  before.status === 'interrupted' ? [feedChangeRow(before, next, clock().toISOString(), retention.intervalDays)] : [];

/** Rows of agents who have left stand for one write, by which it is told, and go with the next. */
const removeLoggedOut = async (ports: WriteContext, floor: Floor): Promise<Floor | undefined> => {
  const { account, poller } = floor.feed;
  const leavers = [...floor.agents.values()].filter(isLoggedOut);
  if (poller.pendingAt !== undefined || leavers.length === 0) return floor;

  let { feed } = floor;
  for (const batch of batchesByWeight(leavers, maxRows, () => 1)) {
    feed = { ...feed, version: feed.version + 1 };
    const removes = batch.map(({ agentId }) => agentKey(account, agentId));
    if (!(await writeFeed(ports, feed, { puts: [], removes }))) return undefined;
  }
  const gone = leavers.map(({ agentId }): AgentChange => ({ agentId, after: undefined, timeline: [] }));
  return { feed, agents: applyChanges(floor.agents, gone) };
};

/** Who was there at an instant, by an answer. */
export interface Observation {
  /** ISO instant in whole seconds: when the service was asked. */
  readonly at: string;
  readonly loggedIn: readonly AgentFacts[];
  readonly unreadableRecords: number;
}

/**
 * Brings the rows to what was seen. The whole floor is kept first, if anything is new; with the feed's next version it
 * counts as seen. Agents follow in transactions, each with the feed's row, so that every change is written once; a run
 * that is cut leaves the rest to the next one, which finds the floor `pendingAt`. Answers the floor as it is written
 * now, or undefined if somebody else has taken over.
 */
export const writeAgents = async (
  ports: WriteContext,
  floor: Floor,
  sighting: Observation,
): Promise<Floor | undefined> => {
  const { at, loggedIn, unreadableRecords } = sighting;
  const { timeZone } = ports;
  const { feed } = floor;
  const steps = diffAgents(floor.agents, loggedIn, { at, recordedAt: ports.clock().toISOString(), timeZone });
  const agents = applyChanges(floor.agents, steps);
  const picture = { at, counts: countsByState(agents), unreadableRecords };
  const day = localDate(at, timeZone);
  const write = (from: Feed) => writeChanges(ports, { ...floor, feed: from }, steps, picture);

  const isKept = feed.poller.pendingAt === at;
  const isNew = steps.length > 0 || day !== feed.poller.day || feed.status !== 'live';
  const keeping = { feed: pollAnswered(feed, picture), at, agents, retentionDays: ports.retention.floorDays };
  const noted = { ...feed, poller: { ...feed.poller, snapshotAt: at, day } };
  const written = isNew && !isKept ? await saveSnapshot(ports, keeping, () => write(noted)) : (await write(feed)).floor;
  return written && removeLoggedOut(ports, written);
};

/** Writes the rest of a floor that a run was cut in. It comes out as it would have then. */
export const finishPending = async (ports: WriteContext, floor: Floor): Promise<Floor | undefined> => {
  const { account, unreadableRecords, poller } = floor.feed;
  const at = poller.pendingAt;
  if (at === undefined) return removeLoggedOut(ports, floor);

  const there = await readSnapshot(ports, account, at);
  if (there !== undefined) return writeAgents(ports, floor, { at, loggedIn: there, unreadableRecords });

  // The poller stood still until the floor expired: the next answer is compared with the agents as they are.
  const { pendingAt: _pending, ...rest } = poller;
  return { ...floor, feed: { ...floor.feed, poller: rest } };
};

import { weighedBatches } from '../batches.ts';
import type { Feed } from '../feed/feed.ts';
import { answered, type Picture } from '../feed/settle.ts';
import { tellChanges } from '../publish/tell-changes.ts';
import { after } from './changes.ts';
import { hasLeft } from './current-agent.ts';
import { type Floor, type FloorPorts, writeFeed } from './floor.ts';
import type { Written } from './keep-floor.ts';
import { agentKey, type RowKey } from './keys.ts';
import { type AgentsRow, feedChangeRow, rowsOf } from './rows.ts';
import type { Step } from './step.ts';

/** How many days history is kept. */
export interface Retention {
  readonly floorDays: number;
  readonly intervalDays: number;
}

/** What writing a floor takes: until when it may go on (milliseconds), and how its rows are made. */
export interface Writing extends FloorPorts {
  readonly retention: Retention;
  readonly timeZone: string;
  readonly untilMs: number;
}

/**
 * A transaction takes 100 rows: the feed's, one that tells of the feed, and those of the agents. It takes 4 MB, which as
 * many rows do not reach: names and skills are bounded.
 */
const mostRows = 98;

interface Planned {
  readonly step: Step;
  readonly puts: readonly AgentsRow[];
  readonly removes: readonly RowKey[];
}

const weightOf = ({ puts, removes }: Planned): number => puts.length + removes.length;

/** Takes the steps in transactions; the last one makes the picture true. */
export const writeSteps = async (
  ports: Writing,
  floor: Floor,
  steps: readonly Step[],
  picture: Picture,
): Promise<Written> => {
  const { account } = floor.feed;
  const planned = steps.map((step): Planned => ({ step, ...rowsOf(account, step, ports.retention.intervalDays) }));
  const batches = planned.length === 0 ? [[]] : weighedBatches(planned, mostRows, weightOf);
  const taken: Step[] = [];
  let { feed } = floor;

  for (const [index, batch] of batches.entries()) {
    if (index > 0 && ports.clock().getTime() > ports.untilMs) break;

    const isLast = index === batches.length - 1;
    const next = isLast ? answered(feed, picture) : pending(feed, picture);
    const puts = [...batch.flatMap((each) => each.puts), ...(isLast ? restored(ports, floor.feed, next) : [])];
    if (!(await writeFeed(ports, next, { puts, removes: batch.flatMap(({ removes }) => removes) })))
      return { floor: undefined, counts: index > 0 };

    const changes = batch.filter(({ step }) => step.after?.changedAt === picture.at).length;
    if (changes > 0) ports.telemetry.count('AgentsChanged', changes);
    tellChanges(ports.telemetry, changes);
    taken.push(...batch.map(({ step }) => step));
    feed = next;
  }
  return { floor: { feed, agents: after(floor.agents, taken) }, counts: true };
};

const pending = (feed: Feed, { at, unreadableRecords }: Picture): Feed => {
  const { backOff: _backOff, ...poller } = feed.poller;
  return { ...feed, unreadableRecords, version: feed.version + 1, poller: { ...poller, pendingAt: at } };
};

const restored = ({ clock, retention }: Writing, before: Feed, next: Feed): readonly AgentsRow[] =>
  before.status === 'interrupted' ? [feedChangeRow(before, next, clock().toISOString(), retention.intervalDays)] : [];

/** Rows of agents who have left stand for one write, by which it is told, and go with the next. */
export const removeLeavers = async (ports: Writing, floor: Floor): Promise<Floor | undefined> => {
  const { account, poller } = floor.feed;
  const leavers = [...floor.agents.values()].filter(hasLeft);
  if (poller.pendingAt !== undefined || leavers.length === 0) return floor;

  let { feed } = floor;
  for (const batch of weighedBatches(leavers, mostRows, () => 1)) {
    feed = { ...feed, version: feed.version + 1 };
    const removes = batch.map(({ agentId }) => agentKey(account, agentId));
    if (!(await writeFeed(ports, feed, { puts: [], removes }))) return undefined;
  }
  const gone = leavers.map(({ agentId }): Step => ({ agentId, after: undefined, timeline: [] }));
  return { feed, agents: after(floor.agents, gone) };
};

import type { FloorCounts, Freshness } from '../../lib/client/index.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';

/** How many agents were in each state from a moment on: milliseconds since the epoch, whether live, and the counts. */
export type HistoryPoint = readonly [ms: number, isLive: boolean, counts: Readonly<Record<string, number>>];

/** The history of the floor, oldest first. It grows into the past until `isWhole`. */
export interface HistoryAnswer {
  readonly now: string;
  readonly points: readonly HistoryPoint[];
  readonly isWhole: boolean;
}

const historyMs = 2 * 3600_000;

/** Longer than the page's refresh: if nobody looked for so long, snapshots have to fill the gap. */
const maxGapMs = 60_000;

/** Where 1 MB of snapshots covers less than this, one of every two minutes is read instead of all. */
const [densePageMs, sampleMs] = [600_000, 120_000];

interface Known {
  points: HistoryPoint[];
  seenMs: number;
  /** Where the next portion of the past ends; undefined once the past is whole. */
  before: string | undefined;
  limit: number;
}

/** The last two hours of floors. What was seen live need not be read: the past costs one request at a time until it is whole. */
export const floorHistories = ({ clock }: Pick<ConsoleSettings, 'clock'>) => {
  const known = new Map<string, Known>();
  const isGrowing = ({ before }: Known): boolean =>
    before !== undefined && Date.parse(before) > clock().getTime() - historyMs;

  return {
    see({ account }: ShownAccount, floor: Freshness): void {
      const history = known.get(account);
      if (history === undefined || floor.freshness === 'none') return;
      const at = clock().getTime();
      if (at - history.seenMs > maxGapMs) known.delete(account);
      else if (at > history.seenMs)
        history.points = recent([...history.points, [at, floor.freshness === 'live', floor.feed.counts]], at);
      history.seenMs = at;
    },
    /** Whether somebody looks at the history, and a part of it is still to be read. */
    isGrowing({ account }: ShownAccount): boolean {
      const history = known.get(account);
      return history !== undefined && isGrowing(history);
    },
    /** Reads a portion of the past, unless it is whole: until a snapshot from before the two hours, which says how they began. */
    async readPast({ account, client }: ShownAccount): Promise<void> {
      const history = known.get(account);
      if (history === undefined || !isGrowing(history)) return;
      const { before } = history;
      const { moments, next } = await client.floorHistory({ to: before }, history.limit);
      // Another tab of the browser may have read the same portion.
      if (history.before !== before) return;
      history.points = [...moments.map(pointOf).reverse(), ...history.points];
      history.before = nextPortion(history, next);
    },
    /** What is known by now; somebody looks at it from now on. */
    of({ account }: ShownAccount): HistoryAnswer {
      const now = clock();
      const history = known.get(account) ?? {
        points: [],
        seenMs: now.getTime(),
        before: now.toISOString(),
        limit: 500,
      };
      known.set(account, history);
      history.points = recent(history.points, now.getTime());
      return { now: now.toISOString(), points: history.points, isWhole: !isGrowing(history) };
    },
  };
};

/** Samples where a portion of whole snapshots covers little time, as it does with thousands of agents. */
const nextPortion = (history: Known, next: string | undefined): string | undefined => {
  if (next === undefined) return undefined;
  const oldest = Date.parse(next);
  if (history.limit > 1 && (history.points.at(-1)?.[0] ?? oldest) - oldest < densePageMs) history.limit = 1;
  return history.limit > 1 ? next : new Date(oldest - sampleMs).toISOString();
};

const pointOf = ({ at, status, counts }: FloorCounts): HistoryPoint => [Date.parse(at), status === 'live', counts];

/** The points of the last two hours, and the one that says how they began. */
const recent = (points: readonly HistoryPoint[], nowMs: number): HistoryPoint[] => {
  const first = points.findLastIndex(([ms]) => ms < nowMs - historyMs);
  return thinned(points.slice(Math.max(0, first)));
};

/** Equal neighbours say nothing; the last of them says until when. */
const thinned = (points: readonly HistoryPoint[]): HistoryPoint[] => {
  const texts = points.map(([, ...rest]) => JSON.stringify(rest));
  return points.filter(
    (_point, index) => index === 0 || texts[index] !== texts[index - 1] || texts[index] !== texts[index + 1],
  );
};

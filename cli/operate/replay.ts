import * as z from 'zod/mini';
import { type EventType, eventTypes, guideOf } from '../../lib/contract/events.ts';
import { eventTypeOfRow } from '../../lib/publish/events-of-change.ts';
import { instant, nonEmpty } from '../../lib/storage/field.ts';
import type { KeyedRow, Row } from '../../lib/storage/rows.ts';

/** How far a replay has come: the last row that is done, in the order of reading. */
export const ReplayPosition = z.object({
  table: z.enum(['calls', 'agents']),
  key: z.optional(z.object({ pk: z.string(), sk: z.string() })),
});
export type ReplayPosition = z.infer<typeof ReplayPosition>;

export const ReplayRange = z.object({
  from: instant,
  to: instant,
  account: z.optional(nonEmpty),
  /** Events of these types only; if empty, of every type that can be replayed. */
  types: z.readonly(z.array(nonEmpty)),
});
export type ReplayRange = z.infer<typeof ReplayRange>;

/** The types of event to replay, by table. No row stores the moment of an agent's log-in, log-out or change. */
export const replayableTypes: Readonly<Record<'calls' | 'agents', readonly EventType[]>> = {
  calls: eventTypes.filter((type) => guideOf(type).replayedFrom === 'calls'),
  agents: eventTypes.filter((type) => guideOf(type).replayedFrom === 'agents'),
};

export type ReplayableRow = KeyedRow;

export interface Page {
  readonly table: ReplayPosition['table'];
  readonly rows: readonly ReplayableRow[];
  readonly read: number;
  readonly position: ReplayPosition;
}

export interface ReplayPorts {
  readonly pages: (range: ReplayRange, after: ReplayPosition | undefined) => AsyncIterable<Page>;
  /** Marks a row, so that the publisher replays its event; `skipped` if the row has a newer revision or has expired. */
  readonly markForReplay: (
    table: ReplayPosition['table'],
    row: ReplayableRow,
    replayedAt: string,
  ) => Promise<'replayed' | 'skipped'>;
  readonly pace: () => Promise<void>;
  readonly onProgress: (counts: ReplayCounts) => void;
  readonly onPosition: (position: ReplayPosition) => void;
}

export type ReplayCounts = Readonly<Record<'read' | 'replayed' | 'skipped', number>>;

export interface Replay {
  readonly range: ReplayRange;
  readonly replayedAt: string | undefined;
  readonly after: ReplayPosition | undefined;
  readonly signal: AbortSignal;
}

export type ReplayResult = ReplayCounts & { readonly stoppedAt?: ReplayPosition };

/** Marks the rows of a range, each of which makes the event of its present state. The mark of the same instant makes none. */
export const replay =
  ({ pages, markForReplay, pace, onProgress, onPosition }: ReplayPorts) =>
  async ({ range, replayedAt, after, signal }: Replay): Promise<ReplayResult> => {
    const counts = { read: 0, replayed: 0, skipped: 0 };
    const mark = async (table: ReplayPosition['table'], row: ReplayableRow) => {
      if (replayedAt === undefined) return 'replayed';
      await pace();
      return markForReplay(table, row, replayedAt);
    };

    const markPage = async ({ table, rows, position: end }: Page, begin: ReplayPosition): Promise<ReplayPosition> => {
      let position = begin;
      for (const row of rows.filter(isSelected(range))) {
        if (signal.aborted) return position;
        counts[await mark(table, row)] += 1;
        // Each account's rows in the agents' table are few and read on their own, so no row among them is a position.
        position = table === 'calls' ? { table, key: { pk: row.pk, sk: row.sk } } : { table };
        onProgress({ ...counts });
      }
      return end;
    };

    let position: ReplayPosition = after ?? { table: 'calls' };
    for await (const page of pages(range, after)) {
      position = await markPage(page, position);
      counts.read += page.read;
      onPosition(position);
      onProgress({ ...counts });
      if (signal.aborted) return { ...counts, stoppedAt: position };
    }
    return counts;
  };

const isSelected =
  ({ account, types }: ReplayRange) =>
  (row: Row): boolean => {
    const type = eventTypeOfRow(row);
    const isOfType = type !== undefined && (types.length === 0 || types.includes(type));
    return isOfType && (account === undefined || row['account'] === account);
  };

export interface PaceClock {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Spaces calls evenly. A slow second is not made up for by a burst in the next. */
export const pace = (perSecond: number, { now, pause }: PaceClock): (() => Promise<void>) => {
  const intervalMs = 1000 / perSecond;
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const wait = next - now();
    next = Math.max(next, now()) + intervalMs;
    if (wait > 0) await pause(wait);
  };
};

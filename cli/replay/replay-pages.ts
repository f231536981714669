import { setTimeout as pause } from 'node:timers/promises';
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

export interface Page {
  readonly table: ReplayPosition['table'];
  readonly rows: readonly KeyedRow[];
  readonly read: number;
  readonly position: ReplayPosition;
}

export type ReplayCounts = Readonly<Record<'read' | 'replayed' | 'skipped', number>>;

export interface Replay {
  readonly pages: AsyncIterable<Page>;
  readonly range: ReplayRange;
  readonly begin: ReplayPosition;
  /** Marks a row, so that the publisher replays its event; `skipped` if the row has a newer revision or has expired. */
  readonly mark: (table: ReplayPosition['table'], row: KeyedRow) => Promise<'replayed' | 'skipped'>;
  readonly signal: AbortSignal;
  readonly onProgress: (counts: ReplayCounts) => void;
  readonly onPosition: (position: ReplayPosition) => void;
}

/** Marks the rows of a range. Each then makes the event of its present state. The mark of the same instant makes none. */
export const runReplay = async ({
  pages,
  range,
  begin,
  mark,
  signal,
  ...report
}: Replay): Promise<ReplayCounts & { readonly stoppedAt?: ReplayPosition }> => {
  const counts = { read: 0, replayed: 0, skipped: 0 };
  let position = begin;
  for await (const { table, rows, read, position: end } of pages) {
    const selected = rows.filter(isSelected(range));
    let done = 0;
    for (const row of selected) {
      if (signal.aborted) break;
      counts[await mark(table, row)] += 1;
      done += 1;
      // Each account's rows in the agents' table are few and read on their own, so no row among them is a position.
      position = table === 'calls' ? { table, key: { pk: row.pk, sk: row.sk } } : { table };
      report.onProgress({ ...counts });
    }
    if (done === selected.length) position = end;
    counts.read += read;
    report.onPosition(position);
    report.onProgress({ ...counts });
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

/** Spaces calls evenly. A slow second is not made up for by a burst in the next. */
export const pace = (
  perSecond: number,
  now: () => number,
  wait: (milliseconds: number) => Promise<unknown> = pause,
): (() => Promise<void>) => {
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const early = next - now();
    next = Math.max(next, now()) + 1000 / perSecond;
    if (early > 0) await wait(early);
  };
};

import * as z from 'zod';
import type { RowKey } from '../agents/agent-rows.ts';
import type { EventType } from '../contract/events.ts';
import type { Facts } from '../core/objects.ts';
import { instant, text } from '../schema/field.ts';
import { feedEventTypes } from './agent-events.ts';
import { callEventType } from './call-events.ts';

/** How far a replay has come: the last row that is done with, in the order in which they are read. */
export const ReplayPosition = z.object({
  table: z.enum(['calls', 'agents']),
  key: z.object({ pk: z.string(), sk: z.string() }).optional(),
});
export type ReplayPosition = z.infer<typeof ReplayPosition>;

/** Which events are told again. */
export const ReplayRange = z.object({
  /** What was recorded from this instant on. */
  from: instant,
  /** And before this one. */
  to: instant,
  /** Of this account only. */
  account: text.optional(),
  /** Of these types only; none: of all that can be. */
  types: z.array(text).readonly(),
});
export type ReplayRange = z.infer<typeof ReplayRange>;

/** The types of event that rows of calls make. */
const callEventTypes = [callEventType('call', 1), callEventType('call', 2), callEventType('participant', 1)];

/** And those that rows about the feed make. */
const feedTypes = Object.values(feedEventTypes);

/**
 * Of which table's rows events can be told again. Those of an agent's log-in, log-out and changes tell of moments, of which
 * there is no row.
 */
export const replayableTypes: Readonly<Record<'calls' | 'agents', readonly EventType[]>> = {
  calls: callEventTypes,
  agents: feedTypes,
};

/** The event that a row makes as it stands, by its `detail-type`; undefined if it makes none. */
const eventTypeOfRow = ({ kind, revision, status }: Facts): EventType | undefined => {
  if (kind === 'call' || kind === 'participant') return callEventType(kind, Number(revision));
  return kind === 'feed-change' && (status === 'live' || status === 'interrupted') ? feedEventTypes[status] : undefined;
};

/** A row that makes an event. */
export type ReplayableRow = Facts & RowKey;

/** Some rows in the order of the reading, how many were read to find them, and where the reading stands after them. */
export interface Page {
  readonly table: ReplayPosition['table'];
  readonly rows: readonly ReplayableRow[];
  readonly read: number;
  readonly position: ReplayPosition;
}

/** What a replay needs. */
export interface ReplayPorts {
  /** The rows that were recorded in the range, from behind a place on. */
  readonly pages: (range: ReplayRange, after: ReplayPosition | undefined) => AsyncIterable<Page>;
  /** Marks a row, so that the publisher tells it again; `skipped` if it is another revision by now, or has expired. */
  readonly markForReplay: (
    table: ReplayPosition['table'],
    row: ReplayableRow,
    replayedAt: string,
  ) => Promise<'replayed' | 'skipped'>;
  /** Resolves when the next row may be told. */
  readonly pace: () => Promise<void>;
  readonly onProgress: (counts: ReplayCounts) => void;
  /** Told of each place from which the replay can go on after a crash. */
  readonly onPosition: (place: ReplayPosition) => void;
}

/** What was read, told again, and no longer there to be told. */
export interface ReplayCounts {
  readonly read: number;
  readonly replayed: number;
  readonly skipped: number;
}

/** What is asked for; without `replayedAt` rows are only counted. */
export interface Replay {
  readonly range: ReplayRange;
  readonly replayedAt: string | undefined;
  readonly after: ReplayPosition | undefined;
  readonly signal: AbortSignal;
}

/** How far it came; a place if it was stopped. */
export type ReplayResult = ReplayCounts & { readonly stoppedAt?: ReplayPosition };

/**
 * Has the events of a range told again by the rows that made them, each as it stands now. A row that is marked with the
 * same instant already makes no event, so a replay that goes on from an earlier place repeats nothing.
 */
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
      let place = begin;
      for (const row of rows.filter(isSelected(range))) {
        if (signal.aborted) return place;
        counts[await mark(table, row)] += 1;
        // Each account's part of the agents' table is read by itself, and short: within it no row is a place.
        place = table === 'calls' ? { table, key: { pk: row.pk, sk: row.sk } } : { table };
        onProgress({ ...counts });
      }
      return end;
    };

    let place: ReplayPosition = after ?? { table: 'calls' };
    for await (const page of pages(range, after)) {
      place = await markPage(page, place);
      counts.read += page.read;
      onPosition(place);
      onProgress({ ...counts });
      if (signal.aborted) return { ...counts, stoppedAt: place };
    }
    return counts;
  };

const isSelected =
  ({ account, types }: ReplayRange) =>
  (row: Facts): boolean => {
    const type = eventTypeOfRow(row);
    const isOfType = type !== undefined && (types.length === 0 || types.includes(type));
    return isOfType && (account === undefined || row['account'] === account);
  };

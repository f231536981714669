import type { RowKey } from '../floor/keys.ts';
import type { Facts } from '../record/delivery.ts';
import type { Place } from './place.ts';
import type { ReplayRange } from './replay-range.ts';
import { eventTypeOfRow } from './replayable.ts';

/** A row that makes an event. */
export type ToldRow = Facts & RowKey;

/** Some rows in the order of the reading, how many were read to find them, and where the reading stands after them. */
export interface Page {
  readonly table: Place['table'];
  readonly rows: readonly ToldRow[];
  readonly read: number;
  readonly place: Place;
}

/** What a replay needs. */
export interface ReplayPorts {
  /** The rows that were recorded in the range, from behind a place on. */
  readonly pages: (range: ReplayRange, after: Place | undefined) => AsyncIterable<Page>;
  /** Marks a row, so that the publisher tells it again; `gone` if it is another revision by now, or has expired. */
  readonly tellAgain: (table: Place['table'], row: ToldRow, replayedAt: string) => Promise<'told' | 'gone'>;
  /** Resolves when the next row may be told. */
  readonly pace: () => Promise<void>;
  readonly onProgress: (counts: ReplayCounts) => void;
  /** Told of each place from which the replay can go on after a crash. */
  readonly onPlace: (place: Place) => void;
}

/** What was read, told again, and no longer there to be told. */
export interface ReplayCounts {
  readonly read: number;
  readonly told: number;
  readonly gone: number;
}

/** What is asked for; without `replayedAt` rows are only counted. */
export interface Replay {
  readonly range: ReplayRange;
  readonly replayedAt: string | undefined;
  readonly after: Place | undefined;
  readonly signal: AbortSignal;
}

/** How far it came; a place if it was stopped. */
export type Replayed = ReplayCounts & { readonly stoppedAt?: Place };

/**
 * Has the events of a range told again by the rows that made them, each as it stands now. A row that is marked with the
 * same instant already makes no event, so a replay that goes on from an earlier place repeats nothing.
 */
export const replay =
  ({ pages, tellAgain, pace, onProgress, onPlace }: ReplayPorts) =>
  async ({ range, replayedAt, after, signal }: Replay): Promise<Replayed> => {
    const counts = { read: 0, told: 0, gone: 0 };
    const told = async (table: Place['table'], row: ToldRow) => {
      if (replayedAt === undefined) return 'told';
      await pace();
      return tellAgain(table, row, replayedAt);
    };

    const tellPage = async ({ table, rows, place: end }: Page, begin: Place): Promise<Place> => {
      let place = begin;
      for (const row of rows.filter(isWanted(range))) {
        if (signal.aborted) return place;
        counts[await told(table, row)] += 1;
        // Each account's part of the agents' table is read by itself, and short: within it no row is a place.
        place = table === 'calls' ? { table, key: { pk: row.pk, sk: row.sk } } : { table };
        onProgress({ ...counts });
      }
      return end;
    };

    let place: Place = after ?? { table: 'calls' };
    for await (const page of pages(range, after)) {
      place = await tellPage(page, place);
      counts.read += page.read;
      onPlace(place);
      onProgress({ ...counts });
      if (signal.aborted) return { ...counts, stoppedAt: place };
    }
    return counts;
  };

const isWanted =
  ({ account, types }: ReplayRange) =>
  (row: Facts): boolean => {
    const type = eventTypeOfRow(row);
    const isOfType = type !== undefined && (types.length === 0 || types.includes(type));
    return isOfType && (account === undefined || row['account'] === account);
  };

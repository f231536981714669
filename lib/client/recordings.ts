import type { Recording } from '../contract/rows.ts';
import { recordingListKey, recordingsKey } from '../recordings/recording-keys.ts';
import { allRows, byTime, portions, readRecording, type TableReader, tableKey, wholeRows } from './table-reader.ts';

export type RecordingInVain = Extract<Recording['status'], 'waiting' | 'given-up'>;

export const readRecordings = async (
  table: TableReader,
  account: string,
  callId: string,
): Promise<readonly Recording[]> =>
  (await allRows(table, { ...tableKey, partition: recordingsKey({ account, callId }) })).map(readRecording);

const portionSize = 100;

/**
 * An account's recordings that were asked for in vain, the longest first. The index lists them, and has no more than their
 * keys, so each portion takes a second request.
 */
export async function* recordingsInVain(
  table: TableReader,
  account: string,
  status: RecordingInVain,
): AsyncGenerator<Recording, void> {
  const list = { ...byTime, partition: recordingListKey(account, status), from: undefined, to: undefined };
  for await (const { rows } of portions(table, list, { limit: portionSize })) {
    const found = (await wholeRows(table, rows)).map(readRecording);
    // The index is a moment older than the rows.
    yield* found.filter((one) => one.status === status).sort((a, b) => inVainSince(a).localeCompare(inVainSince(b)));
  }
}

const inVainSince = ({ givenUpAt, waitingSince }: Recording): string => givenUpAt ?? waitingSince;

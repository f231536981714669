import { recordingListKey, recordingsKey } from '../lib/recordings/recording-keys.ts';
import { Recording } from '../lib/recordings/schema.ts';
import { textArgument, wordArgument } from './arguments.ts';
import { byTime, tableKey } from './query-keys.ts';
import { rowReader } from './read-rows.ts';
import { allRows, pages, type TableReader, wholeRows } from './table-reader.ts';

export type RecordingInVain = Extract<Recording['status'], 'waiting' | 'given-up'>;

export interface RecordingsClient {
  /**
   * What became of each recording of a call: where its object is, or why there is none. Empty where `recordings` is off, or for
   * a call from before it was switched on.
   */
  readonly recordings: (callId: string) => Promise<readonly Recording[]>;
  /**
   * The account's recordings that were asked for in vain, the longest first: those that wait for the next attempt, or those that
   * were given up. Needs the permission `dynamodb:BatchGetItem`.
   */
  readonly recordingsInVain: (status: RecordingInVain) => AsyncIterable<Recording>;
}

export const recordingsClient = (calls: TableReader, account: string): RecordingsClient => ({
  async recordings(callId) {
    const partition = recordingsKey({ account, callId: textArgument('callId', callId) });
    return (await allRows(calls, { ...tableKey, partition })).map(readRecording);
  },
  recordingsInVain: (status) => listInVain(calls, account, wordArgument('status', ['waiting', 'given-up'], status)),
});

const readRecording = rowReader('Recording', Recording);

const pageSize = 100;

/** The index has no more of recordings than their keys, so each page takes a second request. */
async function* listInVain(
  calls: TableReader,
  account: string,
  status: RecordingInVain,
): AsyncGenerator<Recording, void> {
  const list = { ...byTime, partition: recordingListKey(account, status), from: undefined, to: undefined };
  for await (const { rows } of pages(calls, list, { limit: pageSize })) {
    const found = (await wholeRows(calls, rows)).map(readRecording);
    // The index is a moment older than the rows.
    yield* found.filter((one) => one.status === status).sort((a, b) => inVainSince(a).localeCompare(inVainSince(b)));
  }
}

const inVainSince = ({ givenUpAt, waitingSince }: Recording): string => givenUpAt ?? waitingSince;

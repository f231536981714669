import { erased, partitionKey, pseudonymForm } from '../calls/call-keys.ts';
import { contentHash } from '../core/encoding.ts';
import { joinedKey, type Row, type RowKey } from '../storage/rows.ts';
import type { RecordingMessage, RecordingStatus } from './schema.ts';

/** The partition of a call's recordings. It is not the call's, so that whoever reads a call reads what they always read. */
export const recordingsKey = ({ account, callId }: RecordingMessage): string =>
  `${partitionKey(account, callId)}#recordings`;

/** Names a recording by its URL, as it stands in the row of its call or participant. */
export const recordingIdOf = (url: string): string => contentHash(url);

/** The key of a recording's row. */
export const recordingKey = (call: RecordingMessage, recordingId: string): RowKey => ({
  pk: recordingsKey(call),
  sk: recordingId,
});

/**
 * The partition, in the index `byTime`, that lists an account's recordings which were asked for in vain. No call has such a
 * key. `listedAt` is when they began to wait, or were given up. Archived recordings are in no list.
 */
export const recordingListKey = (account: string, status: Extract<RecordingStatus, 'waiting' | 'given-up'>): string =>
  joinedKey(account, 'recordings', status);

/** The lists of recordings in the rows of calls and of participants. */
const recordingFields = ['recordings', 'conferenceRecordings'] as const;

/** Erased, or changed where it had an agent's id or name: it leads nowhere. */
const isErased = (url: string): boolean => url === erased || pseudonymWithin.test(url);

const pseudonymWithin = new RegExp(String.raw`(?<![\p{L}\p{N}])${pseudonymForm}(?![\p{L}\p{N}])`, 'u');

/** The recordings in the rows of a call and its participants: each URL with the first row that has it. What was erased is none. */
export const rowsByUrl = (rows: readonly Row[]): ReadonlyMap<string, Row> => {
  const found = new Map<string, Row>();
  for (const row of rows)
    for (const url of recordingFields.flatMap((field) => row[field] ?? []).map(String))
      if (!isErased(url) && !found.has(url)) found.set(url, row);
  return found;
};

/** Their URLs, each once. */
export const recordingUrls = (rows: readonly Row[]): readonly string[] => [...rowsByUrl(rows).keys()];

/** Whether a person's recordings were erased from one of these rows. */
export const hasErasedRecordings = (rows: readonly Row[]): boolean =>
  rows.some((row) => recordingFields.some((field) => [row[field]].flat().includes(erased)));

/** The day in UTC on which a call started, or else ended, or else was received. */
export const dayOf = (call: Row): string =>
  String(call['startedAt'] ?? call['endedAt'] ?? call['firstReceivedAt']).slice(0, 10);

/** The key of a recording's object. It is decided once, when the recording's row is written first. */
export const objectKeyOf = ({ account, callId }: RecordingMessage, day: string, recordingId: string): string =>
  [encodeURIComponent(account), day, encodeURIComponent(callId), recordingId].join('/');

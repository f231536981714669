import * as z from 'zod/mini';
import { erased, partitionKey, pseudonymForm } from '../calls/call-keys.ts';
import { contentHash } from '../core/encoding.ts';
import { joinedKey, type Row, type RowKey, readRow, storedWord } from '../storage/rows.ts';
import { withoutSignature } from '../telephony/signed-links.ts';
import {
  Recording,
  type RecordingMessage,
  type RecordingNote,
  type RecordingProblem,
  type RecordingStatus,
} from './schema.ts';

/** The partition of a call's recordings. It is not the call's, so that whoever reads a call reads what they always read. */
export const recordingsKey = ({ account, callId }: RecordingMessage): string =>
  `${partitionKey(account, callId)}#recordings`;

/** Names a recording by its URL, as it stands in the row of its call or participant, without a signature. */
export const recordingIdOf = (url: string): string => linkIdOf(withoutSignature(url));

export const linkIdOf = (url: string): string => contentHash(url);

export const recordingKey = (call: RecordingMessage, recordingId: string): RowKey => ({
  pk: recordingsKey(call),
  sk: recordingId,
});

/** In the index `byTime`: recordings asked for in vain. `listedAt` is when they began to wait, or were given up. */
export const recordingListKey = (account: string, status: Extract<RecordingStatus, 'waiting' | 'given-up'>): string =>
  joinedKey(account, 'recordings', status);

const recordingFields = ['recordings', 'conferenceRecordings'] as const;

/** Erased, or changed where it had an agent's id or name: it leads nowhere. */
const isErased = (url: string): boolean => url === erased || pseudonymWithin.test(url);

const pseudonymWithin = new RegExp(String.raw`(?<![\p{L}\p{N}])${pseudonymForm}(?![\p{L}\p{N}])`, 'u');

export interface NamedRecording {
  readonly url: string;
  readonly row: Row;
  readonly recordingId: string;
}

/** The recordings in the rows of a call and its participants, each once. What was erased is none. */
export const namedRecordings = (rows: readonly Row[]): readonly NamedRecording[] => {
  const found = new Map<string, NamedRecording>();
  for (const row of rows)
    for (const url of recordingFields.flatMap((field) => row[field] ?? []).map(String)) {
      const recordingId = recordingIdOf(url);
      if (!isErased(url) && !found.has(recordingId)) found.set(recordingId, { url, row, recordingId });
    }
  return [...found.values()];
};

export const hasErasedRecordings = (rows: readonly Row[]): boolean =>
  rows.some((row) => recordingFields.some((field) => [row[field]].flat().includes(erased)));

/** The day in UTC of a call's place in the lists. A participant has no place there: the day of its start, end or receipt. */
export const dayOf = ({ listedAt, startedAt, endedAt, firstReceivedAt }: Row): string =>
  String(listedAt ?? startedAt ?? endedAt ?? firstReceivedAt).slice(0, 10);

/** The key of a recording's object. It is decided once, when the recording's row is written first. */
export const objectKeyOf = ({ account, callId }: RecordingMessage, day: string, recordingId: string): string =>
  [encodeSegment(account), day, encodeSegment(callId), recordingId].join('/');

/** As one segment of a key. A segment of dots would lead elsewhere in programs that take a key for a path. */
const encodeSegment = (text: string): string =>
  /^\.+$/.test(text) ? text.replaceAll('.', '%2E') : encodeURIComponent(text);

const StoredFields = z.extend(Recording, {
  status: storedWord<RecordingStatus>(),
  problem: z.optional(storedWord<RecordingProblem>()),
  note: z.optional(storedWord<RecordingNote>()),
});

export const recordingOf = (row: Row): Recording => readRow(StoredFields, row);

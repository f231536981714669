import {
  archived,
  asked,
  erasedRecording,
  failed,
  givenUp,
  newRecording,
  recordingRow,
} from '../../functions/archive-recordings/recording-row.ts';
import type { RowChange } from '../../lib/publish/events-of-change.ts';

/** The row of a call, as far as its recording needs it. */
export const recordedCall = {
  kind: 'call',
  account: 'demo',
  callId: '41781234567890123',
  startedAt: '2026-11-20T05:30:00.000Z',
  recordings: ['https://recordings.example.com/demo/1.mp3'],
  expiresAt: 1_858_000_000,
};

const [first, second, third] = ['2026-11-20T06:00:00.000Z', '2026-11-20T06:00:01.000Z', '2026-11-20T06:01:00.000Z'];

const [url = ''] = recordedCall.recordings;

const waiting = asked(newRecording(recordedCall, url, recordedCall, first), first, second);

/** The object of an archived recording. */
export const recordedObject = {
  bucket: 'recordings',
  contentType: 'audio/mpeg',
  sizeBytes: 3,
  sha256: 'ab'.repeat(32),
};

/** A recording in each of its states. */
export const recordingStates = {
  waiting,
  failed: failed(waiting, 'not-found', second, third),
  givenUp: givenUp(waiting, 'other-host', second),
  archived: archived(waiting, recordedObject, second),
  erased: erasedRecording(waiting, second),
};

/** The change of a recording's row that makes its event. */
export const archivingChange: RowChange = {
  sequence: '1',
  before: recordingRow(recordingStates.waiting),
  after: recordingRow(recordingStates.archived),
};

import { withoutUndefined } from '../../lib/core/collections.ts';
import {
  dayOf,
  linkIdOf,
  objectKeyOf,
  recordingIdOf,
  recordingKey,
  recordingListKey,
  recordingOf,
} from '../../lib/recordings/recording-keys.ts';
import {
  type ArchivedRecording,
  passingProblems,
  type Recording,
  type RecordingMessage,
  type RecordingProblem,
  recordingKind,
} from '../../lib/recordings/schema.ts';
import type { Row, VersionedRow } from '../../lib/storage/rows.ts';

export interface StoredRecording {
  readonly recording: Recording;
  readonly version: number;
  /** With the row of its call, in seconds since the epoch. */
  readonly expiresAt: number;
}

/** The row of a recording. One that was asked for in vain is listed, so that an operator finds it. */
export const recordingRow = ({ recording, version, expiresAt }: StoredRecording): VersionedRow => {
  const { account, recordingId, status, problem, waitingSince, givenUpAt } = recording;
  const isListed = (status === 'waiting' || status === 'given-up') && problem !== undefined;
  return {
    ...recordingKey(recording, recordingId),
    kind: recordingKind,
    ...recording,
    ...(isListed && { accountCalls: recordingListKey(account, status), listedAt: givenUpAt ?? waitingSince }),
    version,
    expiresAt,
  };
};

export const storedRecordingOf = (row: Row): StoredRecording => ({
  recording: recordingOf(row),
  version: Number(row['version']),
  expiresAt: Number(row['expiresAt']),
});

/** The next state of a recording: its identity and these fields, without what another state had. */
const next = (
  { recording, version, expiresAt }: StoredRecording,
  state: Pick<Recording, 'status'> & { readonly [Field in keyof Recording]?: Recording[Field] | undefined },
  recordedAt: string,
): StoredRecording => {
  const { account, callId, recordingId, linkId, objectKey, waitingSince, attempts } = recording;
  const identity = { account, callId, recordingId, linkId, objectKey, waitingSince, attempts };
  return { recording: withoutUndefined({ ...identity, ...state, recordedAt }), version: version + 1, expiresAt };
};

/** A recording that nothing is known of yet. It has no row: the first version is written when it is asked for. */
export const newRecording = (call: RecordingMessage, url: string, callRow: Row, now: string): StoredRecording => {
  const { account, callId } = call;
  const [recordingId, linkId] = [recordingIdOf(url), linkIdOf(url)];
  const objectKey = objectKeyOf(call, dayOf(callRow), recordingId);
  return {
    recording: {
      account,
      callId,
      recordingId,
      objectKey,
      ...(linkId !== recordingId && { linkId }),
      status: 'waiting',
      waitingSince: now,
      attempts: 0,
      askAgainAt: now,
      recordedAt: now,
    },
    version: 0,
    expiresAt: Number(callRow['expiresAt']),
  };
};

/** With its present link. One signed again is asked for at once, unless it was given up for a lasting reason. */
export const asLinked = (stored: StoredRecording, url: string, now: string): StoredRecording => {
  const { status, problem = 'timeout', recordingId, linkId = recordingId } = stored.recording;
  const isOpen = status === 'waiting' || (status === 'given-up' && Object.hasOwn(passingProblems, problem));
  if (!isOpen || linkId === linkIdOf(url)) return stored;
  return { ...stored, recording: { ...requestedAgain(stored, now).recording, linkId: linkIdOf(url) } };
};

/** A recording that is about to be asked for: noted before the request. Nobody else asks until `askAgainAt`. */
export const asked = (stored: StoredRecording, now: string, askAgainAt: string): StoredRecording => {
  const { attempts, problem } = stored.recording;
  return next(stored, { status: 'waiting', attempts: attempts + 1, askAgainAt, problem }, now);
};

export const failed = (
  stored: StoredRecording,
  problem: RecordingProblem,
  now: string,
  askAgainAt: string,
): StoredRecording => next(stored, { status: 'waiting', problem, askAgainAt }, now);

export const givenUp = (stored: StoredRecording, problem: RecordingProblem, now: string): StoredRecording =>
  next(stored, { status: 'given-up', problem, givenUpAt: now }, now);

/** Put it before you delete the object: a run about to write that will see. It keeps the bucket in case of a crash. */
export const erasedRecording = (stored: StoredRecording, now: string): StoredRecording =>
  next(stored, { status: 'erased', bucket: stored.recording.bucket, erasedAt: now }, now);

export type RecordingObject = Omit<ArchivedRecording, 'recordingId' | 'objectKey' | 'archivedAt'>;

export const archived = (stored: StoredRecording, object: RecordingObject, now: string): StoredRecording =>
  next(stored, { status: 'archived', ...object, archivedAt: now }, now);

/** For an operator: it waits as if new, and stays listed. Put the row, then send its call to the queue. */
export const requestedAgain = (stored: StoredRecording, now: string): StoredRecording => {
  const { problem } = stored.recording;
  return next(stored, { status: 'waiting', waitingSince: now, attempts: 0, askAgainAt: now, problem }, now);
};

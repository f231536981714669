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

/** A recording with what else its row has. `expiresAt` is its call's, in seconds since the epoch. */
export type StoredRecording = Recording & { readonly version: number; readonly expiresAt: number };

/** The row of a recording. One that was asked for in vain is listed, so that an operator finds it. */
export const recordingRow = (stored: StoredRecording): VersionedRow => {
  const { account, recordingId, status, problem, waitingSince, givenUpAt } = stored;
  const isListed = (status === 'waiting' || status === 'given-up') && problem !== undefined;
  return {
    ...recordingKey(stored, recordingId),
    kind: recordingKind,
    ...stored,
    ...(isListed && { accountCalls: recordingListKey(account, status), listedAt: givenUpAt ?? waitingSince }),
  };
};

export const storedRecordingOf = (row: Row): StoredRecording => ({
  ...recordingOf(row),
  version: Number(row['version']),
  expiresAt: Number(row['expiresAt']),
});

/** The next state of a recording: its identity and these fields, without what another state had. */
const next = (
  stored: StoredRecording,
  state: Pick<Recording, 'status'> & { readonly [Field in keyof Recording]?: Recording[Field] | undefined },
  recordedAt: string,
): StoredRecording => {
  const { account, callId, recordingId, linkId, objectKey, waitingSince, attempts, expiresAt, version } = stored;
  const identity = { account, callId, recordingId, linkId, objectKey, waitingSince, attempts, expiresAt };
  return withoutUndefined({ ...identity, ...state, recordedAt, version: version + 1 });
};

/** A recording that nothing is known of yet. It has no row: the first version is written when it is asked for. */
export const newRecording = (call: RecordingMessage, url: string, callRow: Row, now: string): StoredRecording => {
  const { account, callId } = call;
  const recordingId = recordingIdOf(url);
  const linkId = linkIdOf(url);
  return {
    account,
    callId,
    recordingId,
    ...(linkId !== recordingId && { linkId }),
    objectKey: objectKeyOf(call, dayOf(callRow), recordingId),
    status: 'waiting',
    waitingSince: now,
    attempts: 0,
    askAgainAt: now,
    recordedAt: now,
    version: 0,
    expiresAt: Number(callRow['expiresAt']),
  };
};

/** With its present link. One signed again is asked for at once, unless it was given up for a lasting reason. */
export const asLinked = (stored: StoredRecording, url: string, now: string): StoredRecording => {
  const { status, problem = 'timeout', recordingId, linkId = recordingId } = stored;
  const isOpen = status === 'waiting' || (status === 'given-up' && Object.hasOwn(passingProblems, problem));
  if (!isOpen || linkId === linkIdOf(url)) return stored;
  return { ...requestedAgain(stored, now), version: stored.version, linkId: linkIdOf(url) };
};

/** A recording that is about to be asked for: noted before the request. Nobody else asks until `askAgainAt`. */
export const asked = (stored: StoredRecording, now: string, askAgainAt: string): StoredRecording =>
  next(stored, { status: 'waiting', attempts: stored.attempts + 1, askAgainAt, problem: stored.problem }, now);

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
  next(stored, { status: 'erased', bucket: stored.bucket, erasedAt: now }, now);

export type RecordingObject = Omit<ArchivedRecording, 'recordingId' | 'objectKey' | 'archivedAt'>;

export const archived = (stored: StoredRecording, object: RecordingObject, now: string): StoredRecording =>
  next(stored, { status: 'archived', ...object, archivedAt: now }, now);

/** For an operator: it waits as if new, and stays listed. Put the row, then send its call to the queue. */
export const requestedAgain = (stored: StoredRecording, now: string): StoredRecording => {
  const anew = { status: 'waiting', waitingSince: now, attempts: 0, askAgainAt: now } as const;
  return next(stored, { ...anew, problem: stored.problem }, now);
};

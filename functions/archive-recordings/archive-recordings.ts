import { partitionKey } from '../../lib/calls/call-keys.ts';
import { fail, loggableError, ok, type Result } from '../../lib/core/result.ts';
import type { Clock } from '../../lib/core/time.ts';
import { hasErasedRecordings, namedRecordings, recordingsKey } from '../../lib/recordings/recording-keys.ts';
import {
  passingProblems,
  type Recording,
  type RecordingMessage,
  type RecordingProblem,
  textOfProblem,
} from '../../lib/recordings/schema.ts';
import type { PutResult, Row, VersionedRow } from '../../lib/storage/rows.ts';
import { counter, gauge, type Telemetry } from '../../lib/telemetry/metrics.ts';
import { maxRecordings } from '../../lib/telephony/recording-links.ts';
import {
  archived,
  asked,
  asLinked,
  erasedRecording,
  failed,
  givenUp,
  newRecording,
  type RecordingObject,
  recordingRow,
  type StoredRecording,
  storedRecordingOf,
} from './recording-row.ts';

type DeadLetter = Pick<Recording, 'account' | 'callId' | 'recordingId' | 'waitingSince' | 'attempts'> & {
  readonly problem: RecordingProblem;
  readonly why: string;
};

/** The bucket of recordings. Each method may be repeated. */
export interface RecordingBucket {
  /** Copies a recording from its host into the bucket, unless the object exists. Answers what is there then. */
  copy(url: string, objectKey: string): Promise<Result<RecordingObject, RecordingProblem>>;
  existing(objectKey: string): Promise<RecordingObject | undefined>;
  remove(objectKey: string): Promise<void>;
}

export interface ArchivePorts {
  readonly bucket: RecordingBucket;
  readonly query: (pk: string) => Promise<readonly Row[]>;
  readonly put: (row: VersionedRow) => Promise<PutResult>;
  readonly sendDeadLetter: (letter: DeadLetter) => Promise<void>;
  readonly hasTime: () => boolean;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** How long a run may take with a recording, in milliseconds: nobody else asks meanwhile. At least the function's time-out. */
export const leaseMs = 15 * 60_000;

const firstPauseMs = 60_000;

/** How long a recording waits after so many attempts: twice as long after each, up to four hours. */
export const pauseMs = (attempts: number): number => Math.min(4 * 3_600_000, firstPauseMs * 2 ** (attempts - 1));

export const patienceMs = 2 * 86_400_000;

/** Receives before a dead letter: the most that SQS allows. Every pause takes one, for all recordings of a call. */
export const maxRecordingReceives = 1_000;

const later = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();

/**
 * Archives what is there of a call's recordings. Answers when to look again, or undefined if nothing is left to do.
 * A repeat leads to the same: each object has one key and is written only if there is none; its row has the last word.
 */
export const archiveRecordings =
  (ports: ArchivePorts) =>
  async (call: RecordingMessage): Promise<string | undefined> => {
    const readCall = () => ports.query(partitionKey(call.account, call.callId));
    const readRecordings = async () => (await ports.query(recordingsKey(call))).map(storedRecordingOf);
    // The recordings first. A call only gets more of them, so it names each whose row was read, unless that was erased.
    const stored = await readRecordings();
    const rows = await readCall();
    const known = new Map(stored.map((one) => [one.recordingId, one]));

    const times: (string | undefined)[] = [];
    for (const [index, { url, row, recordingId }] of namedRecordings(rows).entries()) {
      const now = ports.clock().toISOString();
      const before = known.get(recordingId);
      if (before === undefined && index >= maxRecordings) continue;
      const recording = before === undefined ? newRecording(call, url, row, now) : asLinked(before, url, now);
      times.push(await archiveOne(ports, recording, url));
    }
    await leaveUnnamed(ports, stored, rows);
    // A person may have been erased meanwhile. Whoever erases reads these rows after the call's, and this does the reverse:
    // one of the two sees what the other wrote.
    if (times.length > 0 && hasErasedRecordings(await readCall()))
      await leaveUnnamed(ports, await readRecordings(), await readCall());
    return times.sort()[0];
  };

/** Erases the recordings that their call names no more, if that was for a person's sake; or else stops waiting for them. */
const leaveUnnamed = async (
  ports: ArchivePorts,
  stored: readonly StoredRecording[],
  rows: readonly Row[],
): Promise<void> => {
  const named = new Set(namedRecordings(rows).map(({ recordingId }) => recordingId));
  const isErased = hasErasedRecordings(rows);
  const now = ports.clock().toISOString();
  for (const one of stored.filter(({ recordingId }) => !named.has(recordingId))) {
    const { status, objectKey } = one;
    if (isErased && status !== 'erased') await ports.put(recordingRow(erasedRecording(one, now)));
    if (isErased) await ports.bucket.remove(objectKey);
    else if (status === 'waiting') await ports.put(recordingRow(givenUp(one, 'not-named', now)));
  }
};

/** Archives one recording. Answers when it may be asked for again, or undefined if its row says what became of it. */
const archiveOne = async (ports: ArchivePorts, stored: StoredRecording, url: string): Promise<string | undefined> => {
  const { bucket, put, clock, hasTime } = ports;
  const { status, askAgainAt = '', waitingSince, problem = 'timeout', objectKey } = stored;
  const now = clock().toISOString();
  if (status !== 'waiting') return undefined;
  if (askAgainAt > now) return askAgainAt;
  if (!hasTime()) return now;
  // The last attempt was killed before it could write so, perhaps after it wrote the object.
  if (askAgainAt > later(waitingSince, patienceMs)) {
    const left = await bucket.existing(objectKey);
    return left === undefined ? giveUp(ports, stored, problem) : noteArchived(ports, stored, left);
  }

  // Noted before it is asked for: of two runs at once, one asks.
  const noted = asked(stored, now, later(now, leaseMs));
  const { kind } = await put(recordingRow(noted));
  if (kind !== 'written') return later(now, firstPauseMs);

  const result = await copyOrFind(ports, noted, url);
  return result.ok ? noteArchived(ports, noted, result.value) : noteFailed(ports, noted, result.problem);
};

/** Copies a recording, unless it is there: an earlier attempt may have been killed after it wrote the object. */
const copyOrFind = async (
  { bucket, telemetry }: ArchivePorts,
  { attempts, objectKey }: StoredRecording,
  url: string,
): Promise<Result<RecordingObject, RecordingProblem>> => {
  try {
    const found = attempts > 1 ? await bucket.existing(objectKey) : undefined;
    return found === undefined ? await bucket.copy(url, objectKey) : ok(found);
  } catch (error) {
    telemetry.fault('recordings', error);
    return fail('not-stored');
  }
};

/** Notes that the object is there. Another run may have changed the row; then the object counts more, unless it was erased. */
const noteArchived = async (
  ports: ArchivePorts,
  noted: StoredRecording,
  object: RecordingObject,
): Promise<string | undefined> => {
  const { put, bucket, clock, telemetry } = ports;
  const written = await put(recordingRow(archived(noted, object, clock().toISOString())));
  if (written.kind !== 'conflict') countAttempts(telemetry, { archived: 1 });
  else if (written.row === undefined || written.row['status'] === 'erased') await bucket.remove(noted.objectKey);
  else if (written.row['status'] !== 'archived') return noteArchived(ports, storedRecordingOf(written.row), object);
  return undefined;
};

/** Notes that a recording was asked for in vain, and gives it up if that would not change, or has lasted too long. */
const noteFailed = async (
  ports: ArchivePorts,
  noted: StoredRecording,
  problem: RecordingProblem,
): Promise<string | undefined> => {
  const { put, clock, telemetry } = ports;
  const now = clock().toISOString();
  const lastAt = later(noted.waitingSince, patienceMs);
  countAttempts(telemetry, { failed: 1 });
  if (!Object.hasOwn(passingProblems, problem) || now >= lastAt) return giveUp(ports, noted, problem);

  const next = later(now, pauseMs(noted.attempts));
  const askAgainAt = next < lastAt ? next : lastAt;
  await put(recordingRow(failed(noted, problem, now, askAgainAt)));
  return askAgainAt;
};

export const recordingMetrics = {
  archived: counter('RecordingsArchived'),
  failed: counter('RecordingsFailed'),
  /** How long a message waited in the queue for its first attempt. */
  delay: gauge('RecordingsDelaySeconds'),
};

/** Counts both, always: an alarm compares them, and CloudWatch needs a value of each. */
const countAttempts = (telemetry: Telemetry, { archived = 0, failed = 0 }): void => {
  telemetry.count(recordingMetrics.archived, archived);
  telemetry.count(recordingMetrics.failed, failed);
};

/** Gives a recording up. The dead letter comes first: if this is killed in between, it is sent again. */
const giveUp = async (
  { sendDeadLetter, put, clock, telemetry }: ArchivePorts,
  stored: StoredRecording,
  problem: RecordingProblem,
): Promise<undefined> => {
  const { account, callId, recordingId, waitingSince, attempts } = stored;
  const why = textOfProblem(problem);
  await sendDeadLetter({ account, callId, recordingId, problem, why, waitingSince, attempts });
  await put(recordingRow(givenUp(stored, problem, clock().toISOString())));
  telemetry.fault('recordings', loggableError(`A recording was given up. ${problem}: ${why}`));
};

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import {
  erasedRecording,
  recordingRow,
  requestedAgain,
  type StoredRecording,
  storedRecordingOf,
} from '../../functions/archive-recordings/recording-row.ts';
import { recordingsKey } from '../../lib/recordings/recording-keys.ts';
import { type Recording, type RecordingMessage, recordingType } from '../../lib/recordings/schema.ts';
import type { Deployment } from '../frame/deployment.ts';
import { Problem } from '../frame/problem.ts';
import { type DeployedTables, rowsOfPartition, storeDeadline } from '../frame/rows.ts';

export const recordingsOf = ({ recordings, s3 }: Pick<Deployment, 'recordings' | 's3'>) => {
  if (recordings === undefined) throw new Problem('This deployment archives no recordings: set recordings to archive.');
  return { ...recordings, s3 };
};

type Bucket = Pick<Deployment, 's3'>;

export type ArchivedObject = Recording & Required<Pick<Recording, 'bucket' | 'contentType' | 'sizeBytes' | 'sha256'>>;

export const isArchived = (recording: Recording): recording is ArchivedObject => recording.status === 'archived';

export const sinceOf = ({ erasedAt, archivedAt, givenUpAt, waitingSince }: Recording): string =>
  erasedAt ?? archivedAt ?? givenUpAt ?? waitingSince;

/** A link is for whoever asked, at once: it opens without credentials. */
export const linkSeconds = 300;

const objectOf = ({ bucket, objectKey }: ArchivedObject) => ({ Bucket: bucket, Key: objectKey });

/** A link that saves a recording. It names the type and that it is an attachment, as objects of former versions have neither. */
export const linkTo = ({ s3 }: Bucket, recording: ArchivedObject): Promise<string> => {
  const type = recordingType(recording.contentType);
  const safe = { ResponseContentType: type, ResponseContentDisposition: 'attachment' };
  return getSignedUrl(s3, new GetObjectCommand({ ...objectOf(recording), ...safe }), { expiresIn: linkSeconds });
};

export const readObject = async ({ s3 }: Bucket, recording: ArchivedObject, Range?: string | undefined) => {
  const { Body, ...about } = await s3.send(new GetObjectCommand({ ...objectOf(recording), Range }));
  if (!(Body instanceof Readable)) throw new Problem('S3 sent no recording.');
  return { ...about, Body };
};

/** Saves a recording. A file that was not written to its end has another name, and is removed. */
export const saveObject = async (bucket: Bucket, recording: ArchivedObject, file: string): Promise<void> => {
  const { Body } = await readObject(bucket, recording).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'NoSuchKey')) throw error;
    throw new Problem(
      `The object is no longer in the bucket: it was archived ${recording.archivedAt}, and recordingRetentionDays is over.`,
    );
  });
  const part = `${file}.part`;
  try {
    await pipeline(Body, createWriteStream(part, { mode: 0o600 }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof Error && 'syscall' in error) throw new Problem(`${file} cannot be written.`);
    throw error;
  }
};

const storedRecordings = async (
  deployment: DeployedTables,
  call: RecordingMessage,
): Promise<readonly StoredRecording[]> =>
  (await rowsOfPartition(deployment, recordingsKey(call))).map(storedRecordingOf);

/** Writes a changed recording, unless somebody else has changed it meanwhile. */
const putRecording = async ({ dynamodb, tables }: DeployedTables, changed: StoredRecording): Promise<boolean> => {
  const rows = dynamoVersionedRows(dynamodb, tables.calls);
  const { kind } = await rows.putNextVersion(recordingRow(changed), { puts: [], removes: [] }, storeDeadline());
  if (kind === 'rejected') throw new Error('The table rejects the row as it would be.');
  return kind === 'written';
};

/** Lets the recordings of a call that were given up wait again, as if they were new. Resolves with how many. */
export const retryRecordings = async (
  deployment: DeployedTables,
  call: RecordingMessage,
  now: string,
): Promise<number> => {
  let count = 0;
  for (const stored of await storedRecordings(deployment, call))
    if (stored.status === 'given-up' && (await putRecording(deployment, requestedAgain(stored, now)))) count += 1;
  return count;
};

type Store = DeployedTables & Pick<Deployment, 's3' | 'recordings'>;

const isLeft = ({ status }: StoredRecording): boolean => status !== 'erased';

export const countRecordings = async (store: Store, call: RecordingMessage): Promise<number> =>
  (await storedRecordings(store, call)).filter(isLeft).length;

/** Deletes an object, which is gone as well where its bucket is. */
const deleteObject = async ({ s3 }: Bucket, object: { readonly Bucket: string; readonly Key: string }) => {
  try {
    await s3.send(new DeleteObjectCommand(object));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'NoSuchBucket')) throw error;
  }
};

/** Erases a call's recordings, and counts the rows. A row goes first, so that a run that is about to write its object sees it. */
export const eraseRecordings = async (store: Store, call: RecordingMessage, now: () => Date): Promise<number> => {
  let count = 0;
  let conflicts = 0;
  for (const stored of await storedRecordings(store, call)) {
    if (isLeft(stored)) {
      if (!(await putRecording(store, erasedRecording(stored, now().toISOString())))) {
        conflicts += 1;
        continue;
      }
      count += 1;
    }
    const { objectKey: Key, bucket: Bucket = store.recordings?.bucket } = stored;
    if (Bucket !== undefined) await deleteObject(store, { Bucket, Key });
  }
  return conflicts === 0 ? count : count + (await eraseRecordings(store, call, now));
};

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, type GetObjectCommandOutput, HeadObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Recording } from '../../lib/contract/rows.ts';
import type { Deployment } from '../connection/deployment.ts';
import { Problem } from '../problem.ts';

/** The bucket of recordings, and a client for it. */
export type Recordings = NonNullable<Deployment['recordings']>;

/** Where recordings are archived. Throws a Problem where they are not. */
export const recordingsOf = ({ recordings }: Pick<Deployment, 'recordings'>): Recordings => {
  if (recordings === undefined) throw new Problem('This deployment archives no recordings: set recordings to archive.');
  return recordings;
};

/** A recording in the bucket. */
export type ArchivedObject = Recording & Required<Pick<Recording, 'bucket' | 'contentType' | 'sizeBytes' | 'sha256'>>;

/** Whether a recording is in the bucket. */
export const isArchived = (recording: Recording): recording is ArchivedObject => recording.status === 'archived';

/** Since when a recording is what it is. */
export const sinceOf = ({ erasedAt, archivedAt, givenUpAt, waitingSince }: Recording): string =>
  erasedAt ?? archivedAt ?? givenUpAt ?? waitingSince;

/** A link is for whoever asked, at once: it opens without credentials. */
export const linkSeconds = 300;

const objectOf = ({ bucket, objectKey }: ArchivedObject) => ({ Bucket: bucket, Key: objectKey });

/** A link to a recording that works for five minutes. No request is made; the credentials need `s3:GetObject`. */
export const linkTo = ({ s3 }: Recordings, recording: ArchivedObject): Promise<string> =>
  getSignedUrl(s3, new GetObjectCommand(objectOf(recording)), { expiresIn: linkSeconds });

/** A recording as a stream, or a part of it, as a player asks for. */
export const readObject = (
  { s3 }: Recordings,
  recording: ArchivedObject,
  range?: string | undefined,
): Promise<GetObjectCommandOutput> => s3.send(new GetObjectCommand({ ...objectOf(recording), Range: range }));

/** Whether the object of a recording is there, with the size that its row says. */
export const isInBucket = async ({ s3 }: Recordings, recording: ArchivedObject): Promise<boolean> => {
  try {
    const { ContentLength } = await s3.send(new HeadObjectCommand(objectOf(recording)));
    return ContentLength === recording.sizeBytes;
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFound') return false;
    throw error;
  }
};

/** Saves a recording. A file that was not written to its end has another name, and is removed. */
export const saveObject = async (recordings: Recordings, recording: ArchivedObject, file: string): Promise<void> => {
  const { Body } = await readObject(recordings, recording).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'NoSuchKey') throw expired(recording);
    throw error;
  });
  const part = `${file}.part`;
  try {
    if (!(Body instanceof Readable)) throw new Problem('S3 sent no recording.');
    await pipeline(Body, createWriteStream(part, { mode: 0o600 }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof Error && 'syscall' in error) throw new Problem(`${file} cannot be written.`);
    throw error;
  }
};

const expired = ({ archivedAt }: Recording): Problem =>
  new Problem(
    `The object is no longer in the bucket: it was archived ${archivedAt}, and recordingRetentionDays is over.`,
  );

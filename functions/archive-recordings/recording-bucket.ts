import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { fail, ok } from '../../lib/core/result.ts';
import { isRecordingNote, type RecordingNote } from '../../lib/recordings/schema.ts';
import { HttpFault } from '../adapters/http-client.ts';
import type { RecordingBucket } from './archive-recordings.ts';
import { type FetchRecording, recordingProblem } from './fetch-recording.ts';
import type { RecordingObject } from './recording-row.ts';

/** Parts of a large recording are in memory until they are sent: two at once. A smaller one is sent whole. */
const partSize = 8 * 1024 * 1024;
const queueSize = 2;

/** The bucket of recordings. An object is written whole or not at all, and only if there is none. */
export const recordingBucket = (client: S3Client, bucket: string, fetchRecording: FetchRecording): RecordingBucket => {
  const described = (contentType: string, note: RecordingNote | undefined, measured: Measured): RecordingObject =>
    withoutUndefined({ bucket, contentType, note, ...measured.result() });

  const existing = async (objectKey: string): Promise<RecordingObject | undefined> => {
    try {
      const { Body, ContentType, Metadata } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: objectKey }),
      );
      const measured = measure();
      if (Body instanceof Readable) for await (const chunk of Body) measured.add(chunk);
      return described(ContentType ?? 'application/octet-stream', noteIn(Metadata), measured);
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  };

  /** The SDK leaves the parts of an upload whose end is refused, and they hold the voice. At the latest they go after a day. */
  const removeParts = async ({ uploadId: UploadId }: Upload, Key: string): Promise<void> => {
    if (UploadId === undefined) return;
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(() => undefined);
  };

  return {
    existing,
    async copy(url, objectKey) {
      const fetched = await fetchRecording(url);
      if (!fetched.ok) return fetched;
      const { contentType, note, body } = fetched.value;
      const measured = measure();
      const Body = Readable.from(tapped(body, measured.add));
      // A link to the object saves it: a browser shows nothing that a stranger's host has sent.
      const params = {
        Bucket: bucket,
        Key: objectKey,
        Body,
        IfNoneMatch: '*',
        ContentType: contentType,
        ContentDisposition: 'attachment',
        // With the object, so that it is there too where a run is killed before it writes the row.
        ...(note !== undefined && { Metadata: { note } }),
      };
      const upload = new Upload({ client, partSize, queueSize, params });
      try {
        await upload.done();
        return ok(described(contentType, note, measured));
      } catch (error) {
        await removeParts(upload, objectKey);
        if (error instanceof HttpFault) return fail(recordingProblem(error.problem));
        const found = isPreconditionFailed(error) ? await existing(objectKey) : undefined;
        if (found === undefined) throw error;
        return ok(found);
      } finally {
        Body.destroy();
      }
    },
    async remove(objectKey) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: objectKey }));
    },
  };
};

/** Another run has written the object, which nobody overwrites. */
const isPreconditionFailed = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412;

const noteIn = (metadata: Readonly<Record<string, string>> | undefined): RecordingNote | undefined => {
  const note = metadata?.['note'];
  return isRecordingNote(note) ? note : undefined;
};

type Measured = ReturnType<typeof measure>;

const measure = () => {
  const digest = createHash('sha256');
  let sizeBytes = 0;
  return {
    add(chunk: Buffer): void {
      digest.update(chunk);
      sizeBytes += chunk.length;
    },
    result: () => ({ sizeBytes, sha256: digest.digest('hex') }),
  };
};

async function* tapped(body: AsyncIterable<Buffer>, tap: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    tap(chunk);
    yield chunk;
  }
}

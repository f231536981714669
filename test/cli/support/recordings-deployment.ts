import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { rowsOfPartition } from '../../../cli/frame/rows.ts';
import {
  archived,
  asked,
  givenUp,
  newRecording,
  type RecordingObject,
  recordingRow,
  type StoredRecording,
  storedRecordingOf,
} from '../../../functions/archive-recordings/recording-row.ts';
import { recordingsKey } from '../../../lib/recordings/recording-keys.ts';
import type { RecordingProblem } from '../../../lib/recordings/schema.ts';
import { localClient } from '../../../sandbox/frame/local-aws.ts';
import { serve } from '../../../sandbox/frame/serve.ts';
import { openObjects } from '../../../sandbox/s3/object-store.ts';
import { s3Endpoint } from '../../../sandbox/s3/s3-endpoint.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { cli, type Replaced } from './cli-run.ts';
import { startDeployment } from './local-deployment.ts';

const bucket = 'recordings';

/** The bucket of the time before recordings were switched off and on again. */
export const earlierBucket = 'recordings-earlier';

/** A deployment that archives recordings, with a bucket in a folder. */
export const startRecordingsDeployment = async () => {
  const deployment = await startDeployment();
  const folder = temporaryFolder('recordings');
  const objects = openObjects(join(folder.path, bucket));
  const earlierObjects = openObjects(join(folder.path, earlierBucket));
  const answer = s3Endpoint(bucket, objects);
  const earlierAnswer = s3Endpoint(earlierBucket, earlierObjects);
  const served = await serve((request) =>
    (request.path.startsWith(`/${earlierBucket}/`) ? earlierAnswer : answer)(request),
  );
  const s3 = new S3Client({ ...localClient(served.url), maxAttempts: 1 });
  const host = 'http://queues.invalid/000000000000';
  const connect = async (): Promise<Deployment> => ({
    ...(await deployment.connect()),
    s3,
    recordings: { bucket, queue: `${host}/recordings`, deadLetters: `${host}/recordings-dead-letters` },
  });
  const clock = () => new Date(deployment.now());
  const store = { dynamodb: deployment.tables.client, tables: deployment.tables.tableNames };
  const put = (row: object) => deployment.put('calls', row);
  const askedFor = (callId: string, url: string) => {
    const call = { startedAt: '2026-11-21T04:30:00.000Z', expiresAt: 4_000_000_000 };
    const now = clock().toISOString();
    return asked(newRecording({ account: 'demo', callId }, url, call, now), now, now);
  };

  return {
    ...deployment,
    objects,
    earlierObjects,
    connect,
    at: (args: readonly string[], replaced: Replaced = {}) => cli(args, { clock, connect, ...replaced }),
    /** Stores a recording as the function does: its object, and then its row. */
    async archive(callId: string, url: string, bytes: Buffer, about: Partial<RecordingObject> = {}) {
      const stored = askedFor(callId, url);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const object = { bucket, contentType: 'audio/wav', sizeBytes: bytes.length, sha256, ...about };
      const headers = { 'content-type': object.contentType };
      (object.bucket === earlierBucket ? earlierObjects : objects).put(stored.objectKey, headers, bytes, false);
      await put(recordingRow(archived(stored, object, clock().toISOString())));
      return stored.objectKey;
    },
    /** Stores a recording that was given up. */
    async giveUp(callId: string, url: string, problem: RecordingProblem) {
      await put(recordingRow(givenUp(askedFor(callId, url), problem, clock().toISOString())));
    },
    /** Gives a recording up that waits, as the function does. */
    giveUpAgain: (one: StoredRecording) => put(recordingRow(givenUp(one, 'other-host', clock().toISOString()))),
    /** The stored recordings of a call with a status. */
    recordings: async (callId: string, status: string): Promise<readonly StoredRecording[]> =>
      (await rowsOfPartition(store, recordingsKey({ account: 'demo', callId })))
        .map(storedRecordingOf)
        .filter((one) => one.status === status),
    async stop() {
      s3.destroy();
      await served.close();
      folder.remove();
      await deployment.stop();
    },
  };
};

import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpFault } from '../../../functions/adapters/http-client.ts';
import type { FetchRecording } from '../../../functions/archive-recordings/fetch-recording.ts';
import { recordingBucket } from '../../../functions/archive-recordings/recording-bucket.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { openObjects } from '../../../sandbox/s3/object-store.ts';
import { s3Endpoint } from '../../../sandbox/s3/s3-endpoint.ts';
import { startHttpServer } from '../../support/local-servers.ts';

const key = 'demo/2026-11-20/42/1';

/** An S3 on this machine, and the bucket over it. What it refuses has no effect. */
const startBucket = async (fetch: FetchRecording, refuses: (request: string) => boolean = () => false) => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const objects = openObjects(folder);
  const answer = s3Endpoint('recordings', objects);
  const { url } = await startHttpServer((request, response) => {
    if (refuses(`${request.method} ${request.url}`)) request.resume().on('end', () => response.writeHead(500).end());
    else void answer(request, response);
  });
  const client = new S3Client({ ...localClient(url), maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  const content = () => {
    const found = objects.find(key);
    return found && { bytes: readFileSync(found.file), headers: found.headers };
  };
  return { bucket: recordingBucket(client, 'recordings', fetch), objects, content };
};

/** A recording of these parts. An error in place of one ends it. */
const recordingOf = (...parts: readonly (Buffer | Error)[]): FetchRecording => {
  async function* body() {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield part;
    }
  }
  return async () => ok({ contentType: 'audio/mpeg', body: body() });
};

const described = (...parts: readonly Buffer[]) => ({
  bucket: 'recordings',
  contentType: 'audio/mpeg',
  sizeBytes: Buffer.concat(parts).length,
  sha256: createHash('sha256').update(Buffer.concat(parts)).digest('hex'),
});

const small = randomBytes(1_000);
/** More than two parts of an upload. */
const large = Array.from({ length: 20 }, () => randomBytes(1_000_000));

describe.each([
  ['small', [small]],
  ['large', large],
] as const)('a %s recording', (_size, parts) => {
  it('is stored byte for byte, and described', async () => {
    const { bucket, objects, content } = await startBucket(recordingOf(...parts));

    expect(await bucket.existing(key)).toBeUndefined();
    expect(await bucket.copy('url', key)).toEqual(ok(described(...parts)));
    expect(content()?.bytes.equals(Buffer.concat(parts))).toBe(true);
    expect(content()?.headers).toMatchObject({ 'content-type': 'audio/mpeg', 'content-disposition': 'attachment' });
    expect(await bucket.existing(key)).toEqual(described(...parts));
    expect(objects.openUploads()).toBe(0);
    await bucket.remove(key);
    expect(content()).toBeUndefined();
  });

  it('does not replace one that is there, and describes that one', async () => {
    const first = randomBytes(2_000);
    const { bucket, objects, content } = await startBucket(recordingOf(...parts));
    objects.put(key, { 'content-type': 'audio/mpeg' }, first, false);

    expect(await bucket.copy('url', key)).toEqual(ok(described(first)));
    expect(content()?.bytes.equals(first)).toBe(true);
    expect(objects.openUploads()).toBe(0);
  });

  it('of which not all comes is not stored at all', async () => {
    const { bucket, objects, content } = await startBucket(recordingOf(...parts, new HttpFault('shorter')));

    expect(await bucket.copy('url', key)).toEqual(fail('shorter'));
    expect(content()).toBeUndefined();
    expect(objects.openUploads()).toBe(0);
  });

  it('that S3 refuses is a fault, and nothing is left', async () => {
    const { bucket, content } = await startBucket(recordingOf(...parts), (request) => request.startsWith('PUT'));

    await expect(bucket.copy('url', key)).rejects.toThrow();
    expect(content()).toBeUndefined();
  });
});

it('a recording that could not be fetched has its problem, and S3 is not asked', async () => {
  const requests: string[] = [];
  const { bucket } = await startBucket(
    async () => fail('other-host'),
    (request) => requests.push(request) > 0,
  );

  expect(await bucket.copy('url', key)).toEqual(fail('other-host'));
  expect(requests).toEqual([]);
});

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { type Served, serve } from '../../sandbox/frame/serve.ts';
import { type ObjectStore, openObjects } from '../../sandbox/s3/object-store.ts';
import { s3Endpoint } from '../../sandbox/s3/s3-endpoint.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const Bucket = 'recordings';
const Key = 'demo/2026/11/20/1 & "2"/ä+b.wav';
const large = randomBytes(12 * 1024 * 1024);

let folder: TemporaryFolder;
let objects: ObjectStore;
let served: Served;
let s3: S3Client;
let now: number;

beforeEach(async () => {
  now = Date.now();
  folder = temporaryFolder('s3');
  objects = openObjects(folder.path);
  served = await serve(s3Endpoint(Bucket, objects, () => now));
  s3 = new S3Client({ ...localClient(served.url), maxAttempts: 1 });
});
afterEach(async () => {
  s3.destroy();
  await served.close();
  folder.remove();
});

const upload = (key: string, bytes: Buffer, others = {}) =>
  new Upload({ client: s3, params: { Bucket, Key: key, Body: Readable.from([bytes]), ...others } }).done();
const bytesOf = async (key: string, Range?: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: key, Range }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};

describe('the S3 of the sandbox', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a little, in one request', Buffer.from('RIFF')],
    ['12 MB, in parts', large],
  ])('gives back %s byte for byte, with type and metadata', async (_, bytes) => {
    await upload(Key, bytes, { ContentType: 'audio/wav', Metadata: { sha256: 'abc' } });

    expect((await bytesOf(Key)).equals(bytes)).toBe(true);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head).toMatchObject({ ContentLength: bytes.length, ContentType: 'audio/wav', Metadata: { sha256: 'abc' } });
    expect(objects.openUploads()).toBe(0);
  });

  it('takes a stream whose checksum comes after it', async () => {
    const Body = Readable.from([Buffer.from('RIFF'), Buffer.from('WAVE')]);
    await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: 8, ChecksumAlgorithm: 'CRC32' }));

    expect((await bytesOf(Key)).toString()).toBe('RIFFWAVE');
  });

  it.each([
    ['one request', Buffer.from('other')],
    ['parts', large],
  ])('refuses a second object on condition that there is none, in %s', async (_, bytes) => {
    await upload(Key, Buffer.from('first'));
    await expect(upload(Key, bytes, { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });

    expect((await bytesOf(Key)).toString()).toBe('first');
  });

  it('sends a range, and says so', async () => {
    await upload(Key, Buffer.from('0123456789'));

    expect((await bytesOf(Key, 'bytes=2-4')).toString()).toBe('234');
    expect((await bytesOf(Key, 'bytes=7-')).toString()).toBe('789');
  });

  it('deletes an object, and no other', async () => {
    for (const key of ['a/1', 'a/2 & more']) await upload(key, Buffer.from(key));
    await s3.send(new DeleteObjectCommand({ Bucket, Key: 'a/1' }));

    expect(objects.list().map(({ key }) => key)).toEqual(['a/2 & more']);
    await expect(bytesOf('a/1')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key: 'a/1' }))).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('answers a presigned link until it expires', async () => {
    await upload(Key, Buffer.from('RIFF'));
    const asked = { ResponseContentType: 'audio/wav', ResponseContentDisposition: 'attachment' };
    const link = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key, ...asked }), { expiresIn: 300 });
    const answer = await fetch(link);
    expect(await answer.text()).toBe('RIFF');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-disposition': 'attachment',
    });

    now += 302_000;
    expect((await fetch(link)).status).toBe(403);
  });
});

import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from '../frame/lifecycle.ts';
import { recordingsBucket } from '../frame/local-aws.ts';
import { type Answer, type Handle, type Received, serve } from '../frame/serve.ts';
import { type ObjectHeaders, type ObjectStore, openObjects, type Stored, type StoredObject } from './object-store.ts';

interface S3Request extends Received {
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
}

/** What SDK, `lib-storage` and presigned links ask of a bucket. Signatures are not checked, the expiry of a link is. */
export const s3Endpoint =
  (bucket: string, objects: ObjectStore, now: () => number = Date.now): Handle =>
  async (received) => {
    const request = requestOf(received);
    if (isExpired(request.query, now())) return failure(403, 'AccessDenied', 'Request has expired');
    if (request.bucket !== bucket) return failure(404, 'NoSuchBucket', 'The specified bucket does not exist');
    if (request.key === '') return notSupported;
    return /^(?:GET|HEAD)$/.test(request.method) ? objectAnswer(objects, request) : answerTo(objects, request);
  };

const requestOf = (received: Received): S3Request => {
  const { pathname, searchParams: query } = new URL(received.path, 'http://s3');
  const [bucket = '', ...key] = pathname.split('/').slice(1).map(decodeURIComponent);
  const isChunked = /aws-chunked/.test(String(received.headers['content-encoding'] ?? ''));
  const body = isChunked ? withoutChunks(received.body) : received.body;
  return { ...received, query, bucket, key: key.join('/'), body };
};

const isExpired = (query: URLSearchParams, now: number): boolean => {
  // Written as 20261121T090500Z, which `Date.parse` does not read.
  const signedAt = query.get('X-Amz-Date')?.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:');
  return signedAt !== undefined && now > Date.parse(signedAt) + Number(query.get('X-Amz-Expires') ?? 0) * 1000;
};

const answerTo = (objects: ObjectStore, { method, bucket, key, query, headers, body }: S3Request): Answer => {
  const ifAbsent = headers['if-none-match'] === '*';
  const upload = query.get('uploadId');
  if (method === 'PUT' && upload === null) return storedAnswer(objects.put(key, headersOf(headers), body, ifAbsent));
  if (method === 'POST' && query.has('uploads')) {
    const UploadId = objects.begin(key, headersOf(headers));
    return xml('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId });
  }
  if (method === 'DELETE') {
    if (upload === null) objects.remove(key);
    else objects.abort(upload);
    return { status: 204 };
  }
  if (upload === null) return notSupported;
  if (method === 'PUT') {
    const etag = objects.putPart(upload, Number(query.get('partNumber')), body);
    return etag === undefined ? noSuchUpload : { status: 200, headers: { etag: `"${etag}"` } };
  }
  if (method === 'POST') {
    const parts = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number));
    return storedAnswer(objects.complete(upload, parts, ifAbsent), ({ key, etag }) =>
      xml('CompleteMultipartUploadResult', { Bucket: bucket, Key: key, ETag: `"${etag}"` }),
    );
  }
  return notSupported;
};

/** Streams an object, so that a large one is never whole in memory. */
const objectAnswer = (objects: ObjectStore, { method, key, headers, query }: S3Request): Answer => {
  const found = objects.find(key);
  if (found === undefined) return failure(404, 'NoSuchKey', 'The specified key does not exist.');

  const range = rangeOf(headers.range, found.size);
  const { from, to } = range ?? { from: 0, to: found.size - 1 };
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...found.headers,
      'accept-ranges': 'bytes',
      etag: `"${found.etag}"`,
      'last-modified': new Date(found.lastModified).toUTCString(),
      ...askedHeaders(query),
      'content-length': to - from + 1,
      ...(range !== undefined && { 'content-range': `bytes ${from}-${to}/${found.size}` }),
    },
    body: method === 'HEAD' || found.size === 0 ? '' : createReadStream(found.file, { start: from, end: to }),
  };
};

const askedHeaders = (query: URLSearchParams): ObjectHeaders =>
  keptOf([...query].map(([name, value]) => [name.split(/^response-/)[1] ?? '', value]));

const rangeOf = (header: string | undefined, size: number): { from: number; to: number } | undefined => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || Number(from) >= size) return undefined;
  return { from: Number(from), to: to ? Math.min(Number(to), size - 1) : size - 1 };
};

const headersOf = (headers: Received['headers']): ObjectHeaders =>
  keptOf(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const keptOf = (headers: readonly (readonly [string, string])[]): ObjectHeaders => {
  const kept = /^(?:content-type|content-disposition|cache-control|x-amz-meta-.+)$/;
  return Object.fromEntries(headers.filter(([name]) => kept.test(name)));
};

const storedAnswer = (stored: Stored, answer?: (stored: StoredObject) => Answer): Answer => {
  if (stored === 'no-upload') return noSuchUpload;
  if (stored === 'exists')
    return failure(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
  return answer?.(stored) ?? { status: 200, headers: { etag: `"${stored.etag}"` } };
};

const xml = (root: string, values: Readonly<Record<string, string>>): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `${declaration}<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${elements(values)}</${root}>`,
});

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

const elements = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `<${name}>${escaped(value)}</${name}>`)
    .join('');

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' } as const;

const escaped = (text: string): string =>
  Object.entries(entities).reduce((changed, [character, entity]) => changed.replaceAll(character, entity), text);

const failure = (status: number, Code: string, Message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `${declaration}<Error>${elements({ Code, Message })}</Error>`,
});
const notSupported = failure(501, 'NotImplemented', 'The sandbox does not support this operation.');
const noSuchUpload = failure(404, 'NoSuchUpload', 'The specified multipart upload does not exist.');

/** When the SDK signs or checks a stream it sends chunks after their sizes in hexadecimal, then trailers. */
const withoutChunks = (body: Buffer): Buffer => {
  const chunks: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    const lineEnd = body.indexOf('\r\n', at);
    if (lineEnd < 0) break;
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) break;
    const from = lineEnd + 2;
    chunks.push(body.subarray(from, from + size));
    at = from + size + 2;
  }
  return Buffer.concat(chunks);
};

/** Starts an S3 with the bucket of recordings, in a folder. Without one its objects are gone when the sandbox stops. */
export const startS3 = async (folder: string | undefined, closers: Closers): Promise<{ readonly url: string }> => {
  const path = folder ?? mkdtempSync(join(tmpdir(), 'callfeed-recordings-'));
  if (folder === undefined) closers.add(() => rmSync(path, { recursive: true, force: true }));

  const served = await serve(s3Endpoint(recordingsBucket, openObjects(path)));
  closers.add(served.close);
  return { url: served.url };
};

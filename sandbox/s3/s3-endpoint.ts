import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Closers } from '../closers.ts';
import { type Answer, isForeign, readBody, startServer, writeAnswer } from '../http/serve.ts';
import { recordingsBucket } from '../local-aws.ts';
import { type ObjectHeaders, type ObjectStore, openObjects, type Stored, type StoredObject } from './object-store.ts';

/** One request to S3 in the path style: `/{bucket}/{key}`. */
interface S3Request {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** S3 allows parts of up to 5 GB; those of the SDK have 5 MB. */
const limitBytes = 64 * 1024 * 1024;

/**
 * Answers what the SDK's client, `lib-storage` and presigned links ask of one bucket: put (also on condition that nothing is
 * there), get (also a range), head, delete, list, and uploads in parts. Signatures are not checked, the expiry of a link is.
 */
export const s3Endpoint =
  (bucket: string, objects: ObjectStore, now: () => number = Date.now) =>
  async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isForeign(incoming.headers)) return writeAnswer(response, failure(403, 'AccessDenied', 'Only this machine.'));
    const body = await readBody(incoming, limitBytes);
    if (body === undefined) return writeAnswer(response, failure(400, 'EntityTooLarge', 'The part is too large.'));

    const request = requestOf(incoming, body);
    const problem = isExpired(request.query, now())
      ? failure(403, 'AccessDenied', 'Request has expired')
      : request.bucket === bucket
        ? undefined
        : failure(404, 'NoSuchBucket', 'The specified bucket does not exist');
    if (problem !== undefined) return writeAnswer(response, problem);
    if (/^(?:GET|HEAD)$/.test(request.method) && request.key !== '')
      return await sendObject(objects, request, response);
    return writeAnswer(response, answerTo(objects, request));
  };

const requestOf = ({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): S3Request => {
  const { pathname, searchParams: query } = new URL(url, 'http://s3');
  const [, bucket = '', ...key] = pathname.split('/');
  const isChunked = /aws-chunked/.test(String(headers['content-encoding'] ?? ''));
  return {
    ...{ method, query, headers },
    bucket: decodeURIComponent(bucket),
    key: decodeURIComponent(key.join('/')),
    body: isChunked ? withoutChunks(body) : body,
  };
};

/** Whether a presigned link is older than it says that it lives. */
const isExpired = (query: URLSearchParams, now: number): boolean => {
  const [, ...date] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Amz-Date') ?? '') ?? [];
  if (date.length === 0) return false;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = date.map(Number);
  const signedAt = Date.UTC(year, month - 1, day, hour, minute, second);
  return now > signedAt + Number(query.get('X-Amz-Expires') ?? 0) * 1000;
};

const answerTo = (objects: ObjectStore, request: S3Request): Answer => {
  const { method, key, query } = request;
  if (key === '') return answerForBucket(objects, request);
  const upload = query.get('uploadId');
  if (upload !== null) return answerForUpload(objects, request, upload);

  switch (method) {
    case 'PUT':
      return storedAnswer(objects.put(key, headersOf(request), request.body, isConditional(request)), () => ({}));
    case 'DELETE':
      objects.remove(key);
      return { status: 204 };
    case 'POST':
      return query.has('uploads')
        ? xml('InitiateMultipartUploadResult', {
            ...{ Bucket: request.bucket, Key: key },
            UploadId: objects.begin(key, headersOf(request)),
          })
        : notSupported;
    default:
      return notSupported;
  }
};

const answerForUpload = (objects: ObjectStore, request: S3Request, upload: string): Answer => {
  switch (request.method) {
    case 'PUT': {
      const etag = objects.putPart(upload, Number(request.query.get('partNumber')), request.body);
      return etag === undefined ? noSuchUpload : { status: 200, headers: { etag: `"${etag}"` } };
    }
    case 'POST': {
      const parts = textsOf(request.body.toString(), 'PartNumber').map(Number);
      const stored = objects.complete(upload, parts, isConditional(request));
      return storedAnswer(stored, ({ key, etag }) =>
        xml('CompleteMultipartUploadResult', { Bucket: request.bucket, Key: key, ETag: `"${etag}"` }),
      );
    }
    case 'DELETE':
      objects.abort(upload);
      return { status: 204 };
    default:
      return notSupported;
  }
};

/** The most keys that S3 lists at once. */
const pageSize = 1000;

const answerForBucket = (objects: ObjectStore, { method, query, body }: S3Request): Answer => {
  if (method === 'HEAD') return { status: 200 };
  if (method === 'POST' && query.has('delete')) {
    const keys = textsOf(body.toString(), 'Key');
    for (const key of keys) objects.remove(key);
    const deleted = keys.map((Key) => `<Deleted>${elements({ Key })}</Deleted>`);
    return xmlAnswer('DeleteResult', deleted.join(''));
  }
  if (method !== 'GET' || query.get('list-type') !== '2') return notSupported;

  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const found = objects.list(query.get('prefix') ?? '').filter(({ key }) => key > after);
  const page = found.slice(0, Math.min(pageSize, Number(query.get('max-keys') ?? pageSize)));
  const contents = page.map(
    ({ key, size, etag, lastModified }) =>
      `<Contents>${elements({ Key: key, Size: size, ETag: `"${etag}"`, LastModified: lastModified })}</Contents>`,
  );
  const isTruncated = page.length < found.length;
  const next = isTruncated ? page.at(-1)?.key : undefined;
  return xmlAnswer(
    'ListBucketResult',
    elements({ KeyCount: page.length, IsTruncated: isTruncated, NextContinuationToken: next }) + contents.join(''),
  );
};

/** Streams an object, so that a large one is never whole in memory. */
const sendObject = async (objects: ObjectStore, { method, key, headers }: S3Request, response: ServerResponse) => {
  const found = objects.find(key);
  if (found === undefined) return writeAnswer(response, failure(404, 'NoSuchKey', 'The specified key does not exist.'));

  const range = rangeOf(headers.range, found.size);
  const { from, to } = range ?? { from: 0, to: found.size - 1 };
  response.writeHead(range === undefined ? 200 : 206, {
    ...describing(found),
    'content-length': to - from + 1,
    ...(range !== undefined && { 'content-range': `bytes ${from}-${to}/${found.size}` }),
  });
  if (method === 'HEAD' || found.size === 0) response.end();
  else await pipeline(createReadStream(found.file, { start: from, end: to }), response);
};

/** The range that is asked for, cut at the end. A browser's player asks for one before it can jump. */
const rangeOf = (header: string | undefined, size: number): { from: number; to: number } | undefined => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || Number(from) >= size) return undefined;
  return { from: Number(from), to: to ? Math.min(Number(to), size - 1) : size - 1 };
};

const describing = ({ headers, size, etag, lastModified }: StoredObject) => ({
  ...headers,
  'content-length': size,
  'accept-ranges': 'bytes',
  etag: `"${etag}"`,
  'last-modified': new Date(lastModified).toUTCString(),
});

/** The headers of a new object that its readers get back. */
const headersOf = ({ headers }: S3Request): ObjectHeaders =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && /^(?:content-type|content-disposition|cache-control|x-amz-meta-.+)$/.test(name)
        ? [[name, value]]
        : [],
    ),
  );

const isConditional = ({ headers }: S3Request): boolean => headers['if-none-match'] === '*';

const storedAnswer = (stored: Stored, answer: (stored: StoredObject) => Partial<Answer>): Answer => {
  if (stored === 'no-upload') return noSuchUpload;
  if (stored === 'exists')
    return failure(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
  return { status: 200, headers: { etag: `"${stored.etag}"` }, ...answer(stored) };
};

const xmlAnswer = (root: string, content: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: document(root, content),
});
const xml = (root: string, values: Parameters<typeof elements>[0]): Answer => xmlAnswer(root, elements(values));

/** An XML document of S3: the name of its root and what is in it. */
const document = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`;

/** Elements with texts or numbers. Undefined leaves one out. */
const elements = (values: Readonly<Record<string, string | number | boolean | undefined>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : `<${name}>${escaped(String(value))}</${name}>`))
    .join('');

/** The texts of all elements with a name. The SDK's requests have neither attributes nor CDATA in them. */
const textsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => unescaped(text));

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' } as const;

const escaped = (text: string): string =>
  Object.entries(entities).reduce((changed, [character, entity]) => changed.replaceAll(character, entity), text);

const unescaped = (text: string): string =>
  Object.entries(entities).reduceRight(
    (changed, [character, entity]) => changed.replaceAll(entity, character),
    text.replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    ),
  );

const failure = (status: number, Code: string, Message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements({ Code, Message })}</Error>`,
});
const notSupported = failure(501, 'NotImplemented', 'The sandbox does not support this operation.');
const noSuchUpload = failure(404, 'NoSuchUpload', 'The specified multipart upload does not exist.');

/**
 * The payload of a body in `aws-chunked`, which the SDK sends when it signs or checks a stream: chunks with their sizes in
 * hexadecimal, each perhaps with a signature, and then trailers, which nobody needs here.
 */
const withoutChunks = (body: Buffer): Buffer => {
  const chunks: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    const lineEnd = body.indexOf('\r\n', at);
    if (lineEnd < 0) break;
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) break;
    const from = lineEnd + lineBreakLength;
    chunks.push(body.subarray(from, from + size));
    at = from + size + lineBreakLength;
  }
  return Buffer.concat(chunks);
};

const lineBreakLength = 2;

/** Starts an S3 with the bucket of recordings, in a folder. Without one its objects are gone when the sandbox stops. */
export const startS3 = async (folder: string | undefined, closers: Closers): Promise<{ readonly url: string }> => {
  const path = folder ?? mkdtempSync(join(tmpdir(), 'callfeed-recordings-'));
  if (folder === undefined) closers.add(() => rmSync(path, { recursive: true, force: true }));

  const served = await startServer({ number: 0, flag: 'port' }, s3Endpoint(recordingsBucket, openObjects(path)));
  closers.add(served.close);
  return { url: served.url };
};

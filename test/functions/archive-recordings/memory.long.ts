import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { bundle } from '../../../bench/lambda/lambda-process.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { answerRequest } from '../../../sandbox/frame/serve.ts';
import { openObjects } from '../../../sandbox/s3/object-store.ts';
import { s3Endpoint } from '../../../sandbox/s3/s3-endpoint.ts';
import { recordedCall } from '../../support/every-event.ts';
import { startHttpServer } from '../../support/local-servers.ts';

const host = 'recordings.example.com';
const count = 5;
const sizeBytes = 100_000_000;

/** Runs the bundle as on Lambda, and prints its answer and the most memory that it had, in bytes. */
const runBundle = `
  const [file, event] = process.argv.slice(1);
  require(file).handler(JSON.parse(event), { getRemainingTimeInMillis: () => 900_000 }).then((answer) =>
    process.stdout.write('\\n' + JSON.stringify({ answer, bytes: process.resourceUsage().maxRSS * 1024 })));`;

/** A recording that is not in memory as a whole, different for each path. */
function* audioOf(path: string): Generator<Buffer> {
  const block = createHash('sha512').update(path).digest();
  const chunk = Buffer.alloc(100_000, block);
  for (let bytes = 0; bytes < sizeBytes; bytes += chunk.length) yield chunk;
}

const hashOf = async (stream: Readable): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
};

it('archives 500 MB of recordings in 256 MB, half of what the function has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { folder: bundled } = await bundle('functions/archive-recordings/index.ts', join(folder, 'bundle'));
  const objects = openObjects(join(folder, 's3'));
  const s3 = await startHttpServer((request, response) =>
    answerRequest(s3Endpoint('recordings', objects), request, response),
  );
  const recordings = Array.from({ length: count }, (_, index) => `https://${host}/demo/${index}.mp3`);
  const provider = await startHttpServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': sizeBytes });
    void pipeline(Readable.from(audioOf(String(request.url))), response);
  });
  const written: Readonly<Record<string, { readonly S: string; readonly N: string }>>[] = [];
  const aws = await startHttpServer(async (request, response) => {
    // The function only opens its connection.
    if (request.method === 'GET') {
      response.end();
      return;
    }
    const input = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (input.Item !== undefined) written.push(input.Item);
    const isOfCall = input.ExpressionAttributeValues?.[':pk']?.S === 'demo#41781234567890123';
    const Items = isOfCall ? [marshalled({ ...recordedCall, recordings })] : [];
    response.end(JSON.stringify(input.KeyConditionExpression === undefined ? {} : { Items, Count: Items.length }));
  });
  const { account, callId } = recordedCall;
  const attributes = { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) };
  const message = { messageId: '1', body: JSON.stringify({ account, callId }), receiptHandle: '1', attributes };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    // Lambda leaves a function of 256 MB a heap of so many megabytes.
    ['--max-old-space-size=180', '-e', runBundle, join(bundled, 'index.js'), JSON.stringify({ Records: [message] })],
    {
      env: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'key',
        AWS_ENDPOINT_URL: aws.url,
        AWS_ENDPOINT_URL_S3: s3.url,
        RECORDINGS_THROUGH: provider.url,
        CALLS_TABLE: 'calls',
        RECORDINGS_BUCKET: 'recordings',
        RECORDING_HOSTS: host,
        RECORDINGS_QUEUE_URL: `${aws.url}/q`,
        RECORDINGS_DEAD_LETTERS_URL: `${aws.url}/d`,
      },
    },
  );
  const { answer, bytes } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

  expect(answer).toEqual({ batchItemFailures: [] });
  // The rest of the 256 MB is the runtime's.
  expect(bytes).toBeLessThan(210_000_000);
  const archived = written.filter(({ status }) => status?.S === 'archived');
  expect(archived.map((item) => item['sizeBytes']?.N)).toEqual(Array(count).fill(String(sizeBytes)));
  for (const [index, item] of archived.entries()) {
    const stored = objects.find(item['objectKey']?.S ?? '');
    const sent = await hashOf(Readable.from(audioOf(`/demo/${index}.mp3`)));
    expect(item['sha256']?.S).toBe(sent);
    expect(await hashOf(createReadStream(stored?.file ?? ''))).toBe(sent);
  }
}, 300_000);

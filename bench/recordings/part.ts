import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { memoryMegabytes, timeoutSeconds } from '../../functions/limits.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { listen, localHost } from '../../sandbox/frame/listen.ts';
import { answerRequest } from '../../sandbox/frame/serve.ts';
import { openObjects } from '../../sandbox/s3/object-store.ts';
import { s3Endpoint } from '../../sandbox/s3/s3-endpoint.ts';
import { recordedCall } from '../../test/support/every-event.ts';
import { median } from '../../test/support/statistics.ts';
import { bundle, startLambda } from '../lambda/lambda-process.ts';
import { type Part, withTemporaryFolder } from '../part.ts';
import { environmentOf } from '../start/bundles.ts';
import { invoke } from '../start/timed-runs.ts';

const name = 'archive-recordings';
const bytes = 200_000_000;
const { account, callId } = recordedCall;

/** The largest recording that is archived, within the time that one may take: docs/performance.md. */
const mostGigabytes = 5;
const mostSeconds = 300;

const startServer = async (listener: RequestListener, flag: string) => {
  const server = createServer(listener);
  const port = await listen(server, { number: 0, flag });
  return {
    url: `http://${localHost}:${port}`,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** A call with one large recording, its host, a bucket, and a table that only has the call. */
const startSurroundings = async (folder: string) => {
  const host = await startServer((_request, response) => {
    const block = Buffer.alloc(100_000, 'audio');
    const audio = Readable.from(Array.from({ length: bytes / block.length }, () => block));
    response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': bytes });
    void pipeline(audio, response);
  }, 'host of recordings');
  const objects = openObjects(folder);
  const s3 = await startServer(
    (request, response) => answerRequest(s3Endpoint('recordings', objects), request, response),
    'S3',
  );
  const call = marshalled({ ...recordedCall, recordings: ['https://recordings.example.com/demo/1.mp3'] });
  const written: unknown[] = [];
  const table = await startServer(async (request, response) => {
    const input = request.method === 'GET' ? {} : Object(await json(request));
    written.push(input.Item?.status?.S);
    const isOfCall = input.ExpressionAttributeValues?.[':pk']?.S === `${account}#${callId}`;
    const Items = isOfCall ? [call] : [];
    response.end(JSON.stringify(input.KeyConditionExpression === undefined ? {} : { Items, Count: Items.length }));
  }, 'DynamoDB');
  const environment = { ...environmentOf(table.url), AWS_ENDPOINT_URL_S3: s3.url, RECORDINGS_THROUGH: host.url };
  const close = (): void => [host, s3, table].forEach((server) => void server.close());
  return { environment, wasArchived: () => written.includes('archived'), close };
};

/** How fast recordings are copied at the share of the memory. Neither their host nor S3 is encrypted here. */
export const recordings: Part = {
  name: 'recordings',
  what: 'megabytes a second of one large recording, from its host into the bucket',
  run: ({ repetitions, memory = [memoryMegabytes[name]], onProgress }) =>
    withTemporaryFolder(async (folder) => {
      const { folder: bundled } = await bundle(`functions/${name}/index.ts`, join(folder, name));
      const measured: {
        readonly megabytes: number;
        readonly rates: readonly number[];
        readonly processorMs: number;
      }[] = [];
      for (const megabytes of memory) {
        const rates: number[] = [];
        let processorMs = 0;
        for (let run = 1; run <= Math.min(repetitions, 5); run += 1) {
          onProgress(`${megabytes} MB: recording ${run} of ${Math.min(repetitions, 5)}`);
          const { environment, wasArchived, close } = await startSurroundings(
            join(folder, `bucket-${megabytes}-${run}`),
          );
          const settings = { folder: bundled, environment, memory: megabytes, seconds: timeoutSeconds[name] };
          const archiver = await startLambda({ ...settings, shareFrom: 'ready' });
          try {
            const body = JSON.stringify({ account, callId });
            const { ms, cpuUs } = await invoke(archiver, name, {
              Records: [{ messageId: '1', body, receiptHandle: '1', attributes: { ApproximateReceiveCount: '1' } }],
            });
            if (!wasArchived()) throw new Error('The recording was not archived');
            rates.push(bytes / 1_000 / ms);
            processorMs = cpuUs / 1_000;
          } finally {
            await archiver.stop();
            close();
          }
        }
        measured.push({ megabytes, rates, processorMs });
      }
      const needed = (mostGigabytes * 1_000) / mostSeconds;
      return {
        tables: [
          {
            title: `One recording of ${bytes / 1e6} MB; ${mostGigabytes} GB in ${mostSeconds} s need ${needed.toFixed(0)} MB a second`,
            table: {
              head: ['MB of memory', 'MB a second', 'processor seconds'],
              rows: measured.map(({ megabytes, rates, processorMs }) => [
                String(megabytes),
                median(rates).toFixed(0),
                (processorMs / 1_000).toFixed(1),
              ]),
            },
          },
        ],
        data: measured,
        failures: measured.flatMap(({ megabytes, rates }) =>
          median(rates) < needed
            ? [
                `With ${megabytes} MB it copies ${median(rates).toFixed(0)} MB a second; ${needed.toFixed(0)} are needed.`,
              ]
            : [],
        ),
      };
    }),
};

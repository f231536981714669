import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import type { Context } from 'aws-lambda';
import { expect, it, onTestFinished } from 'vitest';
import { readEnv } from '../../functions/adapters/env.ts';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { composeArchiving } from '../../functions/archive-recordings/app.ts';
import { archiveRecordingsEnv } from '../../functions/archive-recordings/environment.ts';
import { fetchRecording } from '../../functions/archive-recordings/fetch-recording.ts';
import { recordingBucket } from '../../functions/archive-recordings/recording-bucket.ts';
import { namedRecordings, recordingIdOf, recordingOf } from '../../lib/recordings/recording-keys.ts';
import { Envelope } from '../../sandbox/event-bus.ts';
import { recordingMessageOf } from '../../sandbox/features/recordings.ts';
import { lambdaContext } from '../../sandbox/functions.ts';
import { localClient, recordingsBucket, tableNames } from '../../sandbox/local-aws.ts';
import { createQueue } from '../../sandbox/queue/queue.ts';
import { sqsRecord } from '../../sandbox/queue/queue-reader.ts';
import { queueUrl, sqsEndpoint } from '../../sandbox/queue/sqs-endpoint.ts';
import { openObjects } from '../../sandbox/s3/object-store.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { recordingsHost } from '../../sandbox/simulator/call-fields.ts';
import type { ServedRecording } from '../../sandbox/simulator/recordings.ts';
import { awsClients } from '../deployment/aws-clients.ts';
import { allRows, startSharedSandbox } from '../support/dynamodb-local.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How many calls are simulated, and which share of their recordings is odd. */
const calls = 300;
const oddShare = 1 / 3;
const seed = 20_261_120;

const host = 'http://queues.invalid';
const functionName = 'archive-recordings';
const runMs = 900_000;

/**
 * Simulates calls in a sandbox and archives their recordings by a clock of its own, so that two days pass at once. Each message
 * reaches two runs of the function at the same time. What the calls, the bus, the bucket and the host are is the sandbox's.
 */
const archiveDay = async ({ addresses }: Sandbox) => {
  const put = (path: string, body: object) => fetch(path, { method: 'PUT', body: JSON.stringify(body) });
  await put(`${addresses.faults}/recordings`, { mode: 'mixed', rate: oddShare, answers: 3 });
  // One at least whose recording may not be fetched, besides those of the mixture.
  for (const more of [{ count: calls }, { count: 1, kind: 'http-recording' }]) {
    const body = JSON.stringify({ ...more, seed, pace: 0, spreadSeconds: 28_800 });
    const made = await fetch(`${addresses.provider}/_simulator/calls`, { method: 'POST', body });
    expect(made.status).toBe(200);
  }

  const dynamodb = new DynamoDBClient(localClient(addresses.dynamodb));
  const s3 = new S3Client(localClient(addresses.s3));
  const time = { nowMs: Date.now() };
  const now = () => time.nowMs;
  const queue = createQueue({ name: 'recordings', visibilityMilliseconds: 6 * runMs, now });
  const letters = createQueue({ name: 'dead-letters', visibilityMilliseconds: runMs, now });
  const endpoint = sqsEndpoint([queue, letters]);
  const sqs = awsClients(
    () =>
      ({ headers, body }) =>
        endpoint({ method: 'POST', path: '/', headers, body }),
  ).sqs;
  const env = readEnv(archiveRecordingsEnv, {
    CALLS_TABLE: tableNames.calls,
    RECORDINGS_BUCKET: recordingsBucket,
    RECORDINGS_QUEUE_URL: queueUrl(host, queue.name),
    RECORDINGS_DEAD_LETTERS_URL: queueUrl(host, letters.name),
    RECORDING_HOSTS: recordingsHost,
    DEPLOYMENT: 'test',
  });
  const lines: string[] = [];
  const names = { function: functionName, deployment: 'test' };
  const telemetry = jsonTelemetry(names, (line) => lines.push(line));
  const clock = () => new Date(time.nowMs);
  const fetchFromHost = fetchRecording({ env, route: { through: addresses.provider } });
  const handler = composeArchiving({
    ...{ env, clock, telemetry, dynamodb, sqs: sqs as never },
    bucket: recordingBucket(s3, env.RECORDINGS_BUCKET, fetchFromHost),
  });
  const context = (): Context => lambdaContext(functionName, runMs);

  const requested = async (): Promise<readonly ServedRecording[]> => {
    const answer = await fetch(`${addresses.provider}/_simulator/recordings`);
    return ((await answer.json()) as { recordings: ServedRecording[] }).recordings;
  };
  const rows = () => allRows(dynamodb, tableNames.calls);
  /** Delivers each message that is due to two runs at once, and moves the clock to the next, until none waits. */
  const drain = async (): Promise<void> => {
    for (let round = 0; queue.messages().length > 0; round++) {
      expect(round).toBeLessThan(2_000);
      for (let batch = queue.receive(20); batch.length > 0; batch = queue.receive(20))
        await Promise.all(
          batch.map(async (message) => {
            const event = { Records: [sqsRecord(queue.name, message)] };
            const [one, other] = await Promise.all([handler(event, context()), handler(event, context())]);
            const isDone = [one, other].every(({ batchItemFailures }) => batchItemFailures.length === 0);
            if (isDone && message.receipt !== undefined) queue.remove(message.receipt);
          }),
        );
      const next = Math.min(...queue.messages().map(({ visibleAt }) => visibleAt));
      if (Number.isFinite(next)) time.nowMs = Math.max(time.nowMs, next);
    }
  };
  const send = async (): Promise<void> => {
    const events = (await (await fetch(addresses.events)).text()).split('\n').filter((line) => line !== '');
    for (const event of events.map((line) => Envelope.parse(JSON.parse(line)))) {
      const message = recordingMessageOf(event);
      if (message !== undefined) queue.send(JSON.stringify(message), {}, 0);
    }
  };

  return {
    ...{ send, drain, requested, lines },
    letters: () => letters.messages().map(({ body }) => JSON.parse(body)),
    /** The URLs that the calls name, and what became of each. */
    async outcome() {
      const all = await rows();
      return {
        urls: namedRecordings(all.filter(({ kind }) => kind === 'call' || kind === 'participant')).map(
          ({ url }) => url,
        ),
        recordings: all.filter(({ kind }) => kind === 'recording').map(recordingOf),
      };
    },
    /** Resolves once every change of the tables has its event. */
    async published() {
      const revisions = async () =>
        (await rows())
          .filter(({ kind }) => kind === 'call' || kind === 'participant')
          .reduce((sum, { revision }) => sum + Number(revision), 0);
      await expect
        .poll(async () => (await (await fetch(addresses.events)).text()).split('\n').length - 1, { timeout: 120_000 })
        .toBeGreaterThanOrEqual(await revisions());
    },
    stop() {
      dynamodb.destroy();
      s3.destroy();
    },
  };
};

/** Why a recording that stays odd is given up. */
const reasons = { gone: 'not-found', expired: 'not-allowed', elsewhere: 'other-host' } as const;

/**
 * What the host ever served whole is in the bucket byte for byte and once; each other has its reason; nothing is asked for
 * after it was archived or given up.
 */
it('archives the recordings of a simulated day of 300 calls, a third of them odd', {
  timeout: 1_800_000,
}, async () => {
  const { path: data } = temporaryFolder('recorded-day');
  const sandbox = await startSharedSandbox({
    ...{ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false, data },
  });
  onTestFinished(() => sandbox.stop());
  const archiving = await archiveDay(sandbox);
  onTestFinished(archiving.stop);
  await archiving.published();
  await archiving.send();
  await archiving.drain();

  const served = await archiving.requested();
  const { urls, recordings } = await archiving.outcome();
  const byId = new Map(recordings.map((one) => [one.recordingId, one]));
  expect(new Set(byId.keys())).toEqual(new Set(urls.map(recordingIdOf)));

  const hashes = new Map(
    openObjects(join(data, 'recordings'))
      .list()
      .map(({ key, file }) => [key, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
  const whole = served.filter(({ servedWholeAt }) => servedWholeAt.length > 0);
  expect(hashes.size).toBe(whole.length);
  for (const { url, sha256, sizeBytes, servedWholeAt } of whole) {
    const row = byId.get(recordingIdOf(url));
    expect(row, url).toMatchObject({ status: 'archived', sha256, sizeBytes });
    expect(hashes.get(row?.objectKey ?? ''), url).toBe(sha256);
    expect(servedWholeAt, url).toHaveLength(1);
  }
  const inVain = served.filter(({ servedWholeAt }) => servedWholeAt.length === 0);
  for (const { url, oddity, requestedAt } of inVain) {
    const row = byId.get(recordingIdOf(url));
    expect(row, url).toMatchObject({ status: 'given-up', problem: reasons[oddity as keyof typeof reasons] });
    // On a busy machine an attempt may end before its request reaches the host.
    expect(requestedAt.length, url).toBeLessThanOrEqual(row?.attempts ?? 0);
  }
  // What the host was never asked for.
  const known = new Set(served.map(({ url }) => url));
  const never = urls.filter((url) => !known.has(url));
  for (const url of never)
    expect(byId.get(recordingIdOf(url)), url).toMatchObject({ status: 'given-up', problem: 'not-https' });
  expect(archiving.letters()).toHaveLength(inVain.length + never.length);

  // Every event once more, as after a replay.
  await archiving.send();
  await archiving.drain();
  expect(await archiving.requested()).toEqual(served);
  expect((await archiving.outcome()).recordings).toEqual(recordings);
  expect(archiving.lines.join('')).not.toContain('recordings.example.com');

  expect(whole.length).toBeGreaterThan(150);
  expect(inVain.length).toBeGreaterThan(15);
});

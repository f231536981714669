import { isDeepStrictEqual } from 'node:util';
import { EventBridgeClient, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { PublishChangesEnv, ReceiveCallbackEnv, readEnv } from '../../functions/adapters/env.ts';
import { composePublisher } from '../../functions/publish-changes/app.ts';
import { composeReceiver } from '../../functions/receive-callback/app.ts';
import type { Clock } from '../../lib/core/time.ts';
import { lambdaContext } from '../../sandbox/lambda/runtime.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { lambdaRecord } from '../../sandbox/stream/lambda-record.ts';
import { formOf, httpApiEvent } from '../../test/support/http-api-event.ts';
import type { Counts, RowWrite } from './counts.ts';
import type { Meter, Metering } from './meter.ts';

/** The size of one request of an HTTP API. https://aws.amazon.com/api-gateway/pricing/ */
const requestBytes = 512 * 1024;

/** middy's types require fields that only a REST API sends. */
const Handler = z.custom<(event: unknown, context: Context) => Promise<unknown>>(
  (value) => typeof value === 'function',
);

const Reply = z.object({ statusCode: z.number(), body: z.string() });

/** Long enough on a busy machine. */
const runTimeoutMs = 60_000;

/** The receiver of callbacks, built as its index builds it, for accounts with the key `<name>-key`. Returns its post. */
export const createReceiver = (
  meter: Metering,
  clock: Clock,
  names: { readonly calls: string; readonly quarantine: string },
  userNames: readonly string[] = ['demo'],
) => {
  const env = readEnv(ReceiveCallbackEnv, {
    CALLS_TABLE: names.calls,
    QUARANTINE_TABLE: names.quarantine,
    PARKING_QUEUE_URL: 'https://queue.invalid',
    CALLFEED_ACCOUNTS: JSON.stringify(
      userNames.map((userName) => ({ userName, apiKeys: [`${userName}-key`], timeZone: 'UTC' })),
    ),
  });
  const handler = Handler.parse(
    composeReceiver({
      env,
      clock,
      telemetry: meter.telemetry('receive-callback'),
      dynamodb: meter.client,
      secrets: new SecretsManagerClient(localClient('http://secrets.invalid')),
      // Nothing has to be parked, so there is no queue.
      sqs: () => new SQSClient(localClient('http://queue.invalid')),
      storeDeadlineMs: runTimeoutMs,
    }),
  );

  return async (data: string): Promise<void> => {
    const body = formOf(data);
    meter.add({ apiRequests: Math.ceil(Buffer.byteLength(body) / requestBytes), receiverRuns: 1 });
    const reply = Reply.parse(await handler(httpApiEvent({ body }), lambdaContext('receive-callback', runTimeoutMs)));
    if (reply.statusCode !== 200) throw new Error(`A callback was answered with ${reply.statusCode}: ${reply.body}`);
  };
};

const Input = z.object({ Entries: z.array(z.custom<PutEventsRequestEntry>()) });

const chunkBytes = 64 * 1024;

/** The bytes that count for the time of an entry. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
const timeBytes = 14;

/** A client of EventBridge that sends nothing. It counts each event, and answers that all were accepted. */
const countedBus = (add: (counts: Partial<Counts>) => void): EventBridgeClient => {
  const client = new EventBridgeClient(localClient('http://bus.invalid'));
  client.middlewareStack.add(
    () => async (args) => {
      const { Entries } = Input.parse(args.input);
      add({ busCalls: 1 });
      for (const entry of Entries) add(countsOf(entry));
      return { response: undefined, output: { $metadata: {}, Entries: Entries.map(() => ({ EventId: anyId })) } };
    },
    { step: 'initialize', name: 'count' },
  );
  return client;
};

const countsOf = (entry: PutEventsRequestEntry): Partial<Counts> => ({
  events: 1,
  eventChunks: Math.ceil(entryBytes(entry) / chunkBytes),
  eventBytes: envelopeBytes(entry),
});

const entryBytes = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  timeBytes + Buffer.byteLength(Source + DetailType + Detail);

const anyId = '00000000-0000-0000-0000-000000000000';

/** The event as an archive stores it, and as a subscriber gets it. */
const envelopeBytes = ({ Source, DetailType, Detail = '', Time }: PutEventsRequestEntry): number => {
  const envelope = {
    version: '0',
    id: anyId,
    'detail-type': DetailType,
    source: Source,
    account: '000000000000',
    time: Time?.toISOString(),
    region: 'us-east-1',
    resources: [],
    detail: {},
  };
  return Buffer.byteLength(JSON.stringify(envelope) + Detail) - '{}'.length;
};

export interface Subscription {
  readonly batchSize: number;
  /** How many batches of a shard run at the same time. */
  readonly parallelizationFactor: number;
}

/** The publisher. It gets the changes that the meter recorded, as the streams of the tables would deliver them. */
export const createPublisher = (meter: Meter, clock: Clock, { batchSize, parallelizationFactor }: Subscription) => {
  const handler = composePublisher({
    env: readEnv(PublishChangesEnv, { BUS_NAME: 'callfeed', AGENTS_TABLE: 'agents' }),
    clock,
    telemetry: meter.telemetry('publish-changes'),
    eventbridge: countedBus(meter.add),
    // A write a minute belongs to no single call: the month has it.
    dynamodb: { send: async () => ({}) } as never,
  });

  return async (): Promise<void> => {
    const records = streamRecords(meter.changes());
    // The rows of one piece of work are spread over all parallel batches: that makes the most runs.
    const parallel = Map.groupBy(records, (record) => records.indexOf(record) % parallelizationFactor);
    for (const some of parallel.values())
      for (let from = 0; from < some.length; from += batchSize) {
        meter.add({ publisherRuns: 1 });
        await handler({ Records: some.slice(from, from + batchSize) }, lambdaContext('publish-changes', 60_000));
      }
  };
};

export const streamRecords = (writes: readonly RowWrite[]): readonly DynamoDBRecord[] =>
  writes.filter(isPublished).map(({ before, after }, index) => {
    const images = { ...(before && { OldImage: before }), ...(after && { NewImage: after }) };
    return lambdaRecord({ dynamodb: { SequenceNumber: String(index + 1).padStart(21, '0'), ...images } }, 'stream');
  });

/** A write that changes nothing is not in the stream, and the deployed filter drops rows of other kinds. */
const isPublished = ({ table, before, after }: RowWrite): boolean =>
  !isDeepStrictEqual(before, after) && table.published.includes(after?.['kind']?.S ?? '');

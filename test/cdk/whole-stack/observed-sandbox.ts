import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, vi } from 'vitest';
import * as z from 'zod';
import type { FunctionName } from '../../../functions/limits.ts';
import { createConsoleLog } from '../../../sandbox/aws/console-log.ts';
import { createCounters } from '../../../sandbox/aws/counters.ts';
import { startAws } from '../../../sandbox/aws/start-aws.ts';
import { type AwsJson, awsJson, operation, result } from '../../../sandbox/frame/aws-json.ts';
import { createFaultBoard } from '../../../sandbox/frame/faults.ts';
import { createClosers } from '../../../sandbox/frame/lifecycle.ts';
import { localClient } from '../../../sandbox/frame/local-aws.ts';
import { sandboxFeatures } from '../../../sandbox/sandbox.ts';
import { createPlayedRows } from '../../../sandbox/stream/played-rows.ts';
import { serveForTest } from '../../support/local-servers.ts';

/*
 * The sandbox's AWS with functions that note what they get, over a table's streams that note how they are read.
 */

const streams: AwsJson = { version: '1.0', service: 'DynamoDBStreams_20120810', namespace: 'com.amazonaws.dynamodb' };

const streamArns = {
  calls: 'arn:aws:dynamodb:local:0:table/calls/stream/1',
  agents: 'arn:aws:dynamodb:local:0:table/agents/stream/1',
};

/** A request to a stream: where a reader without a checkpoint begins, or how many records it asks for. */
interface Read {
  readonly arn: string;
  readonly position?: string;
  readonly limit?: number;
}

/** What the streams hold: changes of rows of these kinds, and deletions. Of each there is one of each of these ages. */
export interface Held {
  readonly kinds: readonly string[];
  readonly agesSeconds: readonly number[];
}

const firstSequence = 1_000;

/** How old a change of `recordsIn` was. */
const ageAt = ({ kinds, agesSeconds }: Held, sequence: number): number =>
  agesSeconds[Math.floor((sequence - firstSequence) / (2 * kinds.length))] ?? 0;

/** Many batches of changes, all ages among the first of them. Each kind is written, and deleted, as when it has expired. */
const recordsIn = (held: Held) =>
  Array.from({ length: 200 * held.kinds.length }, (_, index) => {
    const image = { kind: { S: held.kinds[(index >> 1) % held.kinds.length] } };
    return {
      eventID: `${index}`,
      eventName: index % 2 === 0 ? 'INSERT' : 'REMOVE',
      dynamodb: {
        SequenceNumber: `${firstSequence + index}`,
        ApproximateCreationDateTime: Math.floor(Date.now() / 1_000) - ageAt(held, firstSequence + index),
        ...(index % 2 === 0 ? { NewImage: image } : { OldImage: image }),
      },
    };
  });

/** Streams of one shard each, with these changes. */
const streamsOf = (held: Held, onRead: (read: Read) => void) => {
  const records = recordsIn(held);
  const Iterator = z.object({
    StreamArn: z.string(),
    ShardIteratorType: z.string(),
    SequenceNumber: z.string().optional(),
  });

  return awsJson(streams, {
    DescribeStream: operation(streams, z.object({ StreamArn: z.string() }), () =>
      result(streams, { StreamDescription: { Shards: [{ ShardId: 'only' }] } }),
    ),
    GetShardIterator: operation(streams, Iterator, ({ StreamArn, ShardIteratorType, SequenceNumber }) => {
      if (SequenceNumber === undefined) onRead({ arn: StreamArn, position: ShardIteratorType });
      const at = SequenceNumber === undefined ? 0 : Number(SequenceNumber) + 1 - firstSequence;
      return result(streams, { ShardIterator: `${StreamArn} ${at}` });
    }),
    GetRecords: operation(
      streams,
      z.object({ ShardIterator: z.string(), Limit: z.int() }),
      ({ ShardIterator, Limit }) => {
        const [arn = '', at = ''] = ShardIterator.split(' ');
        const Records = records.slice(Number(at), Number(at) + Limit);
        onRead({ arn, limit: Limit });
        return result(streams, { Records, NextShardIterator: `${arn} ${Number(at) + Records.length}` });
      },
    ),
  });
};

interface Event {
  readonly Records: readonly {
    readonly eventSourceARN: string;
    readonly messageId?: string;
    readonly dynamodb?: {
      readonly SequenceNumber: string;
      /** A deletion has none. */
      readonly NewImage?: { readonly kind: { readonly S: string } };
    };
  }[];
}

type EventRecord = Event['Records'][number];

const idOf = ({ messageId, dynamodb }: EventRecord): string => messageId ?? dynamodb?.SequenceNumber ?? '';

/** A function and what it reads, with its runs in their order. */
interface Source {
  readonly name: FunctionName;
  readonly arn: string;
  readonly runs: (readonly EventRecord[])[];
  /** The record that its first run names as failed. */
  readonly failed: string;
  running: number;
  mostAtOnce: number;
}

const isQueue = (arn: string): boolean => arn.includes(':sqs:');

/** Functions that hold their first runs until they are released, and then name the last record of it as failed. The second of a stream crashes. */
const notingFunctions = () => {
  const sources = new Map<string, Source>();
  const released = Promise.withResolvers<void>();
  const use = (name: FunctionName) => async (event: unknown) => {
    const { Records } = event as Event;
    const arn = Records[0]?.eventSourceARN ?? '';
    const failed = Records.at(-1);
    const key = `${name} ${arn}`;
    const isFirst = !sources.has(key);
    const source = sources.get(key) ?? {
      name,
      arn,
      runs: [],
      failed: failed === undefined ? '' : idOf(failed),
      running: 0,
      mostAtOnce: 0,
    };
    sources.set(key, source);
    source.runs.push(Records);
    source.running += 1;
    source.mostAtOnce = Math.max(source.mostAtOnce, source.running);
    await released.promise;
    source.running -= 1;
    if (source.runs.length === 2 && !isQueue(arn)) throw new Error('crash');
    return isFirst ? { batchItemFailures: [{ itemIdentifier: source.failed }] } : undefined;
  };
  return { use, sources: () => [...sources.values()], release: released.resolve };
};

const sentPerQueue = 30;

/** Starts it, gives each queue and each stream more than a run may get, and waits until all of it was processed or failed. */
export const observeSandbox = async (held: Held) => {
  const closers = createClosers();
  const reads: Read[] = [];
  const functions = notingFunctions();
  const served = await serveForTest(streamsOf(held, (read) => reads.push(read)));
  closers.add(served.close);
  const options = { port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false, recordings: true };
  const aws = await startAws(
    {
      options,
      functions,
      store: { url: served.url, faultyUrl: served.url, streamArns, ended: new Promise<void>(() => undefined) },
      secret: { accounts: () => [] },
      board: createFaultBoard(),
      consoleLog: createConsoleLog(),
      counters: createCounters(),
      closers,
      played: createPlayedRows(),
    },
    sandboxFeatures,
  );
  const sqs = new SQSClient(localClient(aws.urls.sqs));
  closers.add(() => sqs.destroy());
  const attributesOf = async (QueueUrl: string): Promise<Readonly<Record<string, string>>> =>
    (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes ?? {};
  const queues = await Promise.all(
    Object.entries(aws.addresses).map(async ([name, url]) => ({ name, url, attributes: await attributesOf(url) })),
  );
  const read = queues.filter(({ name }) => !/deadLetters/i.test(name));
  for (const { url } of read) await fill(sqs, url);

  const streamReaders = 3;
  await seen(() => functions.sources().length >= read.length + streamReaders);
  functions.release();
  const isDone = ({ arn, runs }: Source): boolean =>
    isQueue(arn) ? new Set(runs.flat().map(idOf)).size === sentPerQueue : runs.length > 2;
  await seen(() => functions.sources().every(isDone));

  return {
    queues,
    reads,
    sources: functions.sources(),
    attributesOf,
    startTicks: aws.startTicks,
    stop: closers.closeAll,
  };
};

/** Waits for something. What does not come is missing in what is observed, and the comparison says which it is. */
const seen = (isSeen: () => boolean | Promise<boolean>): Promise<unknown> =>
  vi.waitFor(async () => expect(await isSeen()).toBe(true), { timeout: 20_000 }).catch(() => undefined);

export type ObservedSandbox = Awaited<ReturnType<typeof observeSandbox>>;

const fill = async (sqs: SQSClient, QueueUrl: string): Promise<void> => {
  for (let round = 0; round < sentPerQueue / 10; round++) {
    const Entries = Array.from({ length: 10 }, (_, index) => {
      const id = `${round}-${index}`;
      const ofGroup = QueueUrl.endsWith('.fifo') ? { MessageGroupId: id, MessageDeduplicationId: id } : {};
      return { Id: id, MessageBody: 'any', ...ofGroup };
    });
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
};

/** Whether the record that a run named as failed, and no other, came again or waits to. */
export const onlyFailedComesAgain = async (
  { queues, attributesOf }: ObservedSandbox,
  { arn, runs, failed }: Source,
): Promise<boolean> => {
  if (!isQueue(arn)) return runs[1]?.map(idOf)[0] === failed;
  const { url = '' } = queues.find(({ attributes }) => attributes['QueueArn'] === arn) ?? {};
  /** Those that a run still has are hidden too, until it has ended. */
  const left = async (): Promise<number> => {
    const attributes = await attributesOf(url);
    return (
      Number(attributes['ApproximateNumberOfMessages']) + Number(attributes['ApproximateNumberOfMessagesNotVisible'])
    );
  };
  await seen(async () => (await left()) <= 1);
  const stillThere = await left();
  const twice = [...Map.groupBy(runs.flat(), idOf)].filter(([, deliveries]) => deliveries.length > 1);
  return twice.every(([id]) => id === failed) && stillThere <= 1 && (stillThere === 1 || twice.length === 1);
};

/** The ages of the changes that a function got of a stream. */
export const agesSeen = (held: Held, { runs }: Source): readonly number[] =>
  [...new Set(runs.flat().map((record) => ageAt(held, Number(idOf(record)))))].toSorted((one, other) => one - other);

/** Whether the run after a crash gets the first part of what the crashed one had. */
export const crashHalvesBatch = ({ runs: [, crashed = [], next = []] }: Source): boolean =>
  next.length < crashed.length && next[0] !== undefined && idOf(next[0]) === crashed.map(idOf)[0];

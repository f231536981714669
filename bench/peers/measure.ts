import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { batches } from '../../lib/core/collections.ts';
import { createTables } from '../../sandbox/dynamodb/start-store.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { lambdaRecord } from '../../sandbox/stream/shard.ts';
import type { Item } from '../../test/deployment/memory-dynamodb.ts';
import { formOf, httpApiEvent } from '../../test/support/local-servers.ts';
import { type AwsEndpointSettings, type RecordedRequest, startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { callbacks, callNumbered, justEnded } from '../functions.ts';
import { type Invocation, type LambdaProcess, startLambda } from '../lambda/lambda-process.ts';
import { sum } from '../meter/counts.ts';
import { streamRecords } from '../meter/row-writes.ts';
import { type BundledFunction, type BundledPeer, peerSecret } from './peers.ts';

export interface Work {
  readonly callsBeforeReply: number;
  /** Including those of the publisher, which runs after the reply. */
  readonly calls: number;
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  readonly events: number;
}

/** What each kind of callback needs: a new call, the same once more, and the call with its disposition. */
export type CountedWork = Readonly<Record<'first' | 'repeat' | 'revision', Work>>;

const Accepted = z.object({ statusCode: z.literal(200) });
const Published = z.object({ batchItemFailures: z.array(z.unknown()).max(0) });

/** The peers' account is in India, half an hour past the fifth hour ahead of UTC. */
const indiaAheadMs = 5.5 * 3_600_000;

/** Counts the requests of a peer's functions to AWS, with empty tables in a running DynamoDB Local. */
export const countWork = async (peer: BundledPeer, dynamodbUrl: string): Promise<CountedWork> => {
  const { tables } = peer.deployment;
  const client = new DynamoDBClient(localClient(dynamodbUrl));
  await createTables(client, tables).finally(() => client.destroy());
  const { aws, receiving, publishing, stop } = await startPeer(peer, { endpoint: dynamodbUrl, tables });

  const now = new Date(Date.now() + indiaAheadMs);
  const post = async (data: string): Promise<Work> => {
    await invoke(receiving, httpApiEvent({ body: formOf(justEnded(data, now)) }), Accepted);
    const before = aws.takeRequests();
    const Records = streamRecords(before.flatMap(({ writes }) => writes));
    if (publishing !== undefined && Records.length > 0) await invoke(publishing, { Records }, Published);
    return workOf(before, aws.takeRequests());
  };

  try {
    // The first call reads the secret, which is cached from then on.
    await post(callbacks.another);
    return {
      first: await post(callbacks.first),
      repeat: await post(callbacks.first),
      revision: await post(callbacks.revision),
    };
  } finally {
    await stop();
  }
};

/** Starts the functions of a peer with an AWS endpoint of its own, which answers at once unless it gets tables. */
const startPeer = async ({ receiver, publisher }: BundledPeer, dynamodb?: AwsEndpointSettings['dynamodb']) => {
  const aws = await startAwsEndpoint({ secret: peerSecret, ...(dynamodb && { dynamodb }) });
  const start = ({ folder, environment }: BundledFunction) =>
    startLambda({ folder, environment: environment(aws.url) });
  const receiving = await start(receiver);
  const publishing = publisher && (await start(publisher));
  return {
    aws,
    receiving,
    publishing,
    async stop() {
      await Promise.all([receiving.stop(), publishing?.stop()]);
      await aws.close();
    },
  };
};

const invoke = async (lambda: LambdaProcess, event: unknown, expected: z.ZodType): Promise<void> => {
  const { result, error } = await lambda.invoke(event);
  if (error !== undefined || !expected.safeParse(result).success)
    throw new Error(`A function did not do its work: ${JSON.stringify(error ?? result)}`);
};

const workOf = (before: readonly RecordedRequest[], after: readonly RecordedRequest[]): Work => {
  const all = [...before, ...after];
  const { tableWriteUnits, indexWriteUnits, events } = sum(...all.map(({ counts }) => [1, counts] as const));
  return {
    callsBeforeReply: before.length,
    calls: all.length,
    writeUnits: tableWriteUnits + indexWriteUnits,
    indexWriteUnits,
    events,
  };
};

/** Microseconds of processor time of whole processes, for one callback. */
export interface CpuTime {
  readonly receiverUs: number;
  /** Of the publisher, if there is one: with one change in a batch, and with ten. */
  readonly publisherUs: number;
  readonly publisherOfTenUs: number;
}

const callbacksARound = 100;
const warmUpRounds = 4;

const Written = z.object({ Item: z.custom<Item>() });

export const startMeasured = async (bundled: BundledPeer) => {
  const { aws, receiving, publishing, stop } = await startPeer(bundled);
  let number = 0;

  const round = async (): Promise<CpuTime> => {
    const events = Array.from({ length: callbacksARound }, () =>
      httpApiEvent({ body: formOf(callNumbered(++number)) }),
    );
    aws.takeRequests();
    const receiverUs = await cpuOf(receiving, events);
    const changes = aws.takeRequests().flatMap(changeIn);
    if (publishing === undefined) return { receiverUs, publisherUs: 0, publisherOfTenUs: 0 };
    const publisherUs = await cpuOf(
      publishing,
      changes.map((change) => batchOf(change)),
    );
    const tens = batches(changes, (batch) => batch.length < 10).map((batch) => batchOf(...batch));
    return { receiverUs, publisherUs, publisherOfTenUs: (await cpuOf(publishing, tens)) / 10 };
  };
  for (let warm = 0; warm < warmUpRounds; warm += 1) await round();

  return { round, stop };
};

/** The mean processor time of all events but the first, whose reply gives the time at the start. */
const cpuOf = async (lambda: LambdaProcess, [first, ...others]: readonly unknown[]): Promise<number> => {
  const before = await lambda.invoke(first);
  let after = before;
  for (const event of others) {
    after = await lambda.invoke(event);
    if (isRejected(after)) throw new Error(`A handler failed: ${JSON.stringify(after.error ?? after.result)}`);
  }
  return (after.cpuUs - before.cpuUs) / others.length;
};

const Rejected = z.object({ statusCode: z.number().min(300) });

const isRejected = ({ error, result }: Invocation): boolean =>
  error !== undefined || Rejected.safeParse(result).success;

const changeIn = ({ operation, input }: RecordedRequest): readonly DynamoDBRecord[] => {
  if (operation !== 'PutItem') return [];
  const { Item: NewImage } = Written.parse(input);
  const dynamodb = { SequenceNumber: '000000000000000000001', NewImage };
  return [lambdaRecord({ eventName: 'INSERT', dynamodb }, 'stream')];
};

const batchOf = (...Records: readonly DynamoDBRecord[]) => ({ Records });

import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { batches } from '../../lib/core/collections.ts';
import { lambdaRecord } from '../../sandbox/stream/shard.ts';
import type { Item } from '../../test/deployment/memory-dynamodb.ts';
import { formOf, httpApiEvent } from '../../test/support/local-servers.ts';
import type { RecordedRequest } from '../aws/aws-endpoint.ts';
import type { Invocation, LambdaProcess } from '../lambda/lambda-process.ts';
import { callNumbered } from '../sample-posts.ts';
import type { BundledPeer } from './peers.ts';
import { startPeer } from './start-peer.ts';

const Written = z.object({ Item: z.custom<Item>() });
const Rejected = z.object({ statusCode: z.number().min(300) });

/** Processor time for one callback, in microseconds, of the whole process. */
export interface CpuTime {
  readonly receiverUs: number;
  /** One change in a batch; 0 without a publisher. */
  readonly publisherUs: number;
  /** One of ten changes in a batch; 0 without a publisher. */
  readonly publisherOfTenUs: number;
}

const callbacksARound = 100;
const warmUpRounds = 4;
const changesABatch = 10;

export const startMeasured = async (bundled: BundledPeer) => {
  const { aws, receiving, publishing, stop } = await startPeer(bundled);
  let number = 1;

  const round = async (): Promise<CpuTime> => {
    const first = number;
    number += callbacksARound;
    const events = Array.from({ length: callbacksARound }, (_, index) =>
      httpApiEvent({ body: formOf(callNumbered(first + index)) }),
    );
    aws.takeRequests();
    const receiverUs = await cpuOf(receiving, events);
    const changes = aws.takeRequests().flatMap(changeIn);
    if (publishing === undefined) return { receiverUs, publisherUs: 0, publisherOfTenUs: 0 };
    const publisherUs = await cpuOf(
      publishing,
      changes.map((change) => batchOf([change])),
    );
    const fullBatches = batches(changes, (batch) => batch.length < changesABatch).map(batchOf);
    const publisherOfTenUs = (await cpuOf(publishing, fullBatches)) / changesABatch;
    return { receiverUs, publisherUs, publisherOfTenUs };
  };
  for (let warm = 0; warm < warmUpRounds; warm += 1) await round();

  return { round, stop };
};

/** The mean processor time of an event. The first event only starts the clock: its reply has the process's time until then. */
const cpuOf = async (lambda: LambdaProcess, events: readonly unknown[]): Promise<number> => {
  const [first, ...others] = events;
  const before = await lambda.invoke(first);
  let after = before;
  for (const event of others) {
    after = await lambda.invoke(event);
    if (isRejected(after)) throw new Error(`A handler failed: ${JSON.stringify(after.error ?? after.result)}`);
  }
  return (after.cpuUs - before.cpuUs) / others.length;
};

const isRejected = ({ error, result }: Invocation): boolean =>
  error !== undefined || Rejected.safeParse(result).success;

const changeIn = ({ operation, input }: RecordedRequest): readonly DynamoDBRecord[] => {
  if (operation !== 'PutItem') return [];
  const { Item: NewImage } = Written.parse(input);
  const dynamodb = { SequenceNumber: '000000000000000000001', NewImage };
  return [lambdaRecord({ eventName: 'INSERT', dynamodb }, 'stream')];
};

const batchOf = (Records: readonly DynamoDBRecord[]) => ({ Records });

import { DescribeTableCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { pause } from '../../../sandbox/closers.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { deliver, filterPublished } from '../../../sandbox/stream/deliver.ts';
import { lambdaRecord } from '../../../sandbox/stream/lambda-record.ts';
import { iteratorAfter, recordsAt, shardsOf } from '../../../sandbox/stream/shard.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import type { BundledPeer } from './peers.ts';

/** The partition in which rows mark how far the stream was asked for: they are nobody's. */
const markPartition = 'mark';

/** The stream of a table that has a partition key `pk` and a sort key `sk`. */
export interface TableStream {
  /** Everything that was written since the last time, in order, as Lambda hands it over. */
  changes(): Promise<readonly DynamoDBRecord[]>;
  close(): void;
}

const idleMs = 10;
const streamTimeoutMs = 20_000;

/** Opens the stream of a table of DynamoDB Local, which has one shard, from its oldest record. */
const openTableStream = async (client: DynamoDBClient, endpoint: string, name: string): Promise<TableStream> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  const streams = new DynamoDBStreamsClient(localClient(endpoint));
  const stream = { client: streams, arn: Table?.LatestStreamArn ?? '' };
  const [shard] = await shardsOf(stream);
  const shardId = shard?.ShardId ?? '';
  let at: string | undefined;
  let last: string | undefined;
  let marks = 0;

  const next = async (): Promise<readonly DynamoDBRecord[]> => {
    at ??= await iteratorAfter(stream, shardId, last);
    if (at === undefined) throw new Error(`The stream of ${name} is at its end`);
    const page = await recordsAt(stream, at).catch(unlessTrimmed);
    at = page.next;
    last = page.records.at(-1)?.dynamodb?.SequenceNumber ?? last;
    return page.records.map((record) => lambdaRecord(record, stream.arn));
  };

  /** Reads on until the mark comes: what was written before it has come by then. */
  const readTo = async (mark: string): Promise<readonly DynamoDBRecord[]> => {
    const signal = AbortSignal.timeout(streamTimeoutMs);
    const read: DynamoDBRecord[] = [];
    while (!signal.aborted) {
      const found = await next();
      read.push(...found.filter((record) => keyOf(record, 'pk') !== markPartition));
      if (found.some((record) => keyOf(record, 'pk') === markPartition && keyOf(record, 'sk') === mark)) return read;
      if (found.length === 0) await pause(idleMs, signal);
    }
    throw new Error(`What was just written to ${name} did not come to its stream`);
  };

  return {
    close: () => streams.destroy(),
    async changes() {
      marks += 1;
      const Item = { pk: { S: markPartition }, sk: { S: String(marks) } };
      await client.send(new PutItemCommand({ TableName: name, Item }));
      return readTo(String(marks));
    },
  };
};

/** An iterator of an empty shard is of no use once there are records: the next one is asked for anew. */
const unlessTrimmed = (error: unknown) => {
  if (error instanceof TrimmedDataAccessException) return { records: [], next: undefined };
  throw error;
};

const keyOf = ({ dynamodb }: DynamoDBRecord, name: string): string | undefined => dynamodb?.Keys?.[name]?.S;

/** What follows a reply. */
export interface Publishing {
  /** Resolves once everything that was written so far is published. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

const publishTimeoutMs = 20_000;

/** Nothing follows where the event comes from the receiver itself. */
const noPublishing: Publishing = { catchUp: async () => undefined, stop: async () => undefined };

/** Runs the publisher of a peer on the stream of its table of calls, as Lambda would: until each change is handled. */
export const startPublishing = async (
  { deployment, publisher }: BundledPeer,
  { client, endpoint, awsUrl }: { readonly client: DynamoDBClient; readonly endpoint: string; readonly awsUrl: string },
  onOutput: (text: string) => void,
): Promise<Publishing> => {
  if (publisher === undefined) return noPublishing;
  const stream = await openTableStream(client, endpoint, deployment.callsTable);
  const { folder, environment } = publisher;
  const lambda = await startLambda({ folder, environment: environment(awsUrl), onOutput });
  const kinds = deployment.tables[deployment.callsTable]?.published ?? [];

  const invoke = filterPublished(kinds, async (event) => {
    const { result, error } = await lambda.invoke(event);
    if (error === undefined) return result;
    onOutput(`${JSON.stringify(error)}\n`);
    throw new Error(error.errorMessage);
  });
  const publish = async () => {
    const signal = AbortSignal.timeout(publishTimeoutMs);
    await deliver(await stream.changes(), { invoke, signal, onFailure: () => undefined }, () => undefined);
    if (signal.aborted) throw new Error('The publisher did not handle what was written');
  };
  // The stream has one reader, whoever asks.
  let last = Promise.resolve();
  return {
    catchUp() {
      last = last.then(publish);
      return last;
    },
    async stop() {
      stream.close();
      await lambda.stop();
    },
  };
};

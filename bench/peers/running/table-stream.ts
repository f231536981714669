import { DescribeTableCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { localClient } from '../../../sandbox/local-client.ts';
import { pause } from '../../../sandbox/pause.ts';
import { lambdaRecord } from '../../../sandbox/stream/lambda-record.ts';
import { iteratorAfter, recordsAt, shardsOf } from '../../../sandbox/stream/shard.ts';

/** The partition in which rows mark how far the stream was asked for: they are nobody's. */
export const markPartition = 'mark';

/** The stream of a table that has a partition key `pk` and a sort key `sk`. */
export interface TableStream {
  /** Everything that was written since the last time, in order, as Lambda hands it over. */
  changes(): Promise<readonly DynamoDBRecord[]>;
  close(): void;
}

const idleMs = 10;
const longestMs = 20_000;

/** Opens the stream of a table of DynamoDB Local, which has one shard, from its oldest record. */
export const openTableStream = async (client: DynamoDBClient, endpoint: string, name: string): Promise<TableStream> => {
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
    const signal = AbortSignal.timeout(longestMs);
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

import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBStreamsClient,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { localClient } from '../../sandbox/local-client.ts';
import { pause } from '../../sandbox/pause.ts';
import { iteratorAfter, recordsAt, shardsOf } from '../../sandbox/stream/shard.ts';

/** A table's stream that is read for many at once. */
export interface FollowedStream {
  /** Reads on until it is so. */
  readonly until: (isSo: () => boolean) => Promise<void>;
  readonly close: () => void;
}

/** To ask all the time would keep DynamoDB Local from its work. */
const idleMilliseconds = 15;
const never = new AbortController().signal;

/** Follows the stream of a table of DynamoDB Local, which has one shard: all its records are in one order. */
export const followStream = async (
  client: DynamoDBClient,
  { endpoint, table }: { readonly endpoint: string; readonly table: string },
  onRecord: (record: StreamRecord) => void,
): Promise<FollowedStream> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  const streams = new DynamoDBStreamsClient(localClient(endpoint));
  const stream = { client: streams, arn: Table?.LatestStreamArn ?? '' };
  const [shard, ...others] = await shardsOf(stream);
  if (shard?.ShardId === undefined || others.length > 0) throw new Error(`The stream of ${table} has not one shard`);
  const { ShardId } = shard;
  let last: string | undefined;
  let at: string | undefined;

  const readOn = async (): Promise<void> => {
    at ??= await iteratorAfter(stream, ShardId, last);
    if (at === undefined) throw new Error(`The stream of ${table} is at its end`);
    const { records, next } = await recordsAt(stream, at);
    at = next;
    last = records.at(-1)?.dynamodb?.SequenceNumber ?? last;
    records.forEach(onRecord);
    if (records.length === 0) await pause(idleMilliseconds, never);
  };
  /** An iterator of an empty shard is of no use once there are records. */
  const again = (error: unknown): void => {
    if (!(error instanceof TrimmedDataAccessException)) throw error;
    at = undefined;
  };
  let reading: Promise<void> | undefined;

  return {
    async until(isSo) {
      while (!isSo()) {
        reading ??= readOn()
          .catch(again)
          .finally(() => {
            reading = undefined;
          });
        await reading;
      }
    },
    close: () => streams.destroy(),
  };
};

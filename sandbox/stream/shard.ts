import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';

/** One stream of one client. */
export interface Stream {
  readonly client: Pick<DynamoDBStreamsClient, 'send'>;
  readonly arn: string;
}

/** Every shard of a stream, open or closed. */
export const shardsOf = async ({ client, arn }: Stream): Promise<readonly Shard[]> => {
  const shards: Shard[] = [];
  let from: string | undefined;
  do {
    const start = from === undefined ? {} : { ExclusiveStartShardId: from };
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: arn, ...start }));
    shards.push(...(StreamDescription?.Shards ?? []));
    from = StreamDescription?.LastEvaluatedShardId;
  } while (from !== undefined);

  return shards;
};

const iterator = async ({ client, arn }: Stream, ShardId: string, after: string | undefined) => {
  const where =
    after === undefined
      ? ({ ShardIteratorType: 'TRIM_HORIZON' } as const)
      : ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after } as const);
  const { ShardIterator } = await client.send(new GetShardIteratorCommand({ StreamArn: arn, ShardId, ...where }));

  return ShardIterator;
};

/** Where to go on after a sequence number; from the oldest record there still is when what followed it is gone. */
export const iteratorAfter = async (stream: Stream, shardId: string, after: string | undefined) => {
  try {
    return await iterator(stream, shardId, after);
  } catch (error) {
    if (error instanceof TrimmedDataAccessException) return await iterator(stream, shardId, undefined);
    throw error;
  }
};

/** Up to a hundred records, which is Lambda's batch, and where the next ones are; no `next` means the shard is at its end. */
export const recordsAt = async ({ client }: Stream, ShardIterator: string) => {
  const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand({ ShardIterator, Limit: 100 }));

  return { records: Records, next: NextShardIterator };
};

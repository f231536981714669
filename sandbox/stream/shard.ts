import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';

export interface Stream {
  readonly client: Pick<DynamoDBStreamsClient, 'send'>;
  readonly arn: string;
}

/** All shards of a stream, open or closed. */
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

/** The iterator after a sequence number. If the records after it were trimmed, it begins at the oldest record. */
export const iteratorAfter = async (stream: Stream, shardId: string, after: string | undefined) => {
  try {
    return await iterator(stream, shardId, after);
  } catch (error) {
    if (error instanceof TrimmedDataAccessException) return await iterator(stream, shardId, undefined);
    throw error;
  }
};

/** Up to a hundred records (Lambda's batch size) and the next iterator. At the end of the shard `next` is undefined. */
export const recordsAt = async ({ client }: Stream, ShardIterator: string) => {
  const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand({ ShardIterator, Limit: 100 }));

  return { records: Records, next: NextShardIterator };
};

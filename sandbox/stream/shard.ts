import {
  type AttributeValue,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord, AttributeValue as LambdaValue } from 'aws-lambda';
import { mapValues, withoutUndefined } from '../../lib/core/collections.ts';

export interface Stream {
  readonly client: Pick<DynamoDBStreamsClient, 'send'>;
  readonly arn: string;
}

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

/** At most so many records, and the next iterator. At the end of the shard `next` is undefined. */
export const recordsAt = async ({ client }: Stream, ShardIterator: string, limit: number) => {
  const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand({ ShardIterator, Limit: limit }));

  return { records: Records, next: NextShardIterator };
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** An attribute value in Lambda's JSON. The SDK returns binary values as bytes; Lambda passes base64 text. */
const lambdaValue = (value: AttributeValue): LambdaValue => {
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  if (value.L !== undefined) return { L: value.L.map(lambdaValue) };
  if (value.S !== undefined) return { S: value.S };
  if (value.N !== undefined) return { N: value.N };
  if (value.BOOL !== undefined) return { BOOL: value.BOOL };
  if (value.NULL !== undefined) return { NULL: value.NULL };
  if (value.SS !== undefined) return { SS: value.SS };
  if (value.NS !== undefined) return { NS: value.NS };
  // The streams of DynamoDB Local omit the content of an empty map.
  return { M: lambdaImage(value.M ?? {}) };
};

export const lambdaImage = (image: Readonly<Record<string, AttributeValue>>): Record<string, LambdaValue> =>
  mapValues(image, lambdaValue);

export const lambdaRecord = (record: StreamRecord, streamArn: string): DynamoDBRecord => {
  const { eventID = '', eventName, eventVersion = '1.1', awsRegion = '', dynamodb = {} } = record;
  const { Keys, NewImage, OldImage, SequenceNumber = '', SizeBytes, StreamViewType } = dynamodb;
  const createdAt = dynamodb.ApproximateCreationDateTime;

  return {
    eventID,
    eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion,
    eventSourceARN: streamArn,
    ...(eventName !== undefined && { eventName }),
    dynamodb: withoutUndefined({
      SequenceNumber,
      SizeBytes,
      StreamViewType,
      ApproximateCreationDateTime: createdAt && createdAt.getTime() / 1000,
      Keys: Keys && lambdaImage(Keys),
      NewImage: NewImage && lambdaImage(NewImage),
      OldImage: OldImage && lambdaImage(OldImage),
    }),
  };
};

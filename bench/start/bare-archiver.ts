import { DynamoDBClient, PutItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Upload } from '@aws-sdk/lib-storage';
import { handlerOf } from './bare-functions.ts';

/** Beside the others it would be in their bundles: `lib-storage` does not say that it can be left out. */
export const archiver = () => {
  const dynamodb = new DynamoDBClient({});
  return handlerOf(
    { Query: (input: QueryCommandInput) => dynamodb.send(new QueryCommand(input)) },
    PutItemCommand,
    new SQSClient({}),
    SendMessageCommand,
    ChangeMessageVisibilityCommand,
    new S3Client({}),
    Upload,
    GetObjectCommand,
    DeleteObjectCommand,
  );
};

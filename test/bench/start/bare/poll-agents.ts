import {
  BatchWriteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

const dynamodb = new DynamoDBClient({});
const secrets = new SecretsManagerClient({});

/** What else the function may send. */
export const others = [BatchWriteItemCommand, TransactWriteItemsCommand];

/** The AWS clients of the poller, and on the first call what they are asked: the secret, two reads, two writes. */
export const handler = async () => {
  await secrets.send(new GetSecretValueCommand({ SecretId: 'accounts' }));
  for (const row of ['feed', 'floor']) {
    await dynamodb.send(
      new QueryCommand({
        TableName: 'agents',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: row } },
      }),
    );
    await dynamodb.send(new PutItemCommand({ TableName: 'agents', Item: { pk: { S: row } } }));
  }
  return { batchItemFailures: [] };
};

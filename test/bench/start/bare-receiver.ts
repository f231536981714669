import { DynamoDBClient, PutItemCommand, TransactWriteItemsCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

const dynamodb = new DynamoDBClient({});
const secrets = new SecretsManagerClient({});
const sqs = new SQSClient({});

/** The other commands that the function may send. */
export const others = [TransactWriteItemsCommand, UpdateItemCommand, SendMessageBatchCommand, sqs];

/** The AWS clients of the receiver alone. A call sends the requests of a first callback: the secret, one write. */
export const handler = async () => {
  await secrets.send(new GetSecretValueCommand({ SecretId: 'accounts' }));
  await dynamodb.send(new PutItemCommand({ TableName: 'calls', Item: { pk: { S: 'call' } } }));
  return { statusCode: 200 };
};

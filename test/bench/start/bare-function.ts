import { request } from 'node:http';
import {
  BatchWriteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { FunctionName } from '../../../functions/timeouts.ts';

/**
 * The function whose clients these are. The bundler puts its name here, and leaves out what the function does not use.
 */
declare const functionName: FunctionName;

/** An item of the table, as large as one of an agent or a call usually is. */
const itemNumbered = (number: number) => ({
  pk: { S: 'demo' },
  sk: { S: String(number) },
  text: { S: 'x'.repeat(200) },
});
const items = (count: number) => Array.from({ length: count }, (_, number) => itemNumbered(number));
const TableName = 'table';
const put = (Item: ReturnType<typeof itemNumbered>) => ({ Put: { TableName, Item } });

const Key = { pk: { S: 'demo' }, sk: { S: '1' } };
const names = { ExpressionAttributeNames: { '#t': 'text' }, ExpressionAttributeValues: { ':t': { S: 'x' } } };

const readSecret = () => {
  const secrets = new SecretsManagerClient({});
  return () => secrets.send(new GetSecretValueCommand({ SecretId: 'accounts' }));
};

const receiver = () => {
  const read = readSecret();
  const dynamodb = new DynamoDBClient({});
  return async () => {
    await read();
    await dynamodb.send(new PutItemCommand({ TableName, Item: itemNumbered(1) }));
    return { statusCode: 200 };
  };
};

const publisher = () => {
  const eventbridge = new EventBridgeClient({});
  const dynamodb = new DynamoDBClient({});
  const Entries = [{ Source: 'calls', DetailType: 'Call', Detail: JSON.stringify(itemNumbered(1)) }];
  return async () => {
    await eventbridge.send(new PutEventsCommand({ Entries }));
    await dynamodb.send(new UpdateItemCommand({ TableName, Key, UpdateExpression: 'SET #t = :t', ...names }));
    return { batchItemFailures: [] };
  };
};

const recovery = () => {
  const dynamodb = new DynamoDBClient({});
  return async () => {
    await dynamodb.send(new PutItemCommand({ TableName, Item: itemNumbered(1) }));
    return { batchItemFailures: [] };
  };
};

/** A POST to the telephony service, whose answer is read and nothing else. */
const post = (url: string) =>
  new Promise<string>((resolve, reject) => {
    request(url, { method: 'POST' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.once('end', () => resolve(text));
    })
      .once('error', reject)
      .end('{}');
  });

const Query = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'demo' } } };

const poller = () => {
  const read = readSecret();
  const dynamodb = new DynamoDBClient({});
  return async () => {
    const { SecretString = '' } = await read();
    for (let reads = 0; reads < 2; reads++) await dynamodb.send(new QueryCommand(Query));
    await dynamodb.send(new PutItemCommand({ TableName, Item: itemNumbered(1) }));
    await post(JSON.parse(SecretString)[0].baseUrl);
    const Puts = items(25).map((Item) => ({ PutRequest: { Item } }));
    await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: Puts } }));
    for (const count of [100, 100, 5])
      await dynamodb.send(new TransactWriteItemsCommand({ TransactItems: items(count).map(put) }));
    return { batchItemFailures: [] };
  };
};

const reconciler = () => {
  const read = readSecret();
  const others = [new DynamoDBClient({}), PutItemCommand, QueryCommand, TransactWriteItemsCommand];
  const sqs = new SQSClient({});
  return async () => {
    await read();
    const QueueUrl = process.env['RECONCILE_QUEUE_URL'];
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(others.length) }));
    return { batchItemFailures: [] };
  };
};

/**
 * The AWS clients of a function, with the requests of its first event one after the other, and nothing else. What the
 * function takes beyond this is our code. One expression, as the bundler sees no unused code behind a `return`.
 */
export const handler =
  functionName === 'receive-callback'
    ? receiver()
    : functionName === 'publish-changes'
      ? publisher()
      : functionName === 'recover-callbacks'
        ? recovery()
        : functionName === 'poll-agents'
          ? poller()
          : reconciler();

import { DynamoDBClient, PutItemCommand, TransactWriteItemsCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

const dynamodb = new DynamoDBClient({});

/** What else the function may send. */
export const others = [TransactWriteItemsCommand, UpdateItemCommand];

/** The AWS client of the recovery, and one write. */
export const handler = async () => {
  await dynamodb.send(new PutItemCommand({ TableName: 'calls', Item: { pk: { S: 'call' } } }));
  return { batchItemFailures: [] };
};

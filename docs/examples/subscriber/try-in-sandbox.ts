import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { handler } from './handler.ts';

// Replaces the stack: a table in the sandbox's DynamoDB, and a loop instead of rules and a queue.
const { TASKS_TABLE: TableName, SANDBOX: sandbox = 'http://127.0.0.1:3000' } = process.env;

const makeTable = async (): Promise<void> => {
  try {
    await new DynamoDBClient().send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'call', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'call', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
};

process.once('SIGINT', () => process.exit());
await makeTable();
const { body } = await fetch(`${sandbox}/_sandbox/events?follow`);
if (body === null) throw new Error(`No sandbox answers at ${sandbox}.`);

console.log('Waiting for missed calls. Ctrl-C ends this.');
for await (const line of createInterface({ input: Readable.fromWeb(body) }))
  await handler({ Records: [{ messageId: 'by hand', body: line }] });

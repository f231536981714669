import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { startChat } from './chat-stand-in.ts';

// Replaces the stack and the chat: a table in the sandbox's DynamoDB, a loop instead of rules and a queue, and a chat that prints.
const { NOTES_TABLE: TableName, SANDBOX: sandbox = 'http://127.0.0.1:3000' } = process.env;

const makeTable = async (): Promise<void> => {
  try {
    await new DynamoDBClient().send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
};

process.once('SIGINT', () => process.exit());
await makeTable();
const chat = await startChat((text) => {
  console.log(`The chat shows: ${text}`);
  return 200;
});
Object.assign(process.env, { WEBHOOK_SECRET: 'webhook', AWS_ENDPOINT_URL_SECRETS_MANAGER: chat.url });
// Its clients read the variables when it is loaded.
const { handler } = await import('./handler.ts');
const { body } = await fetch(`${sandbox}/_sandbox/events?follow`);
if (body === null) throw new Error(`No sandbox answers at ${sandbox}.`);

console.log('Waiting for missed calls. Ctrl-C ends this.');
const context = { getRemainingTimeInMillis: () => 30_000 } as Context;
for await (const line of createInterface({ input: Readable.fromWeb(body) }))
  await handler({ Records: [{ messageId: 'by hand', body: line }] }, context);

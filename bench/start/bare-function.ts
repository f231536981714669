import { request } from 'node:http';
import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  type SendMessageBatchCommandInput,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { Upload } from '@aws-sdk/lib-storage';
import type { FunctionName } from '../../functions/timeouts.ts';

/**
 * The function whose clients these are. The bundler puts its name here, and leaves out what the function does not use.
 */
declare const functionName: FunctionName;

const readSecret = () => {
  const secrets = new SecretsManagerClient({});
  return (input: GetSecretValueCommandInput) => secrets.send(new GetSecretValueCommand(input));
};

const receiver = () => {
  const dynamodb = new DynamoDBClient({});
  return {
    GetSecretValue: readSecret(),
    PutItem: (input: PutItemCommandInput) => dynamodb.send(new PutItemCommand(input)),
  };
};

/** An event as it was sent: with its time in seconds. */
type SentEvent = Omit<PutEventsRequestEntry, 'Time'> & { readonly Time: number };

const publisher = () => {
  const eventbridge = new EventBridgeClient({});
  const dynamodb = new DynamoDBClient({});
  return {
    PutEvents: ({ Entries }: { readonly Entries: readonly SentEvent[] }) => {
      const dated = Entries.map((entry) => ({ ...entry, Time: new Date(entry.Time * 1000) }));
      return eventbridge.send(new PutEventsCommand({ Entries: dated }));
    },
    UpdateItem: (input: UpdateItemCommandInput) => dynamodb.send(new UpdateItemCommand(input)),
  };
};

const recovery = () => {
  const dynamodb = new DynamoDBClient({});
  return { PutItem: (input: PutItemCommandInput) => dynamodb.send(new PutItemCommand(input)) };
};

/** A POST to the telephony service, whose answer is read and nothing else. */
const post = ({ url }: { readonly url: string }) =>
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

const poller = () => {
  const dynamodb = new DynamoDBClient({});
  return {
    GetSecretValue: readSecret(),
    getAgentLogins: post,
    Query: (input: QueryCommandInput) => dynamodb.send(new QueryCommand(input)),
    PutItem: (input: PutItemCommandInput) => dynamodb.send(new PutItemCommand(input)),
    BatchWriteItem: (input: BatchWriteItemCommandInput) => dynamodb.send(new BatchWriteItemCommand(input)),
    TransactWriteItems: (input: TransactWriteItemsCommandInput) => dynamodb.send(new TransactWriteItemsCommand(input)),
  };
};

const reconciler = () => {
  const sqs = new SQSClient({});
  return {
    GetSecretValue: readSecret(),
    SendMessage: (input: SendMessageCommandInput) => sqs.send(new SendMessageCommand(input)),
    // Of these it sends none in its first event.
    others: [new DynamoDBClient({}), PutItemCommand, QueryCommand, TransactWriteItemsCommand],
  };
};

const forwarder = () => {
  const sqs = new SQSClient({});
  return {
    GetSecretValue: readSecret(),
    SendMessageBatch: (input: SendMessageBatchCommandInput) => sqs.send(new SendMessageBatchCommand(input)),
    // Of these it sends none in its first event.
    others: [new DynamoDBClient({}), QueryCommand, ChangeMessageVisibilityCommand],
  };
};

const archiver = () => {
  const dynamodb = new DynamoDBClient({});
  return {
    Query: (input: QueryCommandInput) => dynamodb.send(new QueryCommand(input)),
    // Of these it sends none in its first event.
    others: [
      [PutItemCommand, new SQSClient({}), SendMessageCommand, ChangeMessageVisibilityCommand],
      [new S3Client({}), Upload, GetObjectCommand, DeleteObjectCommand],
    ],
  };
};

/** One expression, as the bundler sees no unused code behind a `return`. */
const senders: Readonly<Record<string, unknown>> =
  functionName === 'receive-callback'
    ? receiver()
    : functionName === 'publish-changes'
      ? publisher()
      : functionName === 'recover-callbacks'
        ? recovery()
        : functionName === 'poll-agents'
          ? poller()
          : functionName === 'reconcile-calls'
            ? reconciler()
            : functionName === 'archive-recordings'
              ? archiver()
              : forwarder();

/** Requests as the endpoints received them. */
export interface SentRequests {
  readonly requests: readonly { readonly operation: string; readonly input: unknown }[];
}

/**
 * The AWS clients of a function with the SDK's own settings, and the requests of its first event one after the other. What
 * the function takes beyond this is our code, less what our settings of the clients save.
 */
export const handler = async ({ requests }: SentRequests) => {
  for (const { operation, input } of requests) {
    const send = senders[operation];
    if (typeof send !== 'function') throw new Error(`${functionName} sends ${operation}, and these clients cannot`);
    await send(input);
  }
  return { batchItemFailures: [] };
};

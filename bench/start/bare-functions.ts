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

/*
 * For each function that is measured, a handler with the same AWS clients and no other code. A bundle has one of these
 * handlers: the bundler leaves out the other ones with their clients. Each handler sends the requests of its event.
 */

export interface SentRequests {
  readonly requests: readonly { readonly operation: string; readonly input: unknown }[];
}

export const empty = () => async () => ({ statusCode: 200 });

/** A handler that sends the requests of its event one after the other. `others` only brings what is unused at first into the bundle. */
export const handlerOf =
  (senders: Readonly<Record<string, unknown>>, ..._others: readonly unknown[]) =>
  async ({ requests }: SentRequests) => {
    for (const { operation, input } of requests) {
      const send = senders[operation];
      if (typeof send !== 'function') throw new Error(`This function sends ${operation}, and these clients cannot`);
      await send(input);
    }
    return { batchItemFailures: [] };
  };

const getSecretValue = () => {
  const secrets = new SecretsManagerClient({});
  return (input: GetSecretValueCommandInput) => secrets.send(new GetSecretValueCommand(input));
};

export const receiver = () => {
  const dynamodb = new DynamoDBClient({});
  return handlerOf(
    {
      GetSecretValue: getSecretValue(),
      PutItem: (input: PutItemCommandInput) => dynamodb.send(new PutItemCommand(input)),
    },
    SQSClient,
    SendMessageBatchCommand,
  );
};

/** An event as the endpoint received it: its time is in seconds. */
type SentEvent = Omit<PutEventsRequestEntry, 'Time'> & { readonly Time: number };

export const publisher = () => {
  const eventbridge = new EventBridgeClient({});
  const dynamodb = new DynamoDBClient({});
  return handlerOf({
    PutEvents: (input: { readonly Entries: readonly SentEvent[] }) => {
      const Entries = input.Entries.map((entry) => ({ ...entry, Time: new Date(entry.Time * 1000) }));
      return eventbridge.send(new PutEventsCommand({ Entries }));
    },
    UpdateItem: (input: UpdateItemCommandInput) => dynamodb.send(new UpdateItemCommand(input)),
  });
};

export const recovery = () => {
  const dynamodb = new DynamoDBClient({});
  return handlerOf({ PutItem: (input: PutItemCommandInput) => dynamodb.send(new PutItemCommand(input)) });
};

/** A POST to the telephony service. Its answer is read, and nothing else. */
const post = ({ url }: { readonly url: string }) =>
  new Promise<void>((resolve, reject) => {
    request(url, { method: 'POST' }, (response) => response.once('end', resolve).resume())
      .once('error', reject)
      .end('{}');
  });

export const poller = () => {
  const dynamodb = new DynamoDBClient({});
  return handlerOf({
    GetSecretValue: getSecretValue(),
    getAgentLogins: post,
    Query: (input: QueryCommandInput) => dynamodb.send(new QueryCommand(input)),
    PutItem: (input: PutItemCommandInput) => dynamodb.send(new PutItemCommand(input)),
    BatchWriteItem: (input: BatchWriteItemCommandInput) => dynamodb.send(new BatchWriteItemCommand(input)),
    TransactWriteItems: (input: TransactWriteItemsCommandInput) => dynamodb.send(new TransactWriteItemsCommand(input)),
  });
};

export const reconciler = () => {
  const sqs = new SQSClient({});
  return handlerOf(
    {
      GetSecretValue: getSecretValue(),
      SendMessage: (input: SendMessageCommandInput) => sqs.send(new SendMessageCommand(input)),
    },
    new DynamoDBClient({}),
    PutItemCommand,
    QueryCommand,
    TransactWriteItemsCommand,
  );
};

export const forwarder = () => {
  const sqs = new SQSClient({});
  return handlerOf(
    {
      GetSecretValue: getSecretValue(),
      SendMessageBatch: (input: SendMessageBatchCommandInput) => sqs.send(new SendMessageBatchCommand(input)),
    },
    new DynamoDBClient({}),
    QueryCommand,
    ChangeMessageVisibilityCommand,
  );
};

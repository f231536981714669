import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { NotACallfeedEvent, parseEvent } from 'callfeed/contract';
import { type Message, messageOf } from './message.ts';

const { NOTES_TABLE: tableName = '', WEBHOOK_SECRET: SecretId } = process.env;
const secrets = new SecretsManagerClient();

/** Far longer than a repeat can take: four days in the queue, and fourteen among the dead letters. */
const config = new IdempotencyConfig({ expiresAfterSeconds: 90 * 24 * 60 * 60 });

/** The chat did not take a message. Its answer may repeat the message, so only the status is told. */
class ChatRefused extends Error {}

const post = async (call: Message['call'], text: string, address: string): Promise<void> => {
  const { ok, status } = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
    // A chat that answers later may have the message, and gets it again. Three in a batch fit into the function's half a minute.
    signal: AbortSignal.timeout(8_000),
  });
  if (!ok) throw new ChatRefused(`The chat answered ${status}.`);
  console.log(JSON.stringify({ message: 'message sent', callId: call.callId }));
};

/**
 * Posts once for each call. It first notes the call, with a lease until this run must end, and afterwards that the message
 * was sent. If a run dies between the two, the lease ends and the next delivery of the event posts again.
 */
const postOnce = makeIdempotent(post, {
  persistenceStore: new DynamoDBPersistenceLayer({ tableName }),
  config,
  keyPrefix: 'missed-call-message',
  dataIndexArgument: 0,
});

/** The part of a batch that the handler needs, so that a test or the sandbox can make one. */
export interface Batch {
  readonly Records: readonly Pick<SQSRecord, 'messageId' | 'body'>[];
}

/** Handles a batch, one event after the other. Only failed events come again; after five failures they are dead letters. */
export const handler = async ({ Records }: Batch, context: Context): Promise<SQSBatchResponse> => {
  config.registerLambdaContext(context);
  const { SecretString: address = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const batchItemFailures: { readonly itemIdentifier: string }[] = [];
  for (const { messageId, body } of Records)
    try {
      const message = messageOf(parseEvent(JSON.parse(body)));
      if (message !== undefined) await postOnce(message.call, message.text, address);
    } catch (error) {
      console.error(JSON.stringify({ message: 'event failed', messageId, reason: reasonOf(error) }));
      batchItemFailures.push({ itemIdentifier: messageId });
    }

  return { batchItemFailures };
};

/** The messages of the contract's error and of ours have no personal data; those of others may, or the chat's address. */
const reasonOf = (error: unknown): string => {
  if (error instanceof NotACallfeedEvent || error instanceof ChatRefused) return error.message;
  return error instanceof Error ? error.name : 'unknown';
};

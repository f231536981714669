import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import type { CallSummary } from './schema.ts';

const { CALLS_TABLE, IDEMPOTENCY_TABLE = '', BUS_NAME } = process.env;

const dynamodb = new DynamoDBClient({});
const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const eventbridge = new EventBridgeClient({});

const dayInSeconds = 86_400;
const config = new IdempotencyConfig({ expiresAfterSeconds: dayInSeconds });

/** Idempotency needs to know how long this run may take. */
export const duringRun = (context: Context): void => config.registerLambdaContext(context);

const recordCall = async ({ Apikey: _, ...summary }: CallSummary): Promise<{ readonly stored: string }> => {
  const call = { ...summary, receivedAt: new Date().toISOString() };
  await documents.send(new PutCommand({ TableName: CALLS_TABLE, Item: call }));
  const { FailedEntryCount: failed = 0 } = await eventbridge.send(
    new PutEventsCommand({
      Entries: [
        {
          EventBusName: BUS_NAME,
          Source: 'calls',
          DetailType: 'Call Summary Received',
          Detail: JSON.stringify(call),
        },
      ],
    }),
  );
  if (failed > 0) throw new Error('EventBridge refused the event');
  return { stored: summary.monitorUCID };
};

/**
 * The row and the event of a call, once for each distinct summary. By the call's id alone a later summary with the
 * agent's disposition would be taken for a repeat.
 */
export const takeCall = makeIdempotent(recordCall, {
  config,
  persistenceStore: new DynamoDBPersistenceLayer({ tableName: IDEMPOTENCY_TABLE, awsSdkV3Client: dynamodb }),
});

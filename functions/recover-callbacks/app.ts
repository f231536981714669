import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { FunctionParts } from '../adapters/aws-clients.ts';
import { dynamoStores } from '../adapters/dynamo-stores.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import type { RecoverCallbacksEnv } from './environment.ts';
import { type ParkedMessage, recoverParked } from './recover-parked.ts';

interface Services {
  readonly recover: (messages: readonly ParkedMessage[]) => Promise<readonly string[]>;
  readonly telemetry: BufferedTelemetry;
}

/** Recovers a batch of the parking queue, and answers the messages that must be retried. */
export const createRecoverHandler = ({ recover, telemetry }: Services) =>
  middy<SQSEvent, SQSBatchResponse>({ requestEnd: telemetry.flush }).handler(async ({ Records }) => {
    const failed = await recover(Records.map(({ messageId, body }) => ({ id: messageId, body })));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });

export type RecoveryParts = FunctionParts<RecoverCallbacksEnv>;

export const composeRecovery = ({ env, clock, telemetry, dynamodb }: RecoveryParts) =>
  createRecoverHandler({ telemetry, recover: recoverParked({ telemetry, ...dynamoStores(dynamodb, env, clock) }) });

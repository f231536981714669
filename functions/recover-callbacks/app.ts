import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { readParked } from '../../lib/callback/schema.ts';
import { type Stores, store } from '../../lib/callback/store-or-park.ts';
import { loggableError, wrongFields } from '../../lib/core/result.ts';
import { emitPublishMetrics, type Telemetry } from '../../lib/telemetry/metrics.ts';
import type { FunctionParts } from '../adapters/aws-clients.ts';
import { dynamoStores } from '../adapters/dynamo-stores.ts';
import { type BufferedTelemetry, runSettings } from '../adapters/json-telemetry.ts';
import type { RecoverCallbacksEnv } from './environment.ts';

interface Services {
  readonly recover: (messages: readonly ParkedMessage[]) => Promise<readonly string[]>;
  readonly telemetry: BufferedTelemetry;
}

export const createRecoverHandler = ({ recover, telemetry }: Services) =>
  middy<SQSEvent, SQSBatchResponse>(runSettings(telemetry)).handler(async ({ Records }) => {
    const failed = await recover(Records.map(({ messageId, body }) => ({ id: messageId, body })));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });

export type RecoveryParts = FunctionParts<RecoverCallbacksEnv>;

export const composeRecovery = ({ env, clock, telemetry, dynamodb }: RecoveryParts) =>
  createRecoverHandler({ telemetry, recover: recoverParked({ telemetry, ...dynamoStores(dynamodb, env, clock) }) });

export interface ParkedMessage {
  readonly id: string;
  readonly body: string;
}

/**
 * Stores parked items with their first receipt. Returns the messages to deliver again: one failure affects no others.
 * What cannot be parsed goes to the dead-letter queue after its last attempt.
 */
export const recoverParked =
  ({ telemetry, ...stores }: Stores & { readonly telemetry: Telemetry }) =>
  async (messages: readonly ParkedMessage[]): Promise<readonly string[]> => {
    const failed: string[] = [];
    for (const { id, body } of messages) {
      try {
        const read = readParked(body);
        if (!read.ok)
          throw loggableError(`The message holds nothing that was parked. Wrong: ${wrongFields(read.problem)}`);
        const outcome = await store(stores, read.value, stores.deadline());
        if (outcome === 'stored') emitPublishMetrics(telemetry);
      } catch (error) {
        telemetry.fault('parked-message', error);
        failed.push(id);
      }
    }
    return failed;
  };

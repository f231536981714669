import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import type { Clock } from '../../lib/ports.ts';
import { recoverParked } from '../../lib/recover-parked.ts';
import { dynamoStores } from '../adapters/dynamo-stores.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import type { RecoverCallbacksEnv } from './env.ts';
import { createHandler } from './handler.ts';

/** What recovery is made of. */
export interface RecoveryParts {
  readonly env: z.output<typeof RecoverCallbacksEnv>;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
}

/** Recovery of parked callbacks over these clients. */
export const composeRecovery = ({ env, clock, telemetry, dynamodb }: RecoveryParts) =>
  createHandler({ telemetry, recover: recoverParked({ telemetry, ...dynamoStores(dynamodb, env, clock) }) });

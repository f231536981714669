import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type * as z from 'zod';
import type { Clock } from '../../lib/ports.ts';
import { receiveCallback } from '../../lib/receive-callback.ts';
import { accountsFrom } from '../adapters/accounts-from.ts';
import { parkingDeadlineMs } from '../adapters/aws-clients.ts';
import { dynamoStores } from '../adapters/dynamo-stores.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import { sqsParking } from '../adapters/sqs-parking.ts';
import type { ReceiveCallbackEnv } from './env.ts';
import { createHandler } from './handler.ts';

/** What the receiver is made of. */
export interface ReceiverParts {
  readonly env: z.output<typeof ReceiveCallbackEnv>;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly secrets: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  /** How long the tables may take, if not as long as deployed. */
  readonly storeDeadlineMs?: number;
}

/** The callback receiver over these clients: deployed, measured and tried to break in one composition. */
export const composeReceiver = ({ env, clock, telemetry, dynamodb, secrets, sqs, storeDeadlineMs }: ReceiverParts) =>
  createHandler({
    telemetry,
    secretSha256: env.CALLBACK_SECRET_SHA256,
    receive: receiveCallback({
      clock,
      telemetry,
      ...dynamoStores(dynamodb, env, clock, storeDeadlineMs),
      accounts: accountsFrom(secrets, env, { clock, telemetry }),
      parking: sqsParking(sqs, env.PARKING_QUEUE_URL, parkingDeadlineMs),
    }),
  });

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { receiveCallback } from '../../lib/receive-callback.ts';
import { accountsFrom } from '../adapters/accounts-from.ts';
import { clientSettings, parkingDeadlineMs } from '../adapters/aws-clients.ts';
import { dynamoStores } from '../adapters/dynamo-stores.ts';
import { jsonTelemetry } from '../adapters/json-telemetry.ts';
import { sqsParking } from '../adapters/sqs-parking.ts';
import { ReceiveCallbackEnv } from './env.ts';
import { createHandler } from './handler.ts';

const env = ReceiveCallbackEnv.parse(process.env);
const clock = () => new Date();
const telemetry = jsonTelemetry({ function: 'receive-callback', deployment: env.DEPLOYMENT }, (line) =>
  process.stdout.write(line),
);

/** The callback receiver, as deployed. */
export const handler = createHandler({
  telemetry,
  secretSha256: env.CALLBACK_SECRET_SHA256,
  receive: receiveCallback({
    clock,
    telemetry,
    ...dynamoStores(new DynamoDBClient(clientSettings), env, clock),
    accounts: accountsFrom(new SecretsManagerClient(clientSettings), env, { clock, telemetry }),
    parking: sqsParking(new SQSClient(clientSettings), env.PARKING_QUEUE_URL, parkingDeadlineMs),
  }),
});

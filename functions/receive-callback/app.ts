import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type ReceiveCallback, receiveCallback } from '../../lib/callback/receive-callback.ts';
import { emitReplyMetrics, type Reply } from '../../lib/callback/reply.ts';
import type { Clock } from '../../lib/core/time.ts';
import { parkingDeadlineMs } from '../adapters/aws-clients.ts';
import { dynamoStores } from '../adapters/dynamo-stores.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import { secretAccounts } from '../adapters/secret-accounts.ts';
import { sqsParking } from '../adapters/sqs-parking.ts';
import type { ReceiveCallbackEnv } from './env.ts';
import { callbackReply, checkRequest, contentOf, parseForm, queryOf } from './http.ts';

interface Services {
  readonly receive: ReceiveCallback;
  readonly telemetry: BufferedTelemetry;
  readonly secretSha256: string | undefined;
}

/** Receives a callback from API Gateway, and answers it. */
export const createReceiveHandler = ({ receive, telemetry, secretSha256 }: Services) => {
  const onReply = (reply: Reply) => {
    emitReplyMetrics(telemetry, reply);
    const { outcome, reason, stored, duplicates, quarantined, parked = 0 } = reply;
    const message = outcome === 'accepted' ? 'Callback accepted' : 'Callback rejected';
    telemetry.log({ level: 'info', message, reason, records: { stored, duplicates, quarantined, parked } });
  };

  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>({ requestEnd: telemetry.flush })
    .use(checkRequest({ secretSha256, onReply }))
    .use(parseForm())
    .handler(async (event) => {
      const reply = await receive({
        content: contentOf(event),
        query: queryOf(event),
        hasValidSecret: secretSha256 !== undefined,
      });
      onReply(reply);
      return callbackReply(reply);
    });
};

/** The parts of the receiver. */
export interface ReceiverParts {
  readonly env: ReceiveCallbackEnv;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly secrets: Pick<SecretsManagerClient, 'send'>;
  /** Called when the first callback is parked. */
  readonly sqs: () => Pick<SQSClient, 'send'>;
  /** How long the writes of a callback may take, if not as long as deployed. */
  readonly storeDeadlineMs?: number;
}

/** The callback receiver over these clients: the same composition for deployment, benchmarks and fault injection. */
export const composeReceiver = ({ env, clock, telemetry, dynamodb, secrets, sqs, storeDeadlineMs }: ReceiverParts) =>
  createReceiveHandler({
    telemetry,
    secretSha256: env.CALLBACK_SECRET_SHA256,
    receive: receiveCallback({
      clock,
      telemetry,
      ...dynamoStores(dynamodb, env, clock, storeDeadlineMs),
      accounts: secretAccounts(secrets, env, { clock, telemetry, secretHashes: env.CALLBACK_SECRET_SHA256 }),
      parking: sqsParking(sqs, env.PARKING_QUEUE_URL, parkingDeadlineMs),
    }),
  });

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { emitReplyMetrics, type Reply } from '../../lib/callback/reply.ts';
import { type ParkingQueue, parkedText } from '../../lib/callback/store-or-park.ts';
import { batches, inParallel } from '../../lib/core/collections.ts';
import { loggableError } from '../../lib/core/result.ts';
import { type PromptParts, parkingReserveMs, replyReserveMs } from '../adapters/aws-clients.ts';
import { dynamoStores } from '../adapters/dynamo-stores.ts';
import { type BufferedTelemetry, runSettings } from '../adapters/json-telemetry.ts';
import { secretAccounts } from '../adapters/secret-accounts.ts';
import { contentOf } from './decode-body.ts';
import type { ReceiveCallbackEnv } from './environment.ts';
import { callbackReply, checkRequest, decodeBody } from './http.ts';
import { type ReceiveCallback, receiveCallback } from './receive-callback.ts';

interface Services {
  readonly receive: ReceiveCallback;
  readonly telemetry: BufferedTelemetry;
  readonly secretSha256: string | undefined;
}

export const createReceiveHandler = ({ receive, telemetry, secretSha256 }: Services) => {
  const onReply = (reply: Reply) => {
    emitReplyMetrics(telemetry, reply);
    const { outcome, reason, stored, duplicates, quarantined, parked = 0 } = reply;
    const message = outcome === 'accepted' ? 'Callback accepted' : 'Callback rejected';
    telemetry.log({ level: 'info', message, reason, records: { stored, duplicates, quarantined, parked } });
  };

  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>(runSettings(telemetry))
    .use(checkRequest({ secretSha256, onReply }))
    .use(decodeBody())
    .handler(async (event, { getRemainingTimeInMillis }) => {
      const callback = {
        content: contentOf(event),
        query: event.query,
        // `checkRequest` has answered every other request.
        hasValidSecret: secretSha256 !== undefined,
      };
      const reply = await receive(callback, () => getRemainingTimeInMillis() - replyReserveMs);
      onReply(reply);
      return callbackReply(reply);
    });
};

export interface ReceiverParts extends PromptParts<ReceiveCallbackEnv> {
  readonly secrets: Pick<SecretsManagerClient, 'send'>;
  /** Called when the first callback is parked. */
  readonly sqs: () => Pick<SQSClient, 'send'>;
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
      parking: sqsParking(sqs, env.PARKING_QUEUE_URL),
    }),
  });

/** SQS accepts ten messages a call, and 1 MiB of them together, counted in UTF-8. */
const maxEntries = 10;
const maxBytes = 1_000_000;
const batchesInFlight = 16;

/** SendMessageBatch succeeds as a call while single messages fail, so each answer is checked. */
export const sqsParking = (client: () => Pick<SQSClient, 'send'>, queueUrl: string): ParkingQueue => ({
  reservedMs: parkingReserveMs,
  async park(parked, withinMs) {
    const abortSignal = AbortSignal.timeout(withinMs);
    const send = async (batch: readonly string[]) => {
      const Entries = batch.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries });
      const { Failed = [] } = await client().send(command, { abortSignal });
      if (Failed.length > 0)
        throw loggableError(`The parking queue rejected ${Failed.length} of ${batch.length} messages`);
    };
    await inParallel(batches(parked.map(parkedText), fits), batchesInFlight, send);
  },
});

const fits = (batch: readonly string[], next: string): boolean =>
  batch.length < maxEntries && [...batch, next].reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= maxBytes;

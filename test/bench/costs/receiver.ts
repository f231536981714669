import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { composeReceiver } from '../../../functions/receive-callback/app.ts';
import { ReceiveCallbackEnv } from '../../../functions/receive-callback/env.ts';
import type { Clock } from '../../../lib/telemetry/metrics.ts';
import { lambdaContext } from '../../../sandbox/lambda/runtime.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import type { Metering } from './meter.ts';

/** What an HTTP API counts as one request. https://aws.amazon.com/api-gateway/pricing/ */
const requestBytes = 512 * 1024;

/** middy's types ask for what only a REST API sends. */
const Handler = z.custom<(event: unknown, context: Context) => Promise<unknown>>(
  (value) => typeof value === 'function',
);

const Reply = z.object({ statusCode: z.number(), body: z.string() });

/** Long enough on a busy machine, where the meter reads before every write. */
const runTimeoutMs = 60_000;

/** The receiver of callbacks, built as its index builds it, for accounts whose key is `<name>-key`. Posts what it is given. */
export const createReceiver = (
  meter: Metering,
  clock: Clock,
  names: { readonly calls: string; readonly quarantine: string },
  userNames: readonly string[] = ['demo'],
) => {
  const env = ReceiveCallbackEnv.parse({
    CALLS_TABLE: names.calls,
    QUARANTINE_TABLE: names.quarantine,
    PARKING_QUEUE_URL: 'https://queue.invalid',
    CALLFEED_ACCOUNTS: JSON.stringify(userNames.map((userName) => ({ userName, apiKeys: [`${userName}-key`] }))),
  });
  const handler = Handler.parse(
    composeReceiver({
      env,
      clock,
      telemetry: meter.telemetry('receive-callback'),
      dynamodb: meter.client,
      secrets: new SecretsManagerClient(localClient('http://secrets.invalid')),
      // Nothing has to be parked: the queue is nowhere.
      sqs: new SQSClient(localClient('http://queue.invalid')),
      storeDeadlineMs: runTimeoutMs,
    }),
  );

  return async (data: string): Promise<void> => {
    const body = formOf(data);
    meter.add({ apiRequests: Math.ceil(Buffer.byteLength(body) / requestBytes), receiverRuns: 1 });
    const reply = Reply.parse(await handler(httpApiEvent({ body }), lambdaContext('receive-callback', runTimeoutMs)));
    if (reply.statusCode !== 200) throw new Error(`A callback was answered with ${reply.statusCode}: ${reply.body}`);
  };
};

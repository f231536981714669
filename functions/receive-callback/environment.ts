import * as z from 'zod/mini';
import { accountsEnv, callbackSecretEnv, queueUrl, storeEnv, telemetryEnv } from '../adapters/env.ts';

export const receiveCallbackEnv = z.object({
  ...storeEnv().shape,
  ...accountsEnv().shape,
  ...callbackSecretEnv().shape,
  ...telemetryEnv().shape,
  PARKING_QUEUE_URL: queueUrl,
});
export type ReceiveCallbackEnv = z.output<typeof receiveCallbackEnv>;

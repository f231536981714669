import * as z from 'zod/mini';
import { queueUrl, StoreEnv, TelemetryEnv } from '../adapters/env.ts';
import { AccountsEnv, CallbackSecretEnv } from '../adapters/secret-accounts.ts';

/** The environment of the callback receiver. */
export const ReceiveCallbackEnv = z.object({
  ...StoreEnv.shape,
  ...AccountsEnv.shape,
  ...CallbackSecretEnv.shape,
  ...TelemetryEnv.shape,
  PARKING_QUEUE_URL: queueUrl,
});
export type ReceiveCallbackEnv = z.output<typeof ReceiveCallbackEnv>;

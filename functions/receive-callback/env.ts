import { queueUrl, StoreEnv, TelemetryEnv, type TextsOf } from '../adapters/env.ts';
import { AccountsEnv, CallbackSecretEnv } from '../adapters/secret-accounts.ts';

/** The environment of the callback receiver. */
export const ReceiveCallbackEnv = {
  ...StoreEnv,
  ...AccountsEnv,
  ...CallbackSecretEnv,
  ...TelemetryEnv,
  PARKING_QUEUE_URL: queueUrl,
};

/** The environment as the stack sets it. */
export type ReceiveCallbackEnv = TextsOf<typeof ReceiveCallbackEnv>;

import { optional, queueUrl, StoreEnv, TelemetryEnv, type TextsOf, text } from '../adapters/env.ts';
import { AccountsEnv } from '../adapters/secret-accounts.ts';

/** The environment of the callback receiver. */
export const ReceiveCallbackEnv = {
  ...StoreEnv,
  ...AccountsEnv,
  ...TelemetryEnv,
  PARKING_QUEUE_URL: queueUrl,
  /** The hashes of the callback secrets: the console shows the environment, so it must not hold the secrets. */
  CALLBACK_SECRET_SHA256: optional(text(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/, 'SHA-256 hashes with commas between them')),
};

/** The environment as the stack sets it. */
export type ReceiveCallbackEnv = TextsOf<typeof ReceiveCallbackEnv>;

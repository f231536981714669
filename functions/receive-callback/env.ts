import * as z from 'zod/mini';
import { StoreEnv, TelemetryEnv } from '../adapters/env.ts';
import { AccountsEnv, hasOneAccountsSource } from '../adapters/secret-accounts.ts';

/** The environment of the callback receiver. */
export const ReceiveCallbackEnv = z
  .object({
    ...StoreEnv,
    ...AccountsEnv,
    ...TelemetryEnv,
    PARKING_QUEUE_URL: z.url(),
    /** The hashes of the callback secrets: the console shows the environment, so it must not hold the secrets. */
    CALLBACK_SECRET_SHA256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/))),
  })
  .check(hasOneAccountsSource);

/** The environment as the stack sets it: strings; optional ones may be absent. */
export type ReceiveCallbackEnv = z.input<typeof ReceiveCallbackEnv>;

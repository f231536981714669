import * as z from 'zod/mini';
import { StoreEnv, TelemetryEnv } from '../adapters/env.ts';
import { AccountsEnv, hasOneAccountsSource } from '../adapters/secret-accounts.ts';

/** What the callback receiver reads from its environment. */
export const ReceiveCallbackEnv = z
  .object({
    ...StoreEnv,
    ...AccountsEnv,
    ...TelemetryEnv,
    PARKING_QUEUE_URL: z.url(),
    /** The hashes of the callback secrets: the environment can be read in the console, so no secret itself is in it. */
    CALLBACK_SECRET_SHA256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/))),
  })
  .check(hasOneAccountsSource);

/** The environment as the stack sets it: every value a string, optional ones left out. */
export type ReceiveCallbackEnv = z.input<typeof ReceiveCallbackEnv>;

import * as z from 'zod';
import { StoreEnv } from '../adapters/store-env.ts';

/** What the callback receiver reads from its environment. */
export const ReceiveCallbackEnv = StoreEnv.extend({
  PARKING_QUEUE_URL: z.url(),
  /** The secret that lists the accounts; in the sandbox `CALLFEED_ACCOUNTS` carries the same JSON instead. */
  ACCOUNTS_SECRET_ARN: z.string().min(1).optional(),
  CALLFEED_ACCOUNTS: z.string().min(1).optional(),
  /** The callback secret's hash: the environment can be read in the console, so the secret itself is not in it. */
  CALLBACK_SECRET_SHA256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
}).refine((env) => (env.ACCOUNTS_SECRET_ARN === undefined) !== (env.CALLFEED_ACCOUNTS === undefined), {
  error: 'Set exactly one of ACCOUNTS_SECRET_ARN and CALLFEED_ACCOUNTS.',
});

/** The environment as the stack sets it: every value a string, optional ones left out. */
export type ReceiveCallbackEnv = z.input<typeof ReceiveCallbackEnv>;

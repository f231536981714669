import * as z from 'zod';

/** Where the accounts are read from. */
export const AccountsEnv = z
  .object({
    /** The secret that lists the accounts; in the sandbox `CALLFEED_ACCOUNTS` carries the same JSON instead. */
    ACCOUNTS_SECRET_ARN: z.string().min(1).optional(),
    CALLFEED_ACCOUNTS: z.string().min(1).optional(),
  })
  .refine((env) => (env.ACCOUNTS_SECRET_ARN === undefined) !== (env.CALLFEED_ACCOUNTS === undefined), {
    error: 'Set exactly one of ACCOUNTS_SECRET_ARN and CALLFEED_ACCOUNTS.',
  });

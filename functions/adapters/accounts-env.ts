import * as z from 'zod';
import { defaultTimeZone } from '../../lib/account/account.ts';
import { isTimeZone } from '../../lib/time/time-zone.ts';

/** Where the accounts are read from, and what they are taken to be where they do not say. */
export const AccountsEnv = z
  .object({
    /** The secret that lists the accounts; in the sandbox `CALLFEED_ACCOUNTS` carries the same JSON instead. */
    ACCOUNTS_SECRET_ARN: z.string().min(1).optional(),
    CALLFEED_ACCOUNTS: z.string().min(1).optional(),
    /** The zone of the accounts that name none. */
    DEFAULT_TIME_ZONE: z
      .string()
      .refine(isTimeZone, 'Expected an IANA time zone such as Asia/Kolkata')
      .default(defaultTimeZone),
  })
  .refine((env) => (env.ACCOUNTS_SECRET_ARN === undefined) !== (env.CALLFEED_ACCOUNTS === undefined), {
    error: 'Set exactly one of ACCOUNTS_SECRET_ARN and CALLFEED_ACCOUNTS.',
  });

import * as z from 'zod/mini';
import { defaultTimeZone } from '../../lib/account/account.ts';
import { isTimeZone } from '../../lib/time/time-zone.ts';

const named = z.string().check(z.minLength(1));

/** Where the accounts are read from, and what they are taken to be where they do not say. */
export const AccountsEnv = z
  .object({
    /** The secret that lists the accounts; in the sandbox `CALLFEED_ACCOUNTS` carries the same JSON instead. */
    ACCOUNTS_SECRET_ARN: z.optional(named),
    CALLFEED_ACCOUNTS: z.optional(named),
    /** The zone of the accounts that name none. */
    DEFAULT_TIME_ZONE: z._default(
      z.string().check(z.refine(isTimeZone, 'Expected an IANA time zone such as Asia/Kolkata')),
      defaultTimeZone,
    ),
  })
  .check(
    z.refine(
      (env) => (env.ACCOUNTS_SECRET_ARN === undefined) !== (env.CALLFEED_ACCOUNTS === undefined),
      'Set exactly one of ACCOUNTS_SECRET_ARN and CALLFEED_ACCOUNTS.',
    ),
  );

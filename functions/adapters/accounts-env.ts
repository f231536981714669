import * as z from 'zod/mini';
import { defaultTimeZone } from '../../lib/account/account.ts';
import { isTimeZone } from '../../lib/time/time-zone.ts';
import { named } from './named.ts';

/** Where the accounts are read from, and what they are taken to be where they do not say. */
export const AccountsEnv = {
  /** The secret that lists the accounts; in the sandbox `CALLFEED_ACCOUNTS` carries the same JSON instead. */
  ACCOUNTS_SECRET_ARN: z.optional(named),
  CALLFEED_ACCOUNTS: z.optional(named),
  /** The zone of the accounts that name none. */
  DEFAULT_TIME_ZONE: z._default(
    z.string().check(z.refine(isTimeZone, 'Expected an IANA time zone such as Asia/Kolkata')),
    defaultTimeZone,
  ),
};
export type AccountsEnv = z.output<z.ZodMiniObject<typeof AccountsEnv>>;

/** Whether it is plain where the accounts are, which no single setting tells. */
export const hasOneSource = z.refine<Pick<AccountsEnv, 'ACCOUNTS_SECRET_ARN' | 'CALLFEED_ACCOUNTS'>>(
  (env) => (env.ACCOUNTS_SECRET_ARN === undefined) !== (env.CALLFEED_ACCOUNTS === undefined),
  'Set exactly one of ACCOUNTS_SECRET_ARN and CALLFEED_ACCOUNTS.',
);

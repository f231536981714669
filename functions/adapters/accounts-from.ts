import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Accounts, Clock, Telemetry } from '../../lib/ports.ts';
import type { AccountsEnv } from './accounts-env.ts';
import { accountsDeadlineMs } from './aws-clients.ts';
import { cachedAccounts } from './cached-accounts.ts';
import { secretText } from './secret-text.ts';

/** The accounts in the secret that the environment names, or in the environment itself. */
export const accountsFrom = (
  client: Pick<SecretsManagerClient, 'send'>,
  { ACCOUNTS_SECRET_ARN: arn, CALLFEED_ACCOUNTS: json = '', DEFAULT_TIME_ZONE: timeZone }: AccountsEnv,
  ports: { readonly clock: Clock; readonly telemetry: Telemetry },
): Accounts =>
  cachedAccounts(arn === undefined ? async () => json : secretText(client, arn, accountsDeadlineMs), {
    ...ports,
    timeZone,
  });

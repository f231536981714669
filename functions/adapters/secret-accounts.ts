import { setImmediate } from 'node:timers/promises';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type AccountIndex, type Accounts, accountIndex } from '../../lib/accounts/account-index.ts';
import { parseAccounts, rejectPlaceholder } from '../../lib/accounts/accounts.ts';
import { loggableError } from '../../lib/core/result.ts';
import type { Clock } from '../../lib/core/time.ts';
import type { Telemetry } from '../../lib/telemetry/metrics.ts';
import { accountsDeadlineMs } from './aws-clients.ts';
import type { AccountsEnv } from './env.ts';

export const secretText =
  (client: Pick<SecretsManagerClient, 'send'>, secretArn: string, deadlineMs: number) => async (): Promise<string> => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }), {
      abortSignal: AbortSignal.timeout(deadlineMs),
    });
    if (SecretString === undefined) throw loggableError('The accounts secret holds no text');
    return SecretString;
  };

/** Reads a text ahead, at the start, for the first read. A read that failed, or was too long ago, is repeated. */
export const readAhead = (read: () => Promise<string>, clock: Clock): (() => Promise<string>) => {
  const startedAt = clock().getTime();
  // After the module has loaded, so that the read does not delay the start.
  let ahead: Promise<string | undefined> | undefined = setImmediate()
    .then(read)
    .catch(() => undefined);
  return async () => {
    const text = clock().getTime() - startedAt < minRefreshMs ? await ahead : undefined;
    ahead = undefined;
    return text ?? read();
  };
};

/** After this time the accounts are read again, so that a revoked key stops working. */
const maxAgeMs = 5 * 60_000;

/** An unknown key may cause one more read in this time: a stranger who guesses keys must not cost anything. */
const minRefreshMs = 30_000;

/** Without accounts, a failed read is repeated after this time only: not every post may cause a read. */
const failureCacheMs = 1_000;

interface CachePorts {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Of the callback secrets, which are redacted like keys. */
  readonly secretHashes?: string | undefined;
}

/** Caches the accounts. If they cannot be read again, the last ones stay in use, and are stale. */
export const cachedAccounts = (
  readJson: () => Promise<string>,
  { clock, telemetry, secretHashes }: CachePorts,
): Accounts => {
  let accounts: AccountIndex | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;

  const age = () => clock().getTime() - triedAt;
  const read = async (): Promise<AccountIndex> => {
    triedAt = clock().getTime();
    const json = await readJson();
    rejectPlaceholder(json);
    const parsed = parseAccounts(json);
    if (!parsed.ok) throw loggableError(`The accounts are not usable: ${parsed.problem}`);
    accounts = accountIndex(parsed.value, secretHashes);
    return accounts;
  };

  const readIfOlderThan = async (ageMs: number): Promise<AccountIndex> => {
    const last = accounts;
    if (last !== undefined && age() < ageMs) return last;
    if (failure !== undefined && age() < failureCacheMs) throw failure;
    try {
      return await read();
    } catch (error) {
      failure = error;
      if (last === undefined) throw error;
      telemetry.fault('accounts', error);
      accounts = { ...last, isStale: true };
      return accounts;
    }
  };

  return { current: () => readIfOlderThan(maxAgeMs), refresh: () => readIfOlderThan(minRefreshMs) };
};

/** The accounts in the secret that the environment names, or in itself. Throws if it names no source, or both. */
export const secretAccounts = (
  client: Pick<SecretsManagerClient, 'send'>,
  { ACCOUNTS_SECRET_ARN: arn, CALLFEED_ACCOUNTS: json }: AccountsEnv,
  ports: CachePorts,
): Accounts => {
  if (arn !== undefined && json === undefined)
    return cachedAccounts(readAhead(secretText(client, arn, accountsDeadlineMs), ports.clock), ports);
  if (arn === undefined && json !== undefined) return cachedAccounts(async () => json, ports);
  throw new Error('Set exactly one of ACCOUNTS_SECRET_ARN and CALLFEED_ACCOUNTS.');
};

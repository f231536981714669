import { timingSafeEqual } from 'node:crypto';
import {
  type Account,
  type AccountIndex,
  type Accounts,
  emitAccountsFault,
  isNotSetUp,
  isSameUser,
} from '../accounts/accounts.ts';
import { claimedKeyIn } from '../accounts/redact-secrets.ts';
import { sha256 } from '../core/content-hash.ts';
import { isJsonObject, textsOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { nonBlank } from '../core/text.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { isKeyField } from '../telephony/fold-keys.ts';
import type { ClassifiedRecords, PostedRecord } from './classify-records.ts';

interface AccountPorts {
  readonly accounts: Accounts;
  readonly telemetry: Telemetry;
}

/** Why there are no accounts to authenticate with. */
type AccountsProblem = 'accounts-not-set-up' | 'accounts-unavailable';

/** Loads the accounts, possibly from a cache. */
export const loadAccounts = async ({
  accounts,
  telemetry,
}: AccountPorts): Promise<Result<AccountIndex, AccountsProblem>> => {
  try {
    return ok(await accounts.current());
  } catch (error) {
    emitAccountsFault(telemetry, 'AccountsUnreadable', error);
    return fail(isNotSetUp(error) ? 'accounts-not-set-up' : 'accounts-unavailable');
  }
};

/** What a post offers as proof of its sender. */
export interface SenderCredentials {
  /** The account keys, wherever they are in the post. */
  readonly keys: readonly string[];
  /** The user names in its calls and participants. */
  readonly users: readonly string[];
  /** Whether it came to the secret address, which only the telephony service was given. */
  readonly hasValidSecret: boolean;
}

interface EnvelopeCredentials {
  readonly envelopeKeys: readonly string[];
  readonly hasValidSecret: boolean;
}

/**
 * Collects the credentials of a post. A key counts wherever it is. A user name counts only in a call or participant: in
 * the vendor's other posts it is the name of an agent.
 */
export const senderCredentials = (
  records: readonly PostedRecord[],
  { calls, participants }: Pick<ClassifiedRecords, 'calls' | 'participants'>,
  { envelopeKeys, hasValidSecret }: EnvelopeCredentials,
): SenderCredentials => ({
  keys: [...envelopeKeys, ...valuesOf(records, isKeyField)].flatMap((key) => nonBlank(key) ?? []),
  users: valuesOf([...calls, ...participants], isUserName).flatMap((user) => nonBlank(user) ?? []),
  hasValidSecret,
});

const isUserName = (key: string): boolean => key.length === 8 && key.toLowerCase() === 'username';

const valuesOf = (records: readonly PostedRecord[], matches: (key: string) => boolean): readonly string[] => {
  const texts: string[] = [];
  for (const { value: record } of records) {
    if (!isJsonObject(record)) continue;
    for (const key of Object.keys(record)) if (matches(key)) texts.push(...textsOfJson(record[key] ?? null));
  }
  return texts;
};

/**
 * Authenticates the sender of a post, and returns the accounts that decided it. An unknown key may have been added a
 * moment ago, so the accounts are read once more before it is rejected. A rejected post that names an account of ours
 * is counted. Otherwise the stored calls of other accounts would hide that one account's calls are rejected.
 */
export const authenticateSender = async (
  ports: AccountPorts,
  loaded: AccountIndex,
  credentials: SenderCredentials,
): Promise<{ readonly accounts: AccountIndex; readonly sender: Result<Account, SenderProblem> }> => {
  const first = verifySender(loaded, credentials);
  const accounts = !first.ok && first.problem === 'unknown-key' ? await refreshAccounts(ports, loaded) : loaded;
  const sender = accounts === loaded ? first : verifySender(accounts, credentials);
  if (!sender.ok && namesKnownAccount(accounts, credentials)) ports.telemetry.count('AccountRejected');
  return { accounts, sender };
};

const refreshAccounts = ({ accounts, telemetry }: AccountPorts, loaded: AccountIndex): Promise<AccountIndex> =>
  accounts.refresh().catch((error: unknown) => {
    emitAccountsFault(telemetry, 'AccountsStale', error);
    return loaded;
  });

/** Why a sender is not authenticated. */
export type SenderProblem = 'key-missing' | 'unknown-key' | 'unknown-user' | 'mixed-accounts';

/**
 * The one account that a post comes from. Every key in it must be a live key of that account, and every user name its
 * own. Which fields a post must have is not documented, so a post to the secret address needs no key.
 */
export const verifySender = (
  accounts: AccountIndex,
  { keys, users, hasValidSecret }: SenderCredentials,
): Result<Account, SenderProblem> => {
  if (keys.length === 0 && !hasValidSecret) return fail('key-missing');

  const owners = keys.length > 0 ? [...new Set(keys)].map(accounts.accountForKey) : [accounts.accountNamed(users[0])];
  const [account] = owners;
  if (account === undefined || owners.includes(undefined))
    return fail(keys.length > 0 ? 'unknown-key' : 'unknown-user');
  if (owners.some((owner) => owner !== account)) return fail('mixed-accounts');
  if (!users.every((user) => isSameUser(user, account.userName))) return fail('unknown-user');
  return ok(account);
};

/**
 * Whether a rejected post refers to an account of ours: by a user name, by a key, or by the secret address. A post to
 * the secret address that names nobody does not count, since it may not be about a call at all.
 */
export const namesKnownAccount = (
  accounts: AccountIndex,
  { keys, users, hasValidSecret }: SenderCredentials,
): boolean =>
  users.some((user) => accounts.accountNamed(user) !== undefined) ||
  keys.some((key) => accounts.accountForKey(key) !== undefined) ||
  (hasValidSecret && keys.length + users.length > 0);

/**
 * The account of a text that could not be parsed: by the key in it, or the only account if the text has a valid secret.
 */
export const accountNameInText = (
  accounts: AccountIndex,
  text: string,
  hasValidSecret: boolean,
): string | undefined => {
  const key = claimedKeyIn(text);
  const account = key === undefined ? undefined : accounts.accountForKey(key);
  return (account ?? (hasValidSecret ? accounts.accountNamed(undefined) : undefined))?.userName;
};

/** The SHA-256 of each secret in hexadecimal, joined with commas. It is deployed in place of the secrets. */
export const callbackSecretHash = (...secrets: readonly string[]): string =>
  secrets.map((secret) => sha256(secret).toString('hex')).join(',');

/** Whether one of the hashes is that of this secret. The check takes as long for a wrong secret as for a right one. */
export const isCallbackSecret = (sent: string, hashes: string): boolean => {
  const digest = sha256(sent);
  const matches = hashes.split(',').map((hash) => timingSafeEqual(digest, Buffer.from(hash, 'hex')));
  return matches.includes(true);
};

import { hash, timingSafeEqual } from 'node:crypto';
import { type AccountIndex, type Accounts, isSameUser } from '../accounts/account-index.ts';
import { type Account, emitAccountsFault, isNotSetUp } from '../accounts/accounts.ts';
import { claimedKeyIn } from '../accounts/redact-secrets.ts';
import { textsOfJson } from '../core/canonical-json.ts';
import { isJsonObject, type Json } from '../core/parse-json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { nonBlank } from '../core/text.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { isKeyField } from '../telephony/fold-keys.ts';
import type { ClassifiedRecords } from './classify-records.ts';

/** What of a post tells of its sender without being in a record. */
interface EnvelopeCredentials {
  readonly envelopeKeys: readonly string[];
  readonly hasValidSecret: boolean;
}

/**
 * What a post says of its sender. A key counts wherever it stands; a user name only in records that are understood, since
 * in the vendor's other posts it is an agent's.
 */
export const senderCredentials = (
  records: readonly Json[],
  { calls, participants }: Pick<ClassifiedRecords, 'calls' | 'participants'>,
  { envelopeKeys, hasValidSecret }: EnvelopeCredentials,
): SenderCredentials => ({
  keys: [...envelopeKeys, ...valuesOf(records, isKeyField)].flatMap((key) => nonBlank(key) ?? []),
  users: valuesOf([...calls, ...participants], isUserName).flatMap((user) => nonBlank(user) ?? []),
  hasValidSecret,
});

const isUserName = (key: string): boolean => key.length === 8 && key.toLowerCase() === 'username';

const valuesOf = (records: readonly Json[], isWanted: (key: string) => boolean): readonly string[] => {
  const texts: string[] = [];
  for (const record of records) {
    if (!isJsonObject(record)) continue;
    for (const key of Object.keys(record)) if (isWanted(key)) texts.push(...textsOfJson(record[key] ?? null));
  }
  return texts;
};

/** What a post says of its sender. */
export interface SenderCredentials {
  /** The account keys named anywhere in the post. */
  readonly keys: readonly string[];
  /** The user names in its records. */
  readonly users: readonly string[];
  /** Whether it came to the address that only the service was given. */
  readonly hasValidSecret: boolean;
}

/** Why a sender is not believed. */
export type SenderProblem = 'key-missing' | 'unknown-key' | 'unknown-user' | 'mixed-accounts';

/**
 * The one account that a post comes from. Every key in it must be a live key of that account, every user name its own.
 * Which fields are required is not documented: a post without any key is believed if it came to the secret address.
 */
export const verifySender = (book: AccountIndex, claims: SenderCredentials): Result<Account, SenderProblem> => {
  const { keys, users, hasValidSecret } = claims;
  if (keys.length === 0 && !hasValidSecret) return fail('key-missing');

  const owners = keys.length > 0 ? [...new Set(keys)].map(book.accountForKey) : [book.accountNamed(users[0])];
  const [account] = owners;
  if (account === undefined || owners.includes(undefined))
    return fail(keys.length > 0 ? 'unknown-key' : 'unknown-user');
  if (owners.some((owner) => owner !== account)) return fail('mixed-accounts');
  if (!users.every((user) => isSameUser(user, account.userName))) return fail('unknown-user');
  return ok(account);
};

/**
 * Whether a sender who is not believed goes by one of our accounts all the same: by its name, by a key of its own, or by
 * the secret address. Of a post there that names nobody it cannot be told whether it is a call at all.
 */
export const namesKnownAccount = (book: AccountIndex, { keys, users, hasValidSecret }: SenderCredentials): boolean =>
  users.some((user) => book.accountNamed(user) !== undefined) ||
  keys.some((key) => book.accountForKey(key) !== undefined) ||
  (hasValidSecret && keys.length + users.length > 0);

interface AccountPorts {
  readonly accounts: Accounts;
  readonly telemetry: Telemetry;
}

/** Why there are no accounts by which a sender could be known. */
export type AccountsProblem = 'accounts-not-set-up' | 'accounts-unavailable';

/** The accounts as they are known now. */
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

/**
 * Who a post comes from, and the accounts by which that was decided. A key that is not known may have been added a
 * moment ago, so they are read once more before it is refused. Where one account alone is refused, the calls of the
 * others hide it: it is counted by itself.
 */
export const authenticateSender = async (ports: AccountPorts, known: AccountIndex, claims: SenderCredentials) => {
  const first = verifySender(known, claims);
  const book = !first.ok && first.problem === 'unknown-key' ? await refreshAccounts(ports, known) : known;
  const sender = book === known ? first : verifySender(book, claims);
  if (!sender.ok && namesKnownAccount(book, claims)) ports.telemetry.count('AccountRejected');
  return { book, sender };
};

const refreshAccounts = ({ accounts, telemetry }: AccountPorts, known: AccountIndex): Promise<AccountIndex> =>
  accounts.refresh().catch((error: unknown) => {
    emitAccountsFault(telemetry, 'AccountsStale', error);
    return known;
  });

/** Whose text it is that could not be parsed: told by the key in it, or by the secret address if there is one account. */
export const accountNameInText = (book: AccountIndex, text: string, hasValidSecret: boolean): string | undefined => {
  const key = claimedKeyIn(text);
  const account = key === undefined ? undefined : book.accountForKey(key);
  return (account ?? (hasValidSecret ? book.accountNamed(undefined) : undefined))?.userName;
};

const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** What is deployed in the place of secrets: the SHA-256 of each in hexadecimal, with commas between. */
export const callbackSecretHash = (...secrets: readonly string[]): string =>
  secrets.map((secret) => digestOf(secret).toString('hex')).join(',');

/** Whether that is a secret of these hashes. Takes as long for a wrong one as for a right one. */
export const isCallbackSecret = (sent: string, hashes: string): boolean => {
  const digest = digestOf(sent);
  const fits = hashes.split(',').map((known) => timingSafeEqual(digest, Buffer.from(known, 'hex')));
  return fits.includes(true);
};

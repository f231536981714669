import type { AccountIndex, Accounts } from '../accounts/account-index.ts';
import { type Account, isNotSetUp, isSameUser } from '../accounts/accounts.ts';
import { isJsonObject, textsOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { counter, type Telemetry } from '../telemetry/metrics.ts';
import { isKeyField, nonBlank } from '../telephony/posted-fields.ts';
import type { ClassifiedRecords, PostedRecord } from './classify-records.ts';
import type { EnvelopeKey } from './json-content.ts';

interface AccountPorts {
  readonly accounts: Accounts;
  readonly telemetry: Telemetry;
}

type AccountsProblem = 'accounts-not-set-up' | 'accounts-unavailable';

export const loadAccounts = async ({
  accounts,
  telemetry,
}: AccountPorts): Promise<Result<AccountIndex, AccountsProblem>> => {
  try {
    return ok(await accounts.current());
  } catch (error) {
    telemetry.fault('accounts', error);
    return fail(isNotSetUp(error) ? 'accounts-not-set-up' : 'accounts-unavailable');
  }
};

export interface SenderCredentials {
  readonly keys: readonly string[];
  readonly users: readonly string[];
  /** The secret address is given to the telephony service only. */
  readonly hasValidSecret: boolean;
}

/** A user name counts only in a call or participant: in the vendor’s other posts it is the name of an agent. */
export const senderCredentials = (
  records: readonly PostedRecord[],
  classified: CallsAndParticipants,
  envelopeKeys: readonly EnvelopeKey[],
  hasValidSecret: boolean,
): SenderCredentials => ({
  keys: nonBlankKeys([...envelopeKeys.map(({ key }) => key), ...valuesOf(records, isKeyField)]),
  users: userNamesIn(classified),
  hasValidSecret,
});

type CallsAndParticipants = Pick<ClassifiedRecords, 'calls' | 'participants'>;

export const userNamesIn = ({ calls, participants }: CallsAndParticipants): readonly string[] =>
  valuesOf([...calls, ...participants], isUserName).flatMap((user) => nonBlank(user) ?? []);

/** A post has one key, or the same one in each record. */
export const maxKeys = 20;

/** One key more than a post may have is enough to reject it. Each key is looked up, and anybody can send any number. */
const nonBlankKeys = (keys: readonly string[]): readonly string[] =>
  [...new Set(keys.flatMap((key) => nonBlank(key) ?? []))].slice(0, maxKeys + 1);

const isUserName = (key: string): boolean => key.length === 8 && key.toLowerCase() === 'username';

const valuesOf = (records: readonly PostedRecord[], matches: (key: string) => boolean): readonly string[] =>
  records.flatMap(({ value: record }) =>
    isJsonObject(record)
      ? Object.keys(record)
          .filter(matches)
          .flatMap((key) => textsOfJson(record[key] ?? null))
      : [],
  );

/** The credentials of a post that is rejected, with every key in its text: whoever names a live key is known. */
export const withKeysInText = (
  index: AccountIndex,
  text: string,
  credentials: SenderCredentials,
): SenderCredentials => ({
  ...credentials,
  keys: nonBlankKeys([...index.keysIn(text), ...credentials.keys]),
});

export const accountRejected = counter('AccountRejected');

/**
 * Authenticates a post, and returns the accounts that decided. An unknown key may be new, so they are read once more
 * before it is rejected. Rejected posts are counted by named account: other accounts' calls would hide them otherwise.
 */
export const authenticateSender = async (
  ports: AccountPorts,
  loaded: AccountIndex,
  credentials: SenderCredentials,
): Promise<{ readonly index: AccountIndex; readonly sender: Result<Account, SenderProblem> }> => {
  // An accepted post, as nearly every one is, looks up each key once.
  const first = accountOfSender(loaded, credentials);
  const index = first.ok ? loaded : await accountsWithKeys(ports, loaded, credentials);
  const sender = index === loaded ? first : accountOfSender(index, credentials);
  if (!sender.ok && countsAsOurs(index, credentials)) ports.telemetry.count(accountRejected);
  return { index, sender };
};

export const accountsWithKeys = async (
  ports: AccountPorts,
  loaded: AccountIndex,
  { keys }: SenderCredentials,
): Promise<AccountIndex> =>
  keys.every((key) => loaded.accountForKey(key) !== undefined) ? loaded : ports.accounts.refresh();

export type SenderProblem = 'key-missing' | 'unknown-key' | 'unknown-user' | 'mixed-accounts';

/**
 * The one account that a post comes from. Every key in it must be a live key of that account, and every user name its
 * own. Which fields a post must have is not documented, so a post to the secret address needs no key.
 */
export const accountOfSender = (
  index: AccountIndex,
  { keys, users, hasValidSecret }: SenderCredentials,
): Result<Account, SenderProblem> => {
  if (keys.length === 0 && !hasValidSecret) return fail('key-missing');
  if (keys.length > maxKeys) return fail('unknown-key');

  const owners = keys.length > 0 ? keys.map(index.accountForKey) : [index.accountNamed(users[0])];
  const [account] = owners;
  if (account === undefined || owners.includes(undefined))
    return fail(keys.length > 0 ? 'unknown-key' : 'unknown-user');
  if (owners.some((owner) => owner !== account)) return fail('mixed-accounts');
  if (!users.every((user) => isSameUser(user, account.userName))) return fail('unknown-user');
  return ok(account);
};

/**
 * A post to the secret address that names nobody does not count: it may not be about a call at all. Nor does one that has an
 * account's name only, which anybody may guess. With an unknown key beside it counts: that is what a changed key looks like.
 */
export const countsAsOurs = (index: AccountIndex, { keys, users, hasValidSecret }: SenderCredentials): boolean =>
  (keys.length > 0 && users.some((user) => index.accountNamed(user) !== undefined)) ||
  keys.some((key) => index.accountForKey(key) !== undefined) ||
  (hasValidSecret && keys.length + users.length > 0);

/** Whether a sender is known: by a live key of an account, or by the secret address. Everybody else is a stranger. */
export const isKnownSender = (index: AccountIndex, { keys, hasValidSecret }: SenderCredentials): boolean =>
  hasValidSecret || keys.some((key) => index.accountForKey(key) !== undefined);

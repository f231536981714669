import { type Account, type AccountIndex, isSameUser, keyFingerprint, maxKeyLength } from '../accounts/accounts.ts';
import { maxClaimedKeys, secretRedactor } from '../accounts/redact-secrets.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isKnownSender, type SenderCredentials } from './authenticate-sender.ts';
import type { QuarantineEntry } from './schema.ts';

/** What a quarantine entry says of its sender. */
type QuarantinedSender = Pick<QuarantineEntry, 'account' | 'viaSecret' | 'keyFingerprints'>;

/**
 * The sender of a post that was not authenticated: the account of its first live key. A post that names nobody belongs to
 * the only account if it came to the secret address. Where its keys are not those of one account, a known sender's entry
 * has their fingerprints. Keys themselves are never stored.
 */
export const quarantinedSender = (
  accounts: AccountIndex,
  { keys, users, hasValidSecret }: SenderCredentials,
): QuarantinedSender => {
  const owners = new Set(keys.map(accounts.accountForKey));
  const [keyed] = [...owners].filter((owner) => owner !== undefined);
  const isAnonymous = keys.length + users.length === 0;
  const account = keyed ?? (hasValidSecret && isAnonymous ? accounts.accountNamed(undefined) : undefined);
  const isKnown = isKnownSender(accounts, { keys, users, hasValidSecret });
  const isOfOneAccount = owners.size === 1 && keyed !== undefined;

  return {
    account: account?.userName,
    ...(account === undefined && hasValidSecret && { viaSecret: true as const }),
    ...(isKnown &&
      keys.length > 0 &&
      !isOfOneAccount && { keyFingerprints: keys.slice(0, maxClaimedKeys).map(keyFingerprint) }),
  };
};

/** Whether an unknown key looks like one. A word or a number in its field is probably the value of other fields too. */
const isLikeKey = (key: string): boolean => key.length <= maxKeyLength && /[a-z]/i.test(key) && /\d/.test(key);

/**
 * A text without any key. A known sender's unknown keys are probably new ones of an account, so they are redacted
 * wherever they occur, as live keys are. Those of strangers are redacted in their fields: a search would cost too much.
 */
export const redactPost = (accounts: AccountIndex, credentials: SenderCredentials, text: string): string => {
  const redacted = accounts.redact(text);
  if (!isKnownSender(accounts, credentials)) return redacted;
  const unknown = credentials.keys.filter((key) => isLikeKey(key) && !accounts.accountForKey(key));
  return secretRedactor(unknown.slice(0, maxClaimedKeys))(redacted);
};

/** Why it is not known which account an entry belongs to. */
export type QuarantinedSenderProblem =
  | 'unknown-key'
  | 'mixed-accounts'
  | 'unknown-account'
  | 'account-mismatch'
  | 'account-not-named';

/**
 * The account of a quarantined post by the present accounts: the owner of its keys, whom their fingerprints show,
 * or the account that was authenticated. Without either, the user names of a post to the secret address decide.
 * An operator who names an account decides only where none of these contradicts.
 */
export const accountOfEntry = (
  accounts: AccountIndex,
  { reason, account, viaSecret, keyFingerprints = [] }: QuarantineEntry,
  users: readonly string[],
  given: string | undefined,
): Result<Account, QuarantinedSenderProblem> => {
  const owners = keyFingerprints.map(accounts.accountForFingerprint);
  const keyed = new Set(owners.filter((owner) => owner !== undefined));
  // Entries of earlier versions have no fingerprints, so nobody can assign their records to accounts.
  if (keyed.size > 1 || (reason === 'mixed-accounts' && owners.length === 0)) return fail('mixed-accounts');

  const [proven] = [...keyed, ...(account === undefined ? [] : [accounts.accountNamed(account)])];
  if (given !== undefined) {
    if (proven !== undefined && !isSameUser(proven.userName, given)) return fail('account-mismatch');
    return named(accounts, given);
  }
  if (owners.includes(undefined)) return fail('unknown-key');
  if (proven !== undefined) return ok(proven);
  if (account !== undefined) return fail('unknown-account');
  const byUser = viaSecret === undefined ? undefined : accounts.accountNamed(users[0]);
  return byUser === undefined ? fail('account-not-named') : ok(byUser);
};

const named = (accounts: AccountIndex, name: string): Result<Account, 'unknown-account'> => {
  const account = accounts.accountNamed(name);
  return account === undefined ? fail('unknown-account') : ok(account);
};

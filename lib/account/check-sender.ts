import { fail, ok, type Result } from '../result.ts';
import type { Account } from './account.ts';
import { type AccountBook, isSameUser } from './account-book.ts';

/** What a post says of its sender. */
export interface Claims {
  /** The account keys named anywhere in the post. */
  readonly keys: readonly string[];
  /** The user names in its records. */
  readonly users: readonly string[];
  /** Whether it came to the address that only the service was given. */
  readonly secretProven: boolean;
}

/** Why a sender is not believed. */
export type SenderProblem = 'key-missing' | 'unknown-key' | 'unknown-user' | 'mixed-accounts';

/**
 * The one account that a post comes from. Every key in it must be a live key of that account, every user name its own.
 * Which fields are required is not documented: a post without any key is believed if it came to the secret address.
 */
export const checkSender = (book: AccountBook, claims: Claims): Result<Account, SenderProblem> => {
  const { keys, users, secretProven } = claims;
  if (keys.length === 0 && !secretProven) return fail('key-missing');

  const owners = keys.length > 0 ? [...new Set(keys)].map(book.ownerOf) : [book.named(users[0])];
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
export const isOfOurs = (book: AccountBook, { keys, users, secretProven }: Claims): boolean =>
  users.some((user) => book.named(user) !== undefined) ||
  keys.some((key) => book.ownerOf(key) !== undefined) ||
  (secretProven && keys.length + users.length > 0);

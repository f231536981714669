import { hash, timingSafeEqual } from 'node:crypto';
import { keyMask } from '../callback/mask-keys.ts';
import type { Account } from './account.ts';

/** The accounts as the receiver asks for them. */
export interface AccountBook {
  readonly all: readonly Account[];
  /** The account that a key belongs to. Takes as long for a wrong key as for a right one. */
  ownerOf(key: string): Account | undefined;
  /** The account of a name, in any letter case; the only account, if no name is given and there is but one. */
  named(userName: string | undefined): Account | undefined;
  /** The text without any account's key, known or claimed. */
  masked(text: string): string;
}

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer');

/** Whether two user names are the same account's. */
export const isSameUser = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Prepares the accounts for many questions. */
export const accountBook = (accounts: readonly Account[]): AccountBook => {
  const digests = accounts.flatMap((account) => account.apiKeys.map((key) => ({ account, digest: digestOf(key) })));

  return {
    all: accounts,
    ownerOf: (key) => {
      const claimed = digestOf(key);
      return digests.filter(({ digest }) => timingSafeEqual(digest, claimed))[0]?.account;
    },
    named: (userName) => {
      if (userName === undefined) return accounts.length === 1 ? accounts[0] : undefined;
      return accounts.find((account) => isSameUser(account.userName, userName));
    },
    masked: keyMask(accounts.flatMap(({ apiKeys }) => apiKeys)),
  };
};

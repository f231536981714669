import { hash, timingSafeEqual } from 'node:crypto';
import type { Account } from './accounts.ts';
import { secretRedactor } from './redact-secrets.ts';

/** The accounts as the receiver asks for them. */
export interface AccountIndex {
  readonly all: readonly Account[];
  /** The account that a key belongs to. Takes as long for a wrong key as for a right one. */
  accountForKey(key: string): Account | undefined;
  /** The account of a name, in any letter case; the only account, if no name is given and there is but one. */
  accountNamed(userName: string | undefined): Account | undefined;
  /** The text without any account's key, known or claimed. */
  redact(text: string): string;
}

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer');

/** Whether two user names are the same account's. */
export const isSameUser = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Prepares the accounts for many questions. */
export const accountIndex = (accounts: readonly Account[]): AccountIndex => {
  const digests = accounts.flatMap((account) => account.apiKeys.map((key) => ({ account, digest: digestOf(key) })));

  return {
    all: accounts,
    accountForKey: (key) => {
      const claimed = digestOf(key);
      return digests.filter(({ digest }) => timingSafeEqual(digest, claimed))[0]?.account;
    },
    accountNamed: (userName) => {
      if (userName === undefined) return accounts.length === 1 ? accounts[0] : undefined;
      return accounts.find((account) => isSameUser(account.userName, userName));
    },
    redact: secretRedactor(accounts.flatMap(({ apiKeys }) => apiKeys)),
  };
};

/** The accounts that this deployment serves. Throws when they cannot be read or are malformed. */
export interface Accounts {
  current(): Promise<AccountIndex>;
  /** Reads them again, at most once in a while: a key may have been rotated a moment ago. */
  refresh(): Promise<AccountIndex>;
}

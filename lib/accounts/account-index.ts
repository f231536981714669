import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../core/content-hash.ts';
import type { Account } from './accounts.ts';
import { secretRedactor } from './redact-secrets.ts';

/** The accounts that this deployment serves. Throws when they cannot be read or are malformed. */
export interface Accounts {
  current(): Promise<AccountIndex>;
  /** Reads them again, unless they were read moments ago: a key may have been rotated since. */
  refresh(): Promise<AccountIndex>;
}

/** The accounts, prepared for look-ups. */
export interface AccountIndex {
  readonly all: readonly Account[];
  /** The account that a key belongs to. The look-up takes as long for a wrong key as for a right one. */
  accountForKey(key: string): Account | undefined;
  /** The account with this name, in any letter case. Without a name: the only account, if there is just one. */
  accountNamed(userName: string | undefined): Account | undefined;
  /** The text without any key: neither a key of these accounts nor the value of a field that is named like one. */
  redact(text: string): string;
}

/** Prepares accounts for look-ups. */
export const accountIndex = (accounts: readonly Account[]): AccountIndex => {
  const digests = accounts.flatMap((account) => account.apiKeys.map((key) => ({ account, digest: sha256(key) })));

  return {
    all: accounts,
    accountForKey: (key) => {
      const sent = sha256(key);
      // `filter` and not `find`: it compares every key, whichever matches.
      return digests.filter(({ digest }) => timingSafeEqual(digest, sent))[0]?.account;
    },
    accountNamed: (userName) => {
      if (userName === undefined) return accounts.length === 1 ? accounts[0] : undefined;
      return accounts.find((account) => isSameUser(account.userName, userName));
    },
    redact: secretRedactor(accounts.flatMap(({ apiKeys }) => apiKeys)),
  };
};

/** Whether two user names mean the same account. */
export const isSameUser = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

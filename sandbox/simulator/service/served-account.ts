import { isSameUser } from '../../../lib/account/account-book.ts';
import type { Account, TokenRule } from '../account.ts';
import type { LiveFloor } from '../floor/live-floor.ts';
import { createLimit, type Limit, loginsLimit, tokensLimit } from './limit.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** An account as the service's operations know it. */
export interface ServedAccount {
  readonly userName: string;
  readonly keys: readonly string[];
  readonly tokenRule: TokenRule;
  readonly floor: LiveFloor;
  readonly tokens: Tokens;
  readonly loginsLimit: Limit;
  readonly tokensLimit: Limit;
}

/** An account of which nobody has asked anything yet. */
export const servedAccount = (account: Account, floor: LiveFloor, now: () => number): ServedAccount => {
  const tokenRule: TokenRule = account.token ?? { kind: 'none' };

  return {
    userName: account.userName,
    keys: [account.apiKey, ...(account.furtherKeys ?? [])],
    tokenRule,
    floor,
    tokens: createTokens(tokenRule, now),
    loginsLimit: createLimit({ ...loginsLimit, now }),
    tokensLimit: createLimit({ ...tokensLimit, now }),
  };
};

/** The account of a name, in any letter case. */
export const accountNamed = <Named extends { readonly userName: string }>(
  accounts: readonly Named[],
  userName: string,
): Named | undefined => accounts.find((account) => isSameUser(account.userName, userName));

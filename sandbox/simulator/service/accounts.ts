import { randomUUID } from 'node:crypto';
import { isSameUser } from '../../../lib/accounts/account-index.ts';
import type { Account as ConfiguredAccount } from '../../../lib/accounts/accounts.ts';
import type { LiveFloor } from '../floor/live-floor.ts';
import { createRateLimit, loginsLimit, type RateLimit, type RateLimitCounts, tokensLimit } from './rate-limit.ts';

/** An account of the service. */
export interface SimulatedAccount {
  readonly userName: string;
  /** The key that its callbacks carry. */
  readonly apiKey: string;
  /** Keys that are valid besides, as while a key is changed. */
  readonly furtherKeys?: readonly string[] | undefined;
  /** IANA zone in which the service writes this account's times. */
  readonly timeZone: string;
  /** Whether getAgentLogins asks for a token, and which; none unless told. */
  readonly token?: TokenRule | undefined;
}

/** No token, one that was agreed on, or one that has to be generated. */
export type TokenRule = ConfiguredAccount['token'];

/** The tokens of an account. */
export interface Tokens {
  /** Makes one more, which nobody can foresee. Those made before stay valid. */
  readonly generate: () => string;
  /** Whether a request with this `Authorization` header may see the agents. */
  readonly isAccepted: (authorization: string | undefined) => boolean;
  readonly generated: () => number;
}

/** Practice: a token is valid for an hour. */
const lifeMilliseconds = 60 * 60_000;

/** With or without `Bearer`, as both are met. */
const tokenIn = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim();

/** The tokens of an account under its rule. Where it asks for none, whatever is sent is good. */
const createTokens = (rule: TokenRule, now: () => number): Tokens => {
  const expiries = new Map<string, number>();
  let generated = 0;

  return {
    generate() {
      const token = randomUUID();
      expiries.set(token, now() + lifeMilliseconds);
      generated += 1;
      return token;
    },
    isAccepted(authorization = '') {
      if (rule.kind === 'none') return true;

      const token = tokenIn(authorization);
      return rule.kind === 'static' ? token === rule.value : now() < (expiries.get(token) ?? 0);
    },
    generated: () => generated,
  };
};

/** An account as the service's operations know it. */
export interface ServedAccount {
  readonly userName: string;
  readonly keys: readonly string[];
  readonly tokenRule: TokenRule;
  readonly floor: LiveFloor;
  readonly tokens: Tokens;
  readonly loginsLimit: RateLimit;
  readonly tokensLimit: RateLimit;
}

/** An account of which nobody has asked anything yet. */
export const servedAccount = (account: SimulatedAccount, floor: LiveFloor, now: () => number): ServedAccount => {
  const tokenRule: TokenRule = account.token ?? { kind: 'none' };

  return {
    userName: account.userName,
    keys: [account.apiKey, ...(account.furtherKeys ?? [])],
    tokenRule,
    floor,
    tokens: createTokens(tokenRule, now),
    loginsLimit: createRateLimit({ ...loginsLimit, now }),
    tokensLimit: createRateLimit({ ...tokensLimit, now }),
  };
};

/** The account of a name, in any letter case. */
export const accountNamed = <Named extends { readonly userName: string }>(
  accounts: readonly Named[],
  userName: string,
): Named | undefined => accounts.find((account) => isSameUser(account.userName, userName));

/** What was asked for an account. Instants in milliseconds since the epoch. */
export interface AccountReport extends Pick<RateLimitCounts, 'requests' | 'overLimit' | 'requestTimes'> {
  readonly maxPerMinute: number;
  readonly agentsLoggedIn: number;
  readonly tokens: Pick<RateLimitCounts, 'requests' | 'overLimit' | 'requestTimes'> & {
    readonly generated: number;
    readonly maxPerHour: number;
  };
}

/** Who is logged in, without anything personal. */
export type AgentsReport = readonly {
  readonly agentId: string;
  readonly state: string;
  readonly skills: readonly string[];
}[];

const byUserName = <Value>(accounts: readonly ServedAccount[], tell: (account: ServedAccount) => Value) =>
  Object.fromEntries(accounts.map((account) => [account.userName, tell(account)]));

/** What was asked for each account. No key, no token. */
export const accountsReport = (
  accounts: readonly ServedAccount[],
  at: number,
): Readonly<Record<string, AccountReport>> =>
  byUserName(accounts, ({ loginsLimit, tokensLimit, tokens, floor }) => {
    const { maxPerWindow: maxPerMinute, ...logins } = loginsLimit.counts();
    const { maxPerWindow: maxPerHour, ...generations } = tokensLimit.counts();

    return {
      ...logins,
      maxPerMinute,
      agentsLoggedIn: floor.loggedInAt(at).length,
      tokens: { ...generations, maxPerHour, generated: tokens.generated() },
    };
  });

/** Who is logged in at each account. */
export const agentsReport = (accounts: readonly ServedAccount[], at: number): Readonly<Record<string, AgentsReport>> =>
  byUserName(accounts, ({ floor }) =>
    floor.loggedInAt(at).map(({ id, state, skills }) => ({ agentId: id, state, skills })),
  );

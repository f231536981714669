import { createHmac, randomUUID } from 'node:crypto';
import { isSameUser } from '../../../lib/accounts/accounts.ts';
import type { LiveFloor } from '../floor/live-floor.ts';
import type { CallReport } from '../report/call-report.ts';
import type { ReportRequest, ReportSettings } from '../report/report-settings.ts';
import type { SimulatedAccount, TokenRule } from '../simulated-account.ts';
import {
  createRateLimit,
  loginsLimit,
  type RateLimit,
  type RateLimitCounts,
  reportsLimit,
  tokensLimit,
} from './rate-limit.ts';

/** An account as the operations of the service use it. */
export interface ServedAccount {
  readonly userName: string;
  readonly timeZone: string;
  readonly keys: readonly string[];
  readonly tokenRule: TokenRule;
  readonly floor: LiveFloor;
  readonly tokens: Tokens;
  readonly report: CallReport;
  readonly loginsLimit: RateLimit;
  readonly reportsLimit: RateLimit;
  readonly tokensLimit: RateLimit;
}

/** An account without any requests yet. */
export const servedAccount = (
  account: SimulatedAccount,
  floor: LiveFloor,
  report: CallReport,
  now: () => number,
): ServedAccount => ({
  ...credentialsOf(account, now),
  floor,
  report,
  loginsLimit: createRateLimit({ ...loginsLimit, now }),
  reportsLimit: createRateLimit({ ...reportsLimit, now }),
  tokensLimit: createRateLimit({ ...tokensLimit, now }),
});

/** The account with other keys and settings. Its agents, calls and counted requests stay. */
export const changedAccount = (served: ServedAccount, account: SimulatedAccount, now: () => number): ServedAccount => ({
  ...served,
  ...credentialsOf(account, now, served.tokens.generated()),
});

/** Tokens are signed with the first key, so those of a former first key are refused. */
const credentialsOf = (
  { userName, timeZone, apiKey, furtherKeys = [], token }: SimulatedAccount,
  now: () => number,
  tokensBefore = 0,
) => {
  const tokenRule: TokenRule = token ?? { kind: 'none' };
  return {
    userName,
    timeZone,
    keys: [apiKey, ...furtherKeys],
    tokenRule,
    tokens: createTokens(tokenRule, apiKey, now, tokensBefore),
  };
};

/** The account with a name, in any letter case. */
export const accountNamed = <Named extends { readonly userName: string }>(
  accounts: readonly Named[],
  userName: string,
): Named | undefined => accounts.find((account) => isSameUser(account.userName, userName));

/** The tokens of an account. */
export interface Tokens {
  /** Issues another token. Earlier tokens stay valid. */
  readonly generate: () => string;
  /** Whether a request with this `Authorization` header is accepted. */
  readonly isAccepted: (authorization: string | undefined) => boolean;
  readonly generated: () => number;
}

/** In practice a token is valid for an hour. */
const lifeMilliseconds = 60 * 60_000;

/**
 * The tokens of an account. If its rule requires none, a request may have none, but no token that was not issued. A token
 * has its expiry and a signature, so the ones that a sandbox stores are still valid after a restart.
 */
const createTokens = (rule: TokenRule, apiKey: string, now: () => number, before: number): Tokens => {
  let generated = before;
  const sign = (expiry: string, nonce: string) =>
    [expiry, nonce, createHmac('sha256', apiKey).update(`${expiry}.${nonce}`).digest('base64url')].join('.');
  const isIssued = (token: string): boolean => {
    const [expiry = '', nonce = ''] = token.split('.');
    return token === sign(expiry, nonce) && now() < Number(expiry);
  };

  return {
    generate() {
      generated += 1;
      return sign(String(now() + lifeMilliseconds), randomUUID());
    },
    isAccepted(authorization = '') {
      if (rule.kind === 'none' && authorization === '') return true;

      const token = tokenIn(authorization);
      return rule.kind === 'static' ? token === rule.value : isIssued(token);
    },
    generated: () => generated,
  };
};

/** The token with or without `Bearer`, as clients send both. */
const tokenIn = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim();

/** The requests for an account. Instants are in milliseconds since the epoch. */
export interface AccountReport extends Pick<RateLimitCounts, 'requests' | 'overLimit' | 'requestTimes'> {
  readonly maxPerMinute: number;
  readonly agentsLoggedIn: number;
  readonly reports: Pick<RateLimitCounts, 'requests' | 'overLimit' | 'requestTimes'> & {
    readonly maxPerMinute: number;
  };
  readonly tokens: Pick<RateLimitCounts, 'requests' | 'overLimit' | 'requestTimes'> & {
    readonly generated: number;
    readonly maxPerHour: number;
  };
}

/** The agents that are logged in, without names and phone numbers. */
export type AgentsReport = readonly {
  readonly agentId: string;
  readonly state: string;
  readonly skills: readonly string[];
}[];

const byUserName = <Value>(accounts: readonly ServedAccount[], report: (account: ServedAccount) => Value) =>
  Object.fromEntries(accounts.map((account) => [account.userName, report(account)]));

/** The requests for each account, without keys and tokens. */
export const accountsReport = (
  accounts: readonly ServedAccount[],
  at: number,
): Readonly<Record<string, AccountReport>> =>
  byUserName(accounts, ({ loginsLimit, reportsLimit, tokensLimit, tokens, floor }) => {
    const { maxPerWindow: maxPerMinute, ...logins } = loginsLimit.counts();
    const { maxPerWindow: maxReports, ...reports } = reportsLimit.counts();
    const { maxPerWindow: maxPerHour, ...generations } = tokensLimit.counts();

    return {
      ...logins,
      maxPerMinute,
      agentsLoggedIn: floor.loggedInAt(at).length,
      reports: { ...reports, maxPerMinute: maxReports },
      tokens: { ...generations, maxPerHour, generated: tokens.generated() },
    };
  });

/** The agents that are logged in at each account. */
export const agentsReport = (accounts: readonly ServedAccount[], at: number): Readonly<Record<string, AgentsReport>> =>
  byUserName(accounts, ({ floor }) =>
    floor.loggedInAt(at).map(({ id, state, skills }) => ({ agentId: id, state, skills })),
  );

/** Changes the settings of one account's call report, or of all. Undefined if there is no such account. */
export const changeReports = (
  accounts: readonly ServedAccount[],
  { account, ...changes }: ReportRequest,
): Readonly<Record<string, ReportSettings>> | undefined => {
  const chosen = account === undefined ? accounts : accounts.filter(({ userName }) => isSameUser(userName, account));
  if (chosen.length === 0) return undefined;

  for (const { report } of chosen) report.change(changes);
  return byUserName(accounts, ({ report }) => report.settings());
};

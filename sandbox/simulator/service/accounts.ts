import { createHmac, randomUUID } from 'node:crypto';
import { isSameUser } from '../../../lib/accounts/accounts.ts';
import type { LiveFloor } from '../floor/live-floor.ts';
import type { CallReport } from '../report/call-report.ts';
import { keyOf, type ReportRequest, type ReportSettings, type SimulatedAccount } from '../settings.ts';

/** An account as the operations of the service use it. */
export interface ServedAccount extends SimulatedAccount {
  readonly floor: LiveFloor;
  readonly tokens: ReturnType<typeof createTokens>;
  readonly report: CallReport;
  readonly loginsLimit: ReturnType<typeof createRateLimit>;
  readonly reportsLimit: ReturnType<typeof createRateLimit>;
  readonly tokensLimit: ReturnType<typeof createRateLimit>;
}

const minute = 60_000;

/** An account without any requests yet. */
export const servedAccount = (
  account: SimulatedAccount,
  floor: LiveFloor,
  report: CallReport,
  now: () => number,
): ServedAccount => ({
  ...account,
  tokens: createTokens(account, now, 0),
  floor,
  report,
  // The first limit is the specification's. In production the others were met: two reports a minute over both forms, and ten
  // tokens an hour.
  loginsLimit: createRateLimit(5, minute, now),
  reportsLimit: createRateLimit(2, minute, now),
  tokensLimit: createRateLimit(10, 60 * minute, now),
});

/** The account with other keys and settings. Its agents, calls and counted requests stay. */
export const changedAccount = (served: ServedAccount, account: SimulatedAccount, now: () => number): ServedAccount => ({
  ...served,
  ...account,
  token: account.token,
  tokens: createTokens(account, now, served.tokens.generated()),
});

/** The account with a name, in any letter case. */
export const accountNamed = <Named extends { readonly userName: string }>(
  accounts: readonly Named[],
  userName: string,
): Named | undefined => accounts.find((account) => isSameUser(account.userName, userName));

/** A token of the service is valid for an hour. */
const lifeMilliseconds = 60 * minute;

/**
 * The tokens of an account. If it requires none, a request may have none, but no token that was not issued. A token has
 * its expiry and a signature with the first key. So the ones that a sandbox stores are still valid after a restart, and
 * those of a former first key are refused.
 */
const createTokens = (account: SimulatedAccount, now: () => number, before: number) => {
  const { token: rule = { kind: 'none' } } = account;
  let generated = before;
  const sign = (expiry: string, nonce: string) =>
    [expiry, nonce, createHmac('sha256', keyOf(account)).update(`${expiry}.${nonce}`).digest('base64url')].join('.');
  const isIssued = (token: string): boolean => {
    const [expiry = '', nonce = ''] = token.split('.');
    return token === sign(expiry, nonce) && now() < Number(expiry);
  };

  return {
    /** Issues another token. Earlier tokens stay valid. */
    generate() {
      generated += 1;
      return sign(String(now() + lifeMilliseconds), randomUUID());
    },
    /** Whether a request with this `Authorization` header is accepted. */
    isAccepted(authorization = '') {
      if (rule.kind === 'none' && authorization === '') return true;

      // Clients send the token with or without `Bearer`.
      const token = authorization.replace(/^Bearer\s+/i, '').trim();
      return rule.kind === 'static' ? token === rule.value : isIssued(token);
    },
    generated: () => generated,
  };
};

/** Counts of requests under a rate limit. Tests use them to check that the limit holds. */
interface RateLimitCounts {
  readonly requests: number;
  /** Requests beyond the limit. */
  readonly overLimit: number;
  /** Times of the latest requests in milliseconds since the epoch, oldest first. */
  readonly requestTimes: readonly number[];
}

const maxTimes = 10_000;

/**
 * A strict limit on requests within any sliding window of time. Rejected requests count as well, so a client that does not pause stays rejected. Both ends of a window
 * belong to it.
 */
const createRateLimit = (max: number, windowMilliseconds: number, now: () => number) => {
  const times: number[] = [];
  let requests = 0;
  let overLimit = 0;
  let maxPerWindow = 0;

  return {
    /** Counts a request that arrives now. False if it is beyond the limit. */
    countRequest() {
      const at = now();
      times.push(at);
      if (times.length > maxTimes) times.shift();

      const inWindow = times.filter((time) => time >= at - windowMilliseconds).length;
      const isWithin = inWindow <= max;
      requests += 1;
      overLimit += isWithin ? 0 : 1;
      maxPerWindow = Math.max(maxPerWindow, inWindow);
      return isWithin;
    },
    counts: (): RateLimitCounts => ({ requests, overLimit, requestTimes: [...times] }),
    /** The largest number of requests in any window. */
    maxPerWindow: () => maxPerWindow,
  };
};

/** The requests for an account, without keys and tokens. */
export interface AccountReport extends RateLimitCounts {
  readonly maxPerMinute: number;
  readonly agentsLoggedIn: number;
  readonly reports: RateLimitCounts & { readonly maxPerMinute: number };
  readonly tokens: RateLimitCounts & { readonly generated: number; readonly maxPerHour: number };
}

/** The agents that are logged in, without names and phone numbers. */
export type AgentsReport = readonly {
  readonly agentId: string;
  readonly state: string;
  readonly skills: readonly string[];
}[];

const byUserName = <Value>(
  accounts: readonly ServedAccount[],
  report: (account: ServedAccount) => Value,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(accounts.map((account) => [account.userName, report(account)]));

/** The requests for each account. */
export const accountsReport = (accounts: readonly ServedAccount[], at: number) =>
  byUserName(
    accounts,
    ({ loginsLimit, reportsLimit, tokensLimit, tokens, floor }): AccountReport => ({
      ...loginsLimit.counts(),
      maxPerMinute: loginsLimit.maxPerWindow(),
      agentsLoggedIn: floor.loggedInAt(at).length,
      reports: { ...reportsLimit.counts(), maxPerMinute: reportsLimit.maxPerWindow() },
      tokens: { ...tokensLimit.counts(), maxPerHour: tokensLimit.maxPerWindow(), generated: tokens.generated() },
    }),
  );

/** The agents that are logged in at each account. */
export const agentsReport = (accounts: readonly ServedAccount[], at: number) =>
  byUserName(
    accounts,
    ({ floor }): AgentsReport => floor.loggedInAt(at).map(({ id, state, skills }) => ({ agentId: id, state, skills })),
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

/** The name and key in a request; empty if missing. */
export interface Credentials {
  readonly userName: string;
  readonly apiKey: string;
}

/** The account whose rate limit counts a request: the key's owner, or else the named account. */
export const accountForLimit = (
  accounts: readonly ServedAccount[],
  { userName, apiKey }: Credentials,
): ServedAccount | undefined =>
  accounts.find(({ apiKeys }) => apiKeys.includes(apiKey)) ?? accountNamed(accounts, userName);

/** Whether name and key are those of the account. */
export const isOwn = (
  account: ServedAccount | undefined,
  { userName, apiKey }: Credentials,
): account is ServedAccount => account?.apiKeys.includes(apiKey) === true && isSameUser(account.userName, userName);

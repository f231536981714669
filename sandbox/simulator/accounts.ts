import { createHmac, randomUUID } from 'node:crypto';
import { type Account, isSameUser } from '../../lib/accounts/accounts.ts';
import { keyOf } from './call-fields.ts';
import type { CallReport } from './call-report.ts';
import type { LiveCentre } from './centre.ts';

const minute = 60_000;

export type ServedAccount = ReturnType<typeof servedAccount>;

export const servedAccount = (account: Account, centre: LiveCentre, report: CallReport, now: () => number) => ({
  ...account,
  centre,
  report,
  tokens: createTokens(account, now, 0),
  limits: {
    logins: createRateLimit(5, minute, now),
    // The specification has the first limit only. The others were met in production: two reports a minute over both forms, and
    // ten tokens an hour.
    reports: createRateLimit(2, minute, now),
    tokens: createRateLimit(10, 60 * minute, now),
  },
});

/** The account with other keys and settings. Its agents, calls and counted requests stay. */
export const changedAccount = (served: ServedAccount, account: Account, now: () => number): ServedAccount => ({
  ...served,
  ...account,
  token: account.token,
  tokens: createTokens(account, now, served.tokens.generated()),
});

export const accountNamed = <Named extends { readonly userName: string }>(
  accounts: readonly Named[],
  userName: string,
): Named | undefined => accounts.find((account) => isSameUser(account.userName, userName));

const lifeMilliseconds = 60 * minute;

/** Dated and signed with the first key, so stored ones survive a restart. An account that needs none refuses wrong ones too. */
const createTokens = (account: Account, now: () => number, before: number) => {
  const { token: rule = { kind: 'none' } } = account;
  let generated = before;
  const sign = (expiry: string, nonce: string) =>
    [expiry, nonce, createHmac('sha256', keyOf(account)).update(`${expiry}.${nonce}`).digest('base64url')].join('.');

  return {
    generate() {
      generated += 1;
      return sign(String(now() + lifeMilliseconds), randomUUID());
    },
    isAccepted(authorization = '') {
      if (rule.kind === 'none' && authorization === '') return true;

      // Clients send the token with or without `Bearer`.
      const token = authorization.replace(/^Bearer\s+/i, '').trim();
      if (rule.kind === 'static') return token === rule.value;
      const [expiry = '', nonce = ''] = token.split('.');
      return token === sign(expiry, nonce) && now() < Number(expiry);
    },
    generated: () => generated,
  };
};

const maxTimes = 10_000;

/** Both ends of a window are included. Rejected requests count, so a client that does not pause stays rejected. */
const createRateLimit = (max: number, windowMilliseconds: number, now: () => number) => {
  const times: number[] = [];
  let requests = 0;
  let overLimit = 0;
  let maxPerWindow = 0;

  return {
    countRequest() {
      const at = now();
      times.push(at);
      if (times.length > maxTimes) times.shift();

      const inWindow = times.filter((time) => time >= at - windowMilliseconds).length;
      requests += 1;
      overLimit += inWindow <= max ? 0 : 1;
      maxPerWindow = Math.max(maxPerWindow, inWindow);
      return inWindow <= max;
    },
    /** Tests check by these that the limit holds. The times are the latest, in milliseconds since the epoch, oldest first. */
    counts: () => ({ requests, overLimit, requestTimes: [...times] }),
    maxPerWindow: () => maxPerWindow,
  };
};

export type AccountReport = ReturnType<typeof accountReport>;

export const accountReports = (accounts: readonly ServedAccount[], at: number) =>
  byUserName(accounts, (account) => accountReport(account, at));

const accountReport = ({ limits, tokens, centre }: ServedAccount, at: number) => ({
  ...limits.logins.counts(),
  maxPerMinute: limits.logins.maxPerWindow(),
  agentsLoggedIn: centre.loggedInAt(at).length,
  reports: { ...limits.reports.counts(), maxPerMinute: limits.reports.maxPerWindow() },
  tokens: { ...limits.tokens.counts(), maxPerHour: limits.tokens.maxPerWindow(), generated: tokens.generated() },
});

export const agentsReport = ({ centre }: ServedAccount, at: number) =>
  centre.loggedInAt(at).map(({ id, state, skills }) => ({ agentId: id, state, skills }));

export const byUserName = <Named extends { readonly userName: string }, Value>(
  accounts: readonly Named[],
  ofAccount: (account: Named) => Value,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(accounts.map((account) => [account.userName, ofAccount(account)]));

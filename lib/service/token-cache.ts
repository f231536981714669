import * as z from 'zod/mini';
import { type PolledAccount, pollingKey } from '../accounts/accounts.ts';
import { withoutUndefined } from '../core/collections.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { type Clock, expiresAt } from '../core/time.ts';
import { count } from '../storage/field.ts';
import { type AgentTable, joinedKey, type RowKey, storedWord } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { hasCapacity, type RateLimit, requestArrived, withRequest } from './rate-limit.ts';
import { maxRunSeconds, type ServiceFailure, type ServiceProblem, type TelephonyService } from './service.ts';
import { decryptToken, encryptToken } from './token-cipher.ts';
import { parseToken, tokenRequest } from './token-exchange.ts';

/** The service issues at most 10 tokens an hour. */
export const tokenRateLimit: RateLimit = { maxRequests: 10, windowMs: 60 * 60_000 };

export const tokenKey = (account: string): RowKey => ({ pk: joinedKey(account, 'token'), sk: 'token' });

interface TokenPorts {
  readonly table: AgentTable;
  readonly service: TelephonyService;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Undefined where no token is needed. `rejected` is one that the service has just rejected: the result is another. */
export type GetToken = (
  account: PolledAccount,
  rejected?: string,
) => Promise<Result<string | undefined, ServiceFailure>>;

/** A token that is rejected sooner after its issue was not rejected for its age, so a new one would not help. */
const minTokenAgeMs = 5 * 60_000;

/** The bearer tokens of the accounts. All runs share a generated token and its rate limit through the table. */
export const tokenCache = (ports: TokenPorts): GetToken => {
  const { table, clock } = ports;
  const states = new Map<string, TokenState>();

  return async (account, rejected) => {
    if (account.token.kind === 'none') return ok(undefined);
    if (account.token.kind === 'static') return ok(account.token.value);

    const tokenIn = (state: TokenState | undefined) => usableToken(state, account, clock(), rejected);
    const remembered = tokenIn(states.get(account.userName));
    if (remembered !== undefined) return ok(remembered);

    const state = await readState(table, account);
    // Something else wrote the row, so nobody knows how many tokens were requested in the last hour.
    if (state === undefined) return fail({ reason: 'no-token' });
    states.set(account.userName, state);
    const shared = tokenIn(state);
    if (shared !== undefined) return ok(shared);

    if (rejected !== undefined && ageMs(state, clock()) < minTokenAgeMs) return fail({ reason: 'unauthorised' });
    const exchanged = await exchangeToken(ports, account, state);
    if (!exchanged.ok) return exchanged;
    states.set(account.userName, exchanged.value.state);
    return ok(exchanged.value.token);
  };
};

/** The state; undefined if something else wrote its row. */
const readState = async (table: AgentTable, { userName }: PolledAccount): Promise<TokenState | undefined> => {
  const [row] = await table.query(tokenKey(userName).pk);
  return row === undefined ? { account: userName, version: 0, requests: [] } : TokenState.safeParse(row).data;
};

const exchangeToken = async (
  { table, service, clock, telemetry }: TokenPorts,
  account: PolledAccount,
  state: TokenState,
): Promise<Result<{ readonly token: string; readonly state: TokenState }, ServiceFailure>> => {
  const requestedAt = clock();
  if (!hasCapacity(tokenRateLimit, state.requests, requestedAt.getTime()))
    return fail({ reason: state.failure ?? 'token-limit', isOfToken: true });
  // The request may reach the service as late as the end of the longest run, so it is noted with that time.
  const noted = withRequest(tokenRateLimit, state.requests, requestedAt, maxRunSeconds * 1000);
  const requested = { ...state, version: state.version + 1, requests: noted };
  if ((await table.write(tokenRow(requested, requestedAt))) === 'conflict') return fail({ reason: 'no-token' });
  // This run can use its own answer, a token or a failure, even if it cannot share it.
  const share = (next: TokenState) =>
    table.write(tokenRow(next, requestedAt)).catch((error: unknown) => telemetry.fault('agent-store', error));

  const answer = await service.post(tokenRequest(account));
  const token = answer.ok ? parseToken(account, answer.value) : answer;
  if (!token.ok) {
    const { reason: failure, isUnsent } = token.problem;
    await share(afterRequest(requested, clock(), { failure }, isUnsent));
    return fail({ ...token.problem, isOfToken: true });
  }
  const next = afterRequest(requested, clock(), {
    encryptedToken: encryptToken(token.value, pollingKey(account)),
    issuedAt: requestedAt.toISOString(),
    failure: undefined,
  });
  await share(next);
  return ok({ token: token.value, state: next });
};

const TokenState = z.object({
  account: z.string(),
  version: count,
  /** The latest arrival time of each token request of the last hour, in milliseconds since the epoch. */
  requests: z.readonly(z.array(z.number())),
  encryptedToken: z.optional(z.string()),
  issuedAt: z.optional(z.string()),
  /** Why the latest request brought no token. A limit that failed requests used up is only its consequence. */
  failure: z.optional(storedWord<ServiceProblem>()),
});

type TokenState = Readonly<z.infer<typeof TokenState>>;

/** The row outlives every request that counts towards the limit. */
const tokenRow = (state: TokenState, now: Date) =>
  withoutUndefined({ ...state, ...tokenKey(state.account), kind: 'token', expiresAt: expiresAt(now.toISOString(), 2) });

/** The service's tokens are valid for 60 minutes. */
const tokenUsableMs = 55 * 60_000;

const usableToken = (
  state: TokenState | undefined,
  account: PolledAccount,
  now: Date,
  rejected: string | undefined,
): string | undefined => {
  if (state === undefined || ageMs(state, now) >= tokenUsableMs) return undefined;
  const token = decryptToken(state.encryptedToken ?? '', pollingKey(account));
  return token === rejected ? undefined : token;
};

/** Without a token, the age is that of a token from 1970: always too old. */
const ageMs = ({ issuedAt }: TokenState, now: Date): number => now.getTime() - Date.parse(issuedAt ?? '1970-01-01');

/** The state after its request, which the service has not counted if there was no connection. */
const afterRequest = (state: TokenState, now: Date, changes: Partial<TokenState>, isUnsent?: boolean): TokenState => ({
  ...state,
  ...changes,
  version: state.version + 1,
  requests: isUnsent ? state.requests.slice(0, -1) : requestArrived(state.requests, now),
});

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import * as z from 'zod/mini';
import { type PolledAccount, pollingKey } from '../accounts/accounts.ts';
import { withoutUndefined } from '../core/collections.ts';
import { isJsonObject, type Json, parseJsonWithoutBadParts } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { type Clock, expiresAt } from '../core/time.ts';
import { count } from '../storage/field.ts';
import { type AgentTable, joinedKey, type RowKey, storedWord } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import {
  hasCapacity,
  isFailure,
  maxRunSeconds,
  messageOf,
  operationUrl,
  problemWithoutContent,
  type RateLimit,
  requestArrived,
  requestBody,
  type ServiceFailure,
  type ServiceProblem,
  type ServiceRequest,
  type ServiceResponse,
  serviceProblemOf,
  type TelephonyService,
  withRequest,
} from './service.ts';

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
    // The number of recent requests is unknown.
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
  // Only at the end of the longest run has the request reached the service for certain.
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

/** It outlives every request that counts. */
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

/** A state without a token is as old as can be. */
const ageMs = ({ issuedAt }: TokenState, now: Date): number => now.getTime() - Date.parse(issuedAt ?? '1970-01-01');

/** The state after its request, which the service has not counted if there was no connection. */
const afterRequest = (state: TokenState, now: Date, changes: Partial<TokenState>, isUnsent?: boolean): TokenState => ({
  ...state,
  ...changes,
  version: state.version + 1,
  requests: isUnsent ? state.requests.slice(0, -1) : requestArrived(state.requests, now),
});

/** The service's documentation has these. The specification leaves them open, so an account may configure others. */
const exchangeDefaults = { path: '/ca_apis/CAToken/generateToken', header: 'apiKey', answerField: 'token' };

const exchangeSettings = ({ token }: PolledAccount) => ({
  ...exchangeDefaults,
  ...(token.kind === 'generate' && withoutUndefined(token)),
});

export const tokenRequest = (account: PolledAccount): ServiceRequest => {
  const { path, header } = exchangeSettings(account);
  return { url: operationUrl(account, path), headers: { [header]: pollingKey(account) }, body: requestBody(account) };
};

/** What fits into a header and does not exceed the header limit of common servers. */
const tokenPattern = /^[\x21-\x7e]{1,8000}$/;

export const parseToken = (
  account: PolledAccount,
  { status, text, retryAfterSeconds }: ServiceResponse,
): Result<string, ServiceFailure> => {
  const json = parseJsonWithoutBadParts(text);
  const token = fieldIn(json, exchangeSettings(account).answerField);
  if (status < 300 && typeof token === 'string' && tokenPattern.test(token)) return ok(token);

  const message = messageOf(json, text);
  // Without a token, only the message of an answer that failed is an error.
  const isError = isJsonObject(json) && isFailure(json);
  const problem = serviceProblemOf(status, message) ?? (isError && problemWithoutContent(message));
  const failed = (reason: ServiceProblem) => fail<ServiceFailure>({ reason, retryAfterSeconds });
  if (problem === 'rate-limited') return failed('token-limit');
  if (problem === 'unauthorised' || problem === 'unknown-error') return failed(problem);
  return failed(status >= 500 ? 'http-error' : 'no-token');
};

const fieldIn = (value: Json | undefined, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      value,
    );

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a token for the shared table, with a key from the account's: who decrypts it could generate one anyway. The
 * nonce comes from the token: AES-GCM must never use one nonce for two texts.
 */
export const encryptToken = (token: string, apiKey: string): string => {
  const { cipherKey, nonceKey } = deriveKeys(apiKey);
  const nonce = createHmac('sha256', nonceKey).update(token).digest().subarray(0, nonceBytes);
  const cipher = createCipheriv(algorithm, cipherKey, nonce);
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
};

/** The token, or undefined if it was encrypted with another key or is damaged. */
export const decryptToken = (encrypted: string, apiKey: string): string | undefined => {
  const bytes = Buffer.from(encrypted, 'base64url');
  const nonce = bytes.subarray(0, nonceBytes);
  try {
    const decipher = createDecipheriv(algorithm, deriveKeys(apiKey).cipherKey, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};

const deriveKeys = (apiKey: string) => {
  const derived = Buffer.from(hkdfSync('sha256', apiKey, '', 'callfeed token', 64));
  return { cipherKey: derived.subarray(0, 32), nonceKey: derived.subarray(32) };
};

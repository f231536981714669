import type { Account } from '../accounts/accounts.ts';
import { secretRedactor } from '../accounts/redact-secrets.ts';
import { parseJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { WireAgentRequest } from '../telephony/agent-fields.ts';
import type { PollResult } from './apply-result.ts';
import type { PollFailure, PollProblem } from './feed.ts';
import type { AgentLogins } from './normalise-agent.ts';
import { parseAgentLogins, type ServiceResponse } from './parse-agent-logins.ts';
import type { PollContext } from './poll-context.ts';
import { requestArrived, reserveRetry } from './rate-limit.ts';
import type { AccountAgents } from './read-agents.ts';
import { writeFeed } from './write-feed.ts';

/** The telephony service. It never throws: whatever prevents an answer is one of the known failures. */
export interface TelephonyService {
  /** Posts JSON, follows no redirect, and times out after `requestTimeoutMs`. */
  post(request: ServiceRequest): Promise<Result<ServiceResponse, PollFailure>>;
}

/** A POST of JSON to the telephony service. Its headers hold credentials: never log or redirect it. */
export interface ServiceRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An account whose agents are polled. */
export type PolledAccount = Account & { readonly baseUrl: string };

/** Whether the account has an address at which its agents are polled. */
export const isPolled = (account: Account): account is PolledAccount => account.baseUrl !== undefined;

/** Requests once who is logged in. */
export const getAgentLogins = async (
  service: TelephonyService,
  account: PolledAccount,
  token: string | undefined,
): Promise<Result<AgentLogins, PollFailure>> => {
  const answer = await service.post(loginsRequest(account, token));
  if (!answer.ok) return answer;

  const { text } = answer.value;
  const logins = parseAgentLogins(answer.value);
  if (!logins.ok) return logins;
  // A service may echo what it was sent, and no key may get into a row.
  const unescaped = withoutJsonEscapes(text);
  const redacted = secretRedactor([...account.apiKeys, ...credentialsIn(token)])(unescaped);
  return redacted === unescaped ? logins : parseAgentLogins({ ...answer.value, text: redacted });
};

/** Spec: the first live key is in the header `apiKey`, and the token, if any, is a bearer token. */
export const loginsRequest = (account: PolledAccount, token: string | undefined): ServiceRequest => ({
  url: operationUrl(account, '/ca_apis/getAgentLogins'),
  headers: { apiKey: pollingKey(account), ...(token !== undefined && { Authorization: bearerHeader(token) }) },
  body: requestBody(account),
});

/** The address of an operation. */
export const operationUrl = ({ baseUrl }: PolledAccount, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;

/** The key that polls. */
export const pollingKey = ({ apiKeys: [first = ''] }: Account): string => first;

/** A configured token may already have its scheme. */
const bearerHeader = (token: string): string => (/^bearer /i.test(token) ? token : `Bearer ${token}`);

/** Spec and practice: both operations identify the account by its name. */
export const requestBody = ({ userName }: Account): string => JSON.stringify({ userName } satisfies WireAgentRequest);

/** JSON can write any character as an escape. A key in escapes would be found only once the record is parsed. */
const withoutJsonEscapes = (text: string): string => {
  const json = text.includes('\\') ? parseJson(text) : undefined;
  return json?.ok ? JSON.stringify(json.value) : text;
};

/** A configured token is a secret with its scheme and without. */
const credentialsIn = (token: string | undefined): readonly string[] =>
  token === undefined ? [] : [token, token.replace(/^bearer +/i, '')];

const transientProblems = new Set<PollProblem>(['timeout', 'connection', 'http-error', 'not-json']);

/** Whether a retry a moment later may well succeed. */
const isTransient = ({ reason, retryAfterSeconds }: PollFailure): boolean =>
  transientProblems.has(reason) && retryAfterSeconds === undefined;

/**
 * Fetches the logins. After a transient failure or an expired token it tries once more, if the rate limit leaves room.
 * Undefined if another run has written the feed meanwhile.
 */
export const fetchWithRetry = async (run: PollContext, known: AccountAgents): Promise<PollResult | undefined> => {
  const token = await run.getToken(run.account);
  if (!token.ok) return { known, requestedAt: run.clock(), logins: token };

  const first = await fetchOnce(run, known, token.value);
  if (first.logins.ok) return first;
  const next = await tokenForRetry(run, token.value, first.logins.problem);
  if (!next.ok) return { ...first, logins: next };

  const feed = reserveRetry(first.known.feed, first.requestedAt, { now: run.clock(), untilMs: run.untilMs });
  if (feed === undefined)
    return next.value === token.value ? first : { ...first, logins: fail({ reason: 'token-renewed' }) };
  return (await writeFeed(run, feed)) ? fetchOnce(run, { ...known, feed }, next.value) : undefined;
};

const fetchOnce = async (run: PollContext, known: AccountAgents, token: string | undefined): Promise<PollResult> => {
  const requestedAt = run.clock();
  const logins = await getAgentLogins(run.service, run.account, token);
  return { known: { ...known, feed: requestArrived(known.feed, run.clock()) }, requestedAt, logins };
};

/** The token for a retry: a new one after the service rejected the first. Fails where a retry would not help. */
const tokenForRetry = async (
  run: PollContext,
  token: string | undefined,
  failure: PollFailure,
): Promise<Result<string | undefined, PollFailure>> => {
  if (isTransient(failure)) return ok(token);
  if (failure.reason !== 'unauthorised' || run.account.token.kind !== 'generate') return fail(failure);
  return run.getToken(run.account, token);
};

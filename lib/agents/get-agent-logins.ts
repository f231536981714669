import type { Account } from '../accounts/accounts.ts';
import { secretRedactor } from '../accounts/redact-secrets.ts';
import { parseJson } from '../core/parse-json.ts';
import type { Result } from '../core/result.ts';
import type { WireAgentRequest } from '../telephony/agent-fields.ts';
import type { PollFailure, PollProblem } from './feed.ts';
import type { AgentLogins } from './normalise-agent.ts';
import { parseAgentLogins, type ServiceResponse } from './parse-agent-logins.ts';

/** A POST of JSON to the telephony service. Its headers hold credentials: it is never logged and never redirected. */
export interface ServiceRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An account whose agents are polled. */
export type PolledAccount = Account & { readonly baseUrl: string };

/** Whether the account says where its agents are polled. */
export const isPolled = (account: Account): account is PolledAccount => account.baseUrl !== undefined;

/** Asks who is logged in. Spec: the first live key in the header `apiKey`, and the token, if any, as a bearer's. */
export const loginsRequest = (account: PolledAccount, token: string | undefined): ServiceRequest => ({
  url: operationUrl(account, '/ca_apis/getAgentLogins'),
  headers: { apiKey: pollingKey(account), ...(token !== undefined && { Authorization: bearerHeader(token) }) },
  body: requestBody(account),
});

/** A configured token may have its scheme with it. */
const bearerHeader = (token: string): string => (/^bearer /i.test(token) ? token : `Bearer ${token}`);

/** The key that polls. */
export const pollingKey = ({ apiKeys: [first = ''] }: Account): string => first;

/** Spec and practice: both operations are told the account by its name. */
export const requestBody = ({ userName }: Account): string => JSON.stringify({ userName } satisfies WireAgentRequest);

/** The address of an operation. */
export const operationUrl = ({ baseUrl }: PolledAccount, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;

/** Asks once who is logged in. */
export const getAgentLogins = async (
  service: TelephonyService,
  account: PolledAccount,
  token: string | undefined,
): Promise<Result<AgentLogins, PollFailure>> => {
  const answer = await service.post(loginsRequest(account, token));
  if (!answer.ok) return answer;

  const { text } = answer.value;
  const seen = parseAgentLogins(answer.value);
  if (!seen.ok) return seen;
  // A service that repeats what it was sent must not bring a key into a row.
  const plain = withoutJsonEscapes(text);
  const masked = secretRedactor([...account.apiKeys, ...credentialsIn(token)])(plain);
  return masked === plain ? seen : parseAgentLogins({ ...answer.value, text: masked });
};

/** JSON can write any character as an escape, and a key of these would be found in the record only. */
const withoutJsonEscapes = (text: string): string => {
  const json = text.includes('\\') ? parseJson(text) : undefined;
  return json?.ok ? JSON.stringify(json.value) : text;
};

/** A configured token may have its scheme with it, without which it is a secret all the same. */
const credentialsIn = (token: string | undefined): readonly string[] =>
  token === undefined ? [] : [token, token.replace(/^bearer +/i, '')];

const transientProblems = new Set<PollProblem>(['timeout', 'connection', 'http-error', 'not-json']);

/** Whether the same question may well be answered a moment later. */
export const isTransient = ({ reason, retryAfterSeconds }: PollFailure): boolean =>
  transientProblems.has(reason) && retryAfterSeconds === undefined;

/** The telephony service. It never throws: whatever prevents an answer is one of the known failures. */
export interface TelephonyService {
  /** Posts JSON, follows no redirect, and gives up after `requestTimeoutMs`. */
  post(request: ServiceRequest): Promise<Result<ServiceResponse, PollFailure>>;
}

import type { Account } from '../accounts/accounts.ts';
import { secretRedactor } from '../accounts/redact-secrets.ts';
import type { Result } from '../core/result.ts';
import type { WireAgentRequest } from '../telephony/agent-fields.ts';
import type { AgentLogins } from './normalise-agent.ts';
import { parseAgentLogins, type ServiceResponse } from './parse-agent-logins.ts';
import type { PollFailure, PollProblem } from './poll-problems.ts';

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
export type PolledAccount = Account & Readonly<Required<Pick<Account, 'baseUrl' | 'token'>>>;

/** Whether the account has an address at which its agents are polled. It then has a `token` too. */
export const isPolled = (account: Account): account is PolledAccount => account.baseUrl !== undefined;

/**
 * The most bytes of an answer: some 20,000 agents. To parse and redact far more could take a slow function's whole run, in
 * which it polls every account.
 */
export const maxLoginsBytes = 4 * 1024 * 1024;

/** Requests once who is logged in. */
export const getAgentLogins = async (
  service: TelephonyService,
  account: PolledAccount,
  token: string | undefined,
): Promise<Result<AgentLogins, PollFailure>> => {
  const answer = await service.post(loginsRequest(account, token));
  if (!answer.ok) return answer;

  const { text } = answer.value;
  const added = account.words?.['state'];
  const logins = parseAgentLogins(answer.value, added);
  if (!logins.ok) return logins;
  // A service may echo what it was sent, and no key may get into a row.
  const redacted = secretRedactor([...account.apiKeys, ...credentialsIn(token)])(text);
  return redacted === text ? logins : parseAgentLogins({ ...answer.value, text: redacted }, added);
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
export const bearerHeader = (token: string): string => (/^bearer /i.test(token) ? token : `Bearer ${token}`);

/** Spec and practice: both operations identify the account by its name. */
export const requestBody = ({ userName }: Account): string => JSON.stringify({ userName } satisfies WireAgentRequest);

/** A configured token is a secret with its scheme and without. */
const credentialsIn = (token: string | undefined): readonly string[] =>
  token === undefined ? [] : [token, token.replace(/^bearer +/i, '')];

const transientProblems = new Set<PollProblem>(['timeout', 'connection', 'http-error', 'not-json']);

/** Whether a retry a moment later may well succeed. */
export const isTransient = ({ reason, retryAfterSeconds }: PollFailure): boolean =>
  transientProblems.has(reason) && retryAfterSeconds === undefined;

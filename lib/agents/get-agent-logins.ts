import { type PolledAccount, pollingKey } from '../accounts/accounts.ts';
import { secretRedactor } from '../accounts/redact-secrets.ts';
import type { Result } from '../core/result.ts';
import type { PollFailure } from '../telephony/service/problems.ts';
import {
  bearerHeader,
  operationUrl,
  requestBody,
  type ServiceRequest,
  type TelephonyService,
} from '../telephony/service/service.ts';
import type { AgentLogins } from './normalise-agent.ts';
import { parseAgentLogins } from './parse-agent-logins.ts';

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

/** A configured token is a secret with its scheme and without. */
const credentialsIn = (token: string | undefined): readonly string[] =>
  token === undefined ? [] : [token, token.replace(/^bearer +/i, '')];

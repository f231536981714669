import { type PolledAccount, pollingKey } from '../accounts/accounts.ts';
import { secretRedactor } from '../accounts/redact-secrets.ts';
import { isJsonObject, type Json, type JsonObject, textOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import {
  credentialHeaders,
  isFailure,
  operationUrl,
  recordsIn,
  requestBody,
  type ServiceFailure,
  type ServiceRequest,
  type ServiceResponse,
  type TelephonyService,
} from '../service/service.ts';
import type { AddedWords } from '../telephony/vocabularies.ts';
import { type AgentLogins, normaliseAgentLogins } from './normalise-agent.ts';

/** Some 20,000 agents: far more bytes could take the whole run of a slow function, which polls every account. */
export const maxLoginsBytes = 4 * 1024 * 1024;

export const getAgentLogins = async (
  service: TelephonyService,
  account: PolledAccount,
  token: string | undefined,
): Promise<Result<AgentLogins, ServiceFailure>> => {
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

export const loginsRequest = (account: PolledAccount, token: string | undefined): ServiceRequest => ({
  url: operationUrl(account, '/ca_apis/getAgentLogins'),
  headers: credentialHeaders(pollingKey(account), token),
  body: requestBody(account),
});

/** A configured token is a secret with its scheme and without. */
const credentialsIn = (token: string | undefined): readonly string[] =>
  token === undefined ? [] : [token, token.replace(/^bearer +/i, '')];

/** Who is logged in, or why the poll failed. `added` are words of states besides ours. */
export const parseAgentLogins = (
  response: ServiceResponse,
  added?: AddedWords,
): Result<AgentLogins, ServiceFailure> => {
  const found = recordsIn(response, findAgents, { records: [], isDocumented: true });
  if (!found.ok) return found;
  const logins = normaliseAgentLogins(found.value.records, added);
  if (isPlausible(found.value, logins)) return ok(logins);
  return fail({ reason: 'unexpected-answer', retryAfterSeconds: response.retryAfterSeconds });
};

interface FoundAgents {
  readonly records: readonly Json[];
  readonly isDocumented: boolean;
}

/** An answer without records logs everybody out, so it has to have a documented form. In another answer a record has to name an agent. */
const isPlausible = ({ records, isDocumented }: FoundAgents, { agents, unreadable }: AgentLogins): boolean =>
  records.length === 0 ? isDocumented : agents.length > 0 || unreadable.some(({ agentId }) => agentId !== undefined);

/**
 * The specification has the records in `message`. The service also sends the word "success" there and the records in
 * `details`. An object may replace the list: one record, records by some name, or an object that holds the list.
 */
const findAgents = (answer: Json, message: string): FoundAgents | undefined => {
  if (!isJsonObject(answer) || isFailure(answer)) return undefined;

  const status = textOfJson(answer['status'] ?? null)?.toLowerCase();
  const value = typeof answer['message'] === 'string' ? answer['details'] : answer['message'];
  const isSuccess = status === 'success' || message === 'success';
  if (Array.isArray(value)) return { records: value, isDocumented: isSuccess };
  const records = isJsonObject(value) ? recordsWithin(value) : undefined;
  return records && { records, isDocumented: false };
};

const recordsWithin = (value: JsonObject): readonly Json[] | undefined => {
  if (isAgent(value)) return [value];

  const inner = Object.values(value);
  const lists = inner.filter((each) => Array.isArray(each));
  if (lists.length === 1) return lists[0];
  return inner.every(isAgent) ? inner : undefined;
};

const isAgent = (value: Json): boolean =>
  isJsonObject(value) && Object.keys(value).some((key) => /^agentid$/i.test(key));

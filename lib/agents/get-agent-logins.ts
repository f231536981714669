import { type PolledAccount, pollingKey } from '../accounts/accounts.ts';
import { secretRedactor } from '../accounts/redact-secrets.ts';
import { isJsonObject, type Json, type JsonObject, parseJsonWithoutBadParts, textOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import {
  credentialHeaders,
  isFailure,
  meansNoData,
  messageOf,
  operationUrl,
  problemOf,
  problemWithoutContent,
  requestBody,
  type ServiceFailure,
  type ServiceProblem,
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

/**
 * Who is logged in, or why the poll failed. Status and text decide: no HTTP status is documented, errors come with 200,
 * and "nobody is logged in" comes as an error. `added` are words of states besides ours.
 */
export const parseAgentLogins = (
  { status, text, retryAfterSeconds }: ServiceResponse,
  added?: AddedWords,
): Result<AgentLogins, ServiceFailure> => {
  const answer = parseJsonWithoutBadParts(text);
  const message = messageOf(answer, text);
  const failed = (reason: ServiceProblem) => fail<ServiceFailure>({ reason, retryAfterSeconds });
  const found = isJsonObject(answer) ? recordsOf(answer, message) : undefined;
  // Beside records a message reports no problem, and may well name the limit.
  const problem = problemOf(status, found?.isPlain && found.records.length > 0 ? '' : message);
  if (problem !== undefined) return failed(problem);
  if (meansNoData(message)) return ok(normaliseAgentLogins([]));
  if (answer === undefined) return failed('not-json');
  if (found === undefined) return failed(problemWithoutContent(message));
  const logins = normaliseAgentLogins(found.records, added);
  return isPlausible(found, logins) ? ok(logins) : failed('unexpected-answer');
};

interface FoundRecords {
  readonly records: readonly Json[];
  /** Whether the answer has a documented form, including the word "success". */
  readonly isPlain: boolean;
}

/** Without records, which logs everybody out, it needs a documented form. Otherwise a record has to name an agent. */
const isPlausible = ({ records, isPlain }: FoundRecords, { agents, unreadable }: AgentLogins): boolean =>
  records.length === 0 ? isPlain : agents.length > 0 || unreadable.some(({ agentId }) => agentId !== undefined);

/**
 * The specification has the records in `message`. The service also sends the word "success" there and the records in
 * `details`. An object may replace the list: one record, records by some name, or an object that holds the list.
 */
const recordsOf = (answer: JsonObject, message: string): FoundRecords | undefined => {
  if (isFailure(answer)) return undefined;

  const status = textOfJson(answer['status'] ?? null)?.toLowerCase();
  const value = typeof answer['message'] === 'string' ? answer['details'] : answer['message'];
  const isSuccess = status === 'success' || message === 'success';
  if (Array.isArray(value)) return { records: value, isPlain: isSuccess };
  const records = isJsonObject(value) ? recordsWithin(value) : undefined;
  return records && { records, isPlain: false };
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

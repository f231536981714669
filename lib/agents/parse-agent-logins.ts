import { isJsonObject, type Json, type JsonObject, parseJsonWithoutBadParts, textOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { AddedWords } from '../telephony/vocabulary.ts';
import { type AgentLogins, normaliseAgentLogins } from './normalise-agent.ts';
import type { PollFailure, PollProblem } from './poll-problems.ts';

/** A response of the telephony service. */
export interface ServiceResponse {
  /** The HTTP status. */
  readonly status: number;
  readonly text: string;
  /** The Retry-After header, where it is a number of seconds. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Parses an answer of getAgentLogins into who is logged in, or why the poll failed. HTTP status codes are not documented.
 * Practice reports errors with status 200, and "nobody is logged in" as an error. So both status and text decide. `added`
 * are words of states besides ours.
 */
export const parseAgentLogins = (
  { status, text, retryAfterSeconds }: ServiceResponse,
  added?: AddedWords,
): Result<AgentLogins, PollFailure> => {
  const answer = parseJsonWithoutBadParts(text);
  const message = messageOf(answer, text);

  const failed = (reason: PollProblem) => fail<PollFailure>({ reason, retryAfterSeconds });
  const problem = problemOf(status, message);
  if (problem !== undefined) return failed(problem);
  if (meansNobodyLoggedIn(message)) return ok(normaliseAgentLogins([]));
  if (answer === undefined) return failed('not-json');

  const found = isJsonObject(answer) ? recordsOf(answer) : undefined;
  if (found === undefined) return failed(message === '' || message === 'success' ? 'unexpected-answer' : 'rejected');
  const logins = normaliseAgentLogins(found.records, added);
  return isPlausible(found, logins) ? ok(logins) : failed('unexpected-answer');
};

/** A text that is no JSON is a message if it has at most 200 characters and does not begin like JSON or HTML. */
const maxLineLength = 200;
const isLine = (text: string): boolean => text.length <= maxLineLength && !/^\s*[[{<]/.test(text);

/** No message of the service is longer. The patterns below take time for each pair of their words. */
const maxMessageLength = 500;

/**
 * The beginning of an answer's message in lower case and without a full stop: its `message`, or all of a short text that is
 * no JSON. Empty where there is none.
 */
export const messageOf = (json: Json | undefined, text: string): string => {
  const line = isLine(text) ? text : undefined;
  const message = json === undefined ? line : isJsonObject(json) ? json['message'] : undefined;
  if (typeof message !== 'string') return '';
  return message.trim().slice(0, maxMessageLength).toLowerCase().replace(/\.$/, '');
};

/** Any wording in which a credential is invalid or expired. */
const badCredentials =
  /unauthori[sz]ed|\b(?:invalid|expired)\b.*\b(?:token|key|credentials?)\b|\b(?:token|key|credentials?)\b.*\b(?:invalid|expired)\b/;

/**
 * The problem that an answer's message and HTTP status report, if any. No status is documented for any error, and the
 * service sends errors with 200. So a documented message decides, whatever the status. Only 200 and 201, with which some
 * frameworks answer every POST, promise a whole answer: 202 says that it is not ready, 206 that it is a part.
 */
export const problemOf = (status: number, message: string): PollProblem | undefined => {
  if (status === 429 || /limit exceeded|too many requests/.test(message)) return 'rate-limited';
  if (status === 401 || status === 403) return 'unauthorised';
  if (/should not be empty/.test(message)) return 'rejected';
  if (/username or apikey is invalid/.test(message)) return 'unauthorised';
  if (status >= 500) return 'http-error';
  if (badCredentials.test(message)) return 'unauthorised';
  if (status < 400) return status === 200 || status === 201 ? undefined : 'unexpected-answer';
  return meansNobodyLoggedIn(message) ? undefined : 'http-error';
};

/** Practice: this message, in an error, means that nobody is logged in. */
const meansNobodyLoggedIn = (message: string): boolean => message === 'no data found';

/** The records in an answer. */
interface FoundRecords {
  readonly records: readonly Json[];
  /** Whether the answer has a documented form, including the word "success". */
  readonly isPlain: boolean;
}

/**
 * An answer without records would log everybody out, so it has to have a documented form. Where there are records, at
 * least one has to name an agent; otherwise the answer lists something else.
 */
const isPlausible = ({ records, isPlain }: FoundRecords, { agents, unreadable }: AgentLogins): boolean =>
  records.length === 0 ? isPlain : agents.length > 0 || unreadable.some(({ agentId }) => agentId !== undefined);

/**
 * The specification has the records in `message`. Practice also has the word "success" there and the records in
 * `details`. An object may replace the list: one record, records by some name, or an object that holds the list.
 */
const recordsOf = (answer: JsonObject): FoundRecords | undefined => {
  const { message, details } = answer;
  const status = (textOfJson(answer['status'] ?? null) ?? '').toLowerCase();
  if (/^(?:error|false|fail)/.test(status)) return undefined;

  const value = typeof message === 'string' ? details : message;
  const isSuccess = status === 'success' || message === 'success';
  if (Array.isArray(value)) return { records: value, isPlain: isSuccess };
  const records = value === undefined || !isJsonObject(value) ? undefined : recordsWithin(value);
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

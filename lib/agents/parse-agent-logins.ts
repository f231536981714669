import { textOfJson } from '../core/canonical-json.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/parse-json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { PollFailure, PollProblem } from './feed.ts';
import { type AgentLogins, normaliseAgentLogins } from './normalise-agent.ts';

/** A text that is no JSON is a message if it is a line at most, and no beginning of JSON or HTML. */
const maxLineLength = 200;
const isLine = (text: string): boolean => text.length <= maxLineLength && !/^\s*[[{<]/.test(text);

/**
 * What an answer says in words, in one case and without a full stop: its `message`, or all of it where it is a short
 * text that is no JSON. Empty where it says nothing.
 */
export const messageOf = (json: Json | undefined, text: string): string => {
  const line = isLine(text) ? text : undefined;
  const message = json === undefined ? line : isJsonObject(json) ? json['message'] : undefined;
  return typeof message === 'string' ? message.trim().toLowerCase().replace(/\.$/, '') : '';
};

/** How practice tells that nobody is logged in. */
const saysNobodyLoggedIn = (words: string): boolean => words === 'no data found';

/** In whatever words: what is invalid or expired, and that it is a credential. */
const badCredentials =
  /unauthori[sz]ed|\b(?:invalid|expired)\b.*\b(?:token|key|credentials?)\b|\b(?:token|key|credentials?)\b.*\b(?:invalid|expired)\b/;

/**
 * What is wrong by an answer's words and HTTP status, if anything. Which status goes with which error is not documented,
 * and practice has errors with 200, so a documented text decides whatever the status.
 */
export const problemOf = (status: number, words: string): PollProblem | undefined => {
  if (status === 429 || /limit exceeded|too many requests/.test(words)) return 'rate-limited';
  if (status === 401 || status === 403) return 'unauthorised';
  if (/should not be empty/.test(words)) return 'rejected';
  if (/username or apikey is invalid/.test(words)) return 'unauthorised';
  if (status >= 500) return 'http-error';
  if (badCredentials.test(words)) return 'unauthorised';
  return status >= 400 && !saysNobodyLoggedIn(words) ? 'http-error' : undefined;
};

/** What came over the wire. */
export interface ServiceResponse {
  /** The HTTP status. */
  readonly status: number;
  readonly text: string;
  /** The Retry-After header, where it says a number of seconds. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * What an answer of getAgentLogins means: who is logged in, or why that cannot be said. HTTP status codes are not
 * documented, and practice tells errors with 200 and an empty floor as an error; so status and text are both looked at.
 */
export const parseAgentLogins = ({
  status,
  text,
  retryAfterSeconds,
}: ServiceResponse): Result<AgentLogins, PollFailure> => {
  const json = parseJson(text);
  const answer = json.ok ? json.value : undefined;
  const words = messageOf(answer, text);

  const failed = (reason: PollProblem) => fail<PollFailure>({ reason, retryAfterSeconds });
  const refusal = problemOf(status, words);
  if (refusal !== undefined) return failed(refusal);
  if (saysNobodyLoggedIn(words)) return ok(normaliseAgentLogins([]));
  if (answer === undefined) return failed('not-json');

  const found = isJsonObject(answer) ? recordsOf(answer) : undefined;
  if (found === undefined) return failed(words === '' || words === 'success' ? 'unexpected-answer' : 'rejected');
  const seen = normaliseAgentLogins(found.records);
  return isPlausible(found, seen) ? ok(seen) : failed('unexpected-answer');
};

/** The records in an answer, and whether it is of the documented form, down to the word "success". */
interface FoundRecords {
  readonly records: readonly Json[];
  readonly isPlain: boolean;
}

/**
 * An empty floor logs everybody out, so it is believed of the plain form only. Of many records at least one has to name
 * an agent: else they are no picture of the floor.
 */
const isPlausible = ({ records, isPlain }: FoundRecords, { agents, unreadable }: AgentLogins): boolean =>
  records.length === 0 ? isPlain : agents.length > 0 || unreadable.some(({ agentId }) => agentId !== undefined);

/**
 * On paper the records are the `message`. Practice knows the word "success" there and the records in `details`, and an
 * object in place of the list: one record, several by some name, or something that holds the list.
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

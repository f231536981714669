import type { PollFailure, PollProblem } from '../feed/problem.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../json/parse-json.ts';
import { textOfJson } from '../json/text-of-json.ts';
import { fail, ok, type Result } from '../result.ts';
import { isEmptyFloor, refusalIn, wordsIn } from './refusal.ts';
import { type SeenFloor, seenFloor } from './seen-floor.ts';

/** What came over the wire. */
export interface ServiceAnswer {
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
export const readAnswer = ({ status, text, retryAfterSeconds }: ServiceAnswer): Result<SeenFloor, PollFailure> => {
  const json = parseJson(text);
  const answer = json.ok ? json.value : undefined;
  const words = wordsIn(answer, text);

  const failed = (reason: PollProblem) => fail<PollFailure>({ reason, retryAfterSeconds });
  const refusal = refusalIn(status, words);
  if (refusal !== undefined) return failed(refusal);
  if (isEmptyFloor(words)) return ok(seenFloor([]));
  if (answer === undefined) return failed('not-json');

  const found = isJsonObject(answer) ? recordsOf(answer) : undefined;
  if (found === undefined) return failed(words === '' || words === 'success' ? 'unexpected-answer' : 'refused');
  const seen = seenFloor(found.records);
  return isBelievable(found, seen) ? ok(seen) : failed('unexpected-answer');
};

/** The records in an answer, and whether it is of the documented form, down to the word "success". */
interface Found {
  readonly records: readonly Json[];
  readonly isPlain: boolean;
}

/**
 * An empty floor logs everybody out, so it is believed of the plain form only. Of many records at least one has to name
 * an agent: else they are no picture of the floor.
 */
const isBelievable = ({ records, isPlain }: Found, { agents, unreadable }: SeenFloor): boolean =>
  records.length === 0 ? isPlain : agents.length > 0 || unreadable.some(({ agentId }) => agentId !== undefined);

/**
 * On paper the records are the `message`. Practice knows the word "success" there and the records in `details`, and an
 * object in place of the list: one record, several by some name, or something that holds the list.
 */
const recordsOf = (answer: JsonObject): Found | undefined => {
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

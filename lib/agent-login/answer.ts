import type { PollFailure, PollProblem } from '../feed/problem.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../json/parse-json.ts';
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

  const records = isJsonObject(answer) ? recordsOf(answer) : undefined;
  if (records === undefined) return failed(words === '' || words === 'success' ? 'unexpected-answer' : 'refused');
  const seen = seenFloor(records);
  // Many records of which none is readable are no picture of the floor.
  return seen.agents.length === 0 && records.length > 0 ? failed('unexpected-answer') : ok(seen);
};

/**
 * The records in a successful answer. On paper they are the `message`; practice knows the word "success" there and the
 * records in `details`, and an object in place of the list: one record, several by some name, or something that
 * holds the list.
 */
const recordsOf = (answer: JsonObject): readonly Json[] | undefined => {
  if (/^(?:error|false|fail)/i.test(String(answer['status'] ?? ''))) return undefined;

  const { message, details } = answer;
  return listIn(typeof message === 'string' ? details : message);
};

const listIn = (value: Json | undefined): readonly Json[] | undefined => {
  if (Array.isArray(value)) return value;
  if (value === undefined || !isJsonObject(value)) return undefined;
  if (isAgent(value)) return [value];

  const inner = Object.values(value);
  const lists = inner.filter((each) => Array.isArray(each));
  if (lists.length === 1) return lists[0];
  return inner.length > 0 && inner.every(isAgent) ? inner : undefined;
};

const isAgent = (value: Json): boolean =>
  isJsonObject(value) && Object.keys(value).some((key) => /^agent_?id$/i.test(key));

import type { PollProblem } from '../feed/problem.ts';
import { isJsonObject, type Json } from '../json/parse-json.ts';

/** A text that is no JSON is a message if it is a line at most, and no beginning of JSON or HTML. */
const longestLine = 200;
const isLine = (text: string): boolean => text.length <= longestLine && !/^\s*[[{<]/.test(text);

/**
 * What an answer says in words, in one case and without a full stop: its `message`, or all of it where it is a short
 * text that is no JSON. Empty where it says nothing.
 */
export const wordsIn = (json: Json | undefined, text: string): string => {
  const line = isLine(text) ? text : undefined;
  const message = json === undefined ? line : isJsonObject(json) ? json['message'] : undefined;
  return typeof message === 'string' ? message.trim().toLowerCase().replace(/\.$/, '') : '';
};

/** How practice tells that nobody is logged in. */
export const isEmptyFloor = (words: string): boolean => words === 'no data found';

/** In whatever words: what is invalid or expired, and that it is a credential. */
const badCredentials =
  /unauthori[sz]ed|\b(?:invalid|expired)\b.*\b(?:token|key|credentials?)\b|\b(?:token|key|credentials?)\b.*\b(?:invalid|expired)\b/;

/**
 * What is wrong by an answer's words and HTTP status, if anything. Which status goes with which error is not documented,
 * and practice has errors with 200, so a documented text decides whatever the status.
 */
export const refusalIn = (status: number, words: string): PollProblem | undefined => {
  if (status === 429 || /limit exceeded|too many requests/.test(words)) return 'limit';
  if (status === 401 || status === 403) return 'unauthorised';
  if (/should not be empty/.test(words)) return 'refused';
  if (/username or apikey is invalid/.test(words)) return 'unauthorised';
  if (status >= 500) return 'http-error';
  if (badCredentials.test(words)) return 'unauthorised';
  return status >= 400 && !isEmptyFloor(words) ? 'http-error' : undefined;
};

import { readAnswer } from '../agent-login/answer.ts';
import { loginsRequest, type PolledAccount } from '../agent-login/request.ts';
import type { SeenFloor } from '../agent-login/seen-floor.ts';
import { keyMask } from '../callback/mask-keys.ts';
import type { PollFailure, PollProblem } from '../feed/problem.ts';
import { parseJson } from '../json/parse-json.ts';
import type { TelephonyService } from '../ports.ts';
import type { Result } from '../result.ts';

/** Asks once who is logged in. */
export const ask = async (
  service: TelephonyService,
  account: PolledAccount,
  token: string | undefined,
): Promise<Result<SeenFloor, PollFailure>> => {
  const answer = await service.post(loginsRequest(account, token));
  if (!answer.ok) return answer;

  const { text } = answer.value;
  const seen = readAnswer(answer.value);
  if (!seen.ok) return seen;
  // A service that repeats what it was sent must not bring a key into a row.
  const plain = withoutEscapes(text);
  const masked = keyMask([...account.apiKeys, ...credentialsIn(token)])(plain);
  return masked === plain ? seen : readAnswer({ ...answer.value, text: masked });
};

/** JSON can write any character as an escape, and a key of these would be found in the record only. */
const withoutEscapes = (text: string): string => {
  const json = text.includes('\\') ? parseJson(text) : undefined;
  return json?.ok ? JSON.stringify(json.value) : text;
};

/** A configured token may have its scheme with it, without which it is a secret all the same. */
const credentialsIn = (token: string | undefined): readonly string[] =>
  token === undefined ? [] : [token, token.replace(/^bearer +/i, '')];

const passing = new Set<PollProblem>(['timeout', 'connection', 'http-error', 'not-json']);

/** Whether the same question may well be answered a moment later. */
export const isPassing = ({ reason, retryAfterSeconds }: PollFailure): boolean =>
  passing.has(reason) && retryAfterSeconds === undefined;

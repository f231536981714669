import { readAnswer } from '../agent-login/answer.ts';
import { loginsRequest, type PolledAccount } from '../agent-login/request.ts';
import type { SeenFloor } from '../agent-login/seen-floor.ts';
import { keyMask } from '../callback/mask-keys.ts';
import type { PollFailure, PollProblem } from '../feed/problem.ts';
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
  const masked = keyMask([...account.apiKeys, ...(token === undefined ? [] : [token])])(text);
  return masked === text ? seen : readAnswer({ ...answer.value, text: masked });
};

const passing = new Set<PollProblem>(['timeout', 'connection', 'http-error', 'not-json']);

/** Whether the same question may well be answered a moment later. */
export const isPassing = ({ reason, retryAfterSeconds }: PollFailure): boolean =>
  passing.has(reason) && retryAfterSeconds === undefined;

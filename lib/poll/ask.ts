import { readAnswer } from '../agent-login/answer.ts';
import { loginsRequest, type PolledAccount } from '../agent-login/request.ts';
import type { SeenFloor } from '../agent-login/seen-floor.ts';
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
  return answer.ok ? readAnswer(answer.value) : answer;
};

const passing = new Set<PollProblem>(['timeout', 'connection', 'http-error', 'not-json']);

/** Whether the same question may well be answered a moment later. */
export const isPassing = ({ reason, retryAfterSeconds }: PollFailure): boolean =>
  passing.has(reason) && retryAfterSeconds === undefined;

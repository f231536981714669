/** Why a poll found out nothing about the agents. None of these logs anybody out. */
export const pollProblems = [
  'timeout',
  'connection',
  'too-large',
  'redirect',
  'unsendable',
  'http-error',
  'not-json',
  'unexpected-answer',
  'rate-limited',
  'unauthorised',
  'rejected',
  'no-token',
  'token-limit',
  'token-renewed',
  'aborted',
  'not-polled',
] as const;
export type PollProblem = (typeof pollProblems)[number];

/** Why a poll failed, and the service's Retry-After in seconds. */
export interface PollFailure {
  readonly reason: PollProblem;
  readonly retryAfterSeconds?: number | undefined;
  /** No connection was made, so the service counted no request. */
  readonly isUnsent?: true | undefined;
  /** It was a token that could not be got. Few may be requested in an hour, so the next attempt waits longer each time. */
  readonly isOfToken?: true;
}

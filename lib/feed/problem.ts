/** Why a poll brought no picture of the floor. None of them logs anybody out. */
export const pollProblems = [
  'timeout',
  'connection',
  'too-large',
  'redirect',
  'unsendable',
  'http-error',
  'not-json',
  'unexpected-answer',
  'limit',
  'unauthorised',
  'refused',
  'no-token',
  'token-limit',
  'token-renewed',
  'cut',
  'no-polls',
] as const;
export type PollProblem = (typeof pollProblems)[number];

/** A problem, and how long the service asks to be left alone, in seconds. */
export interface PollFailure {
  readonly reason: PollProblem;
  readonly retryAfterSeconds?: number | undefined;
}

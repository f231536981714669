import type { PollFailure, PollProblem } from './problem.ts';

/** When the service may be asked again, and how often in a row it has told us off. */
export interface BackOff {
  /** ISO instant. */
  readonly until: string;
  readonly times: number;
}

/** After a refusal for the limit, or of the credentials: asking on could lock the account, or use up its tokens. */
const firstMs = 60_000;
const longestMs = 5 * 60_000;
const longestAskedMs = 60 * 60_000;

const refusals = new Set<PollProblem>(['limit', 'unauthorised', 'refused', 'no-token', 'token-limit']);

/** A minute at first, twice as long after every further refusal, five at most; longer if the service asks for it. */
export const backOffAfter = (
  { reason, retryAfterSeconds = 0 }: PollFailure,
  before: BackOff | undefined,
  now: Date,
): BackOff | undefined => {
  const askedMs = Math.min(retryAfterSeconds * 1000, longestAskedMs);
  const isRefusal = refusals.has(reason);
  if (!isRefusal && askedMs === 0) return undefined;

  const times = (before?.times ?? 0) + Number(isRefusal);
  const ownMs = isRefusal ? Math.min(firstMs * 2 ** (times - 1), longestMs) : 0;
  return { until: new Date(now.getTime() + Math.max(ownMs, askedMs)).toISOString(), times };
};

import type { PollFailure, PollProblem } from './feed.ts';

/** When the service may be asked again, and how often in a row it has told us off. */
export interface BackOff {
  /** ISO instant. */
  readonly until: string;
  readonly times: number;
}

/** After a refusal for the limit, or of the credentials: asking on could lock the account. */
const firstMs = 60_000;
const maxBackOffMs = 5 * 60_000;
const maxRetryAfterMs = 60 * 60_000;

/** Tokens are few: the next slot may ask again, but an outage of minutes must not use up those of an hour. */
const firstForTokenMs = 10_000;

const firstBackOffMs: Partial<Record<PollProblem, number>> = {
  'rate-limited': firstMs,
  unauthorised: firstMs,
  rejected: firstMs,
  'token-limit': firstMs,
  'no-token': firstForTokenMs,
};

/** Twice as long after every further refusal, five minutes at most; longer if the service asks for it. */
export const backOffAfter = (
  { reason, retryAfterSeconds = 0 }: PollFailure,
  before: BackOff | undefined,
  now: Date,
): BackOff | undefined => {
  const askedMs = Math.min(retryAfterSeconds * 1000, maxRetryAfterMs);
  const firstOwnMs = firstBackOffMs[reason];
  if (firstOwnMs === undefined && askedMs === 0) return undefined;

  const times = (before?.times ?? 0) + Number(firstOwnMs !== undefined);
  const ownMs = firstOwnMs === undefined ? 0 : Math.min(firstOwnMs * 2 ** (times - 1), maxBackOffMs);
  return { until: new Date(now.getTime() + Math.max(ownMs, askedMs)).toISOString(), times };
};

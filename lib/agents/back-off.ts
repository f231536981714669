import type { PollFailure, PollProblem } from './feed.ts';

/** A pause in polling after rejections by the service. */
export interface BackOff {
  /** When polls may go on (ISO instant). */
  readonly until: string;
  /** The number of rejections in a row. */
  readonly times: number;
}

/** The first pause after a rate limit or bad credentials: further requests could lock the account. */
const firstMs = 60_000;

/** After a failed token exchange the next slot may try again. An outage of minutes must not use up an hour's tokens. */
const firstForTokenMs = 10_000;

const maxBackOffMs = 5 * 60_000;
const maxRetryAfterMs = 60 * 60_000;

const firstBackOffMs: Partial<Record<PollProblem, number>> = {
  'rate-limited': firstMs,
  unauthorised: firstMs,
  rejected: firstMs,
  'token-limit': firstMs,
  'no-token': firstForTokenMs,
};

/** The pause doubles with every rejection, up to five minutes. It is longer where the service's Retry-After is. */
export const backOffAfter = (
  { reason, retryAfterSeconds = 0 }: PollFailure,
  before: BackOff | undefined,
  now: Date,
): BackOff | undefined => {
  const retryAfterMs = Math.min(retryAfterSeconds * 1000, maxRetryAfterMs);
  const firstOwnMs = firstBackOffMs[reason];
  if (firstOwnMs === undefined && retryAfterMs === 0) return undefined;

  const times = (before?.times ?? 0) + Number(firstOwnMs !== undefined);
  const ownMs = firstOwnMs === undefined ? 0 : Math.min(firstOwnMs * 2 ** (times - 1), maxBackOffMs);
  return { until: new Date(now.getTime() + Math.max(ownMs, retryAfterMs)).toISOString(), times };
};

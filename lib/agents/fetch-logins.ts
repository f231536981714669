import { fail, ok, type Result } from '../core/result.ts';
import type { PollResult } from './apply-result.ts';
import type { PollFailure } from './feed.ts';
import { getAgentLogins, isTransient } from './get-agent-logins.ts';
import type { PollContext } from './poll-context.ts';
import { requestArrived, reserveRetry } from './rate-limit.ts';
import { type Floor, writeFeed } from './read-agents.ts';

/** What came of asking, and the feed with what is known of its requests. */
export interface FetchResult extends PollResult {
  readonly floor: Floor;
}

/**
 * Asks, and where that fails for the moment or for an old token, once more, if the limit leaves room for it. Undefined
 * if somebody else has taken over.
 */
export const fetchWithRetry = async (run: PollContext, claimed: Floor): Promise<FetchResult | undefined> => {
  const token = await run.getToken(run.account);
  if (!token.ok) return { floor: claimed, askedAt: run.clock(), logins: token };

  const first = await fetchOnce(run, claimed, token.value);
  if (first.logins.ok) return first;
  const next = await tokenForRetry(run, token.value, first.logins.problem);
  if (!next.ok) return { ...first, logins: next };

  const feed = reserveRetry(first.floor.feed, first.askedAt, { now: run.clock(), untilMs: run.untilMs });
  if (feed === undefined)
    return next.value === token.value ? first : { ...first, logins: fail({ reason: 'token-renewed' }) };
  return (await writeFeed(run, feed)) ? fetchOnce(run, { ...claimed, feed }, next.value) : undefined;
};

const fetchOnce = async (run: PollContext, floor: Floor, token: string | undefined): Promise<FetchResult> => {
  const askedAt = run.clock();
  const seen = await getAgentLogins(run.service, run.account, token);
  return { floor: { ...floor, feed: requestArrived(floor.feed, run.clock()) }, askedAt, logins: seen };
};

/** The token for a second try: another one where this one was refused. Fails where another try would not help. */
const tokenForRetry = async (
  run: PollContext,
  token: string | undefined,
  failure: PollFailure,
): Promise<Result<string | undefined, PollFailure>> => {
  if (isTransient(failure)) return ok(token);
  if (failure.reason !== 'unauthorised' || run.account.token.kind !== 'generate') return fail(failure);
  return run.getToken(run.account, token);
};

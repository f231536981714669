import { fail, ok, type Result } from '../core/result.ts';
import type { PollFailure } from '../telephony/service/problems.ts';
import { isTransient } from '../telephony/service/problems.ts';
import type { PollResult } from './apply-result.ts';
import { getAgentLogins } from './get-agent-logins.ts';
import type { PollContext } from './poll-context.ts';
import { requestArrived, reserveRetry } from './rate-limit.ts';
import type { AccountAgents } from './read-agents.ts';
import { writeFeed } from './write-feed.ts';

/**
 * Fetches the logins. After a transient failure or an expired token it tries once more, if the rate limit leaves room.
 * Undefined if another run has written the feed meanwhile.
 */
export const fetchWithRetry = async (run: PollContext, known: AccountAgents): Promise<PollResult | undefined> => {
  const token = await run.getToken(run.account);
  if (!token.ok) return { known, requestedAt: run.clock(), logins: token };

  const first = await fetchOnce(run, known, token.value);
  if (first.logins.ok) return first;
  const next = await tokenForRetry(run, token.value, first.logins.problem);
  if (!next.ok) return { ...first, logins: next };

  const feed = reserveRetry(first.known.feed, first.requestedAt, { now: run.clock(), untilMs: run.untilMs });
  if (feed === undefined)
    return next.value === token.value ? first : { ...first, logins: fail({ reason: 'token-renewed' }) };
  return (await writeFeed(run, feed)) ? fetchOnce(run, { ...known, feed }, next.value) : undefined;
};

const fetchOnce = async (run: PollContext, known: AccountAgents, token: string | undefined): Promise<PollResult> => {
  const requestedAt = run.clock();
  const logins = await getAgentLogins(run.service, run.account, token);
  return { known: { ...known, feed: requestArrived(known.feed, run.clock()) }, requestedAt, logins };
};

/** The token for a retry: a new one after the service rejected the first. Fails where a retry would not help. */
const tokenForRetry = async (
  run: PollContext,
  token: string | undefined,
  failure: PollFailure,
): Promise<Result<string | undefined, PollFailure>> => {
  if (isTransient(failure)) return ok(token);
  if (failure.reason !== 'unauthorised' || run.account.token.kind !== 'generate') return fail(failure);
  return run.getToken(run.account, token);
};

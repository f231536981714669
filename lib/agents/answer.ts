import { hasCallbacks } from '../accounts/accounts.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isTransient, type PollFailure } from '../telephony/service/problems.ts';
import { loggedInAgents } from './diff-agents.ts';
import { ignoreUnidentified, pollFailed } from './feed.ts';
import { getAgentLogins } from './get-agent-logins.ts';
import type { AgentLogins } from './normalise-agent.ts';
import { type AccountAgents, emitNoAnswerMetrics, type PollContext } from './poll-context.ts';
import type { Feed } from './schema.ts';
import { withoutCallsUntil, withReceipts } from './silence.ts';
import { requestArrived, reserveRetry } from './slot.ts';
import { writeAgents, writeFeed, writeStatus } from './write-agents.ts';

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

/** What a poll brought. */
export interface PollResult {
  /** The agents as stored before the poll, and the feed with the poll's requests. */
  readonly known: AccountAgents;
  /** When the last request was sent. */
  readonly requestedAt: Date;
  readonly logins: Result<AgentLogins, PollFailure>;
}

/**
 * Writes the result of a poll, and returns the agents as they are stored then. Undefined if another run has written the
 * feed meanwhile.
 */
export const applyPollResult = async (
  run: PollContext,
  { known: before, requestedAt, logins }: PollResult,
): Promise<AccountAgents | undefined> => {
  const { telemetry } = run;
  const known = { ...before, feed: await withoutAnsweredCalls(run, before.feed) };
  if (!logins.ok) {
    emitNoAnswerMetrics(telemetry, 'PollsFailed');
    if (logins.problem.reason === 'rate-limited') telemetry.count('PollsRateLimited');
    return writeStatus(run, known, pollFailed(known.feed, logins.problem, run.clock()));
  }

  const unreadableRecords = logins.value.unreadable.length;
  telemetry.count('PollsSucceeded');
  if (unreadableRecords > 0) telemetry.count('AgentRecordsUnreadable', unreadableRecords);
  const { feed, logins: identified } = ignoreUnidentified(known.feed, logins.value, requestedAt);
  return writeAgents(
    run,
    { ...known, feed },
    { at: pollInstant(requestedAt, feed), loggedIn: loggedInAgents(known.agents, identified), unreadableRecords },
  );
};

/** The feed's ended calls without those after which a callback came. The write of the result writes them too. */
const withoutAnsweredCalls = async ({ account, getReceipts }: PollContext, feed: Feed): Promise<Feed> => {
  if (!hasCallbacks(account)) return withoutCallsUntil(feed, Number.POSITIVE_INFINITY);
  const receipts = await getReceipts(account.userName);
  return receipts === undefined ? feed : withReceipts(feed, receipts);
};

const secondMs = 1000;

/**
 * The poll's instant in whole seconds. It is later than the last answer and the last snapshot: two changes of an agent
 * at one instant would have no order.
 */
const pollInstant = (requestedAt: Date, { asOf, poller }: Feed): string => {
  const wholeSecond = (ms: number) => Math.floor(ms / secondMs) * secondMs;
  const notBefore = [asOf, poller.snapshotAt].map((at) =>
    at === undefined ? 0 : wholeSecond(Date.parse(at)) + secondMs,
  );
  return new Date(Math.max(wholeSecond(requestedAt.getTime()), ...notBefore)).toISOString();
};

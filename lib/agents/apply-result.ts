import { hasCallbacks } from '../accounts/accounts.ts';
import type { Result } from '../core/result.ts';
import type { PollFailure } from '../telephony/service/problems.ts';
import { withReceipts } from './callback-receipts.ts';
import { loggedInAgents } from './diff-agents.ts';
import { withoutCallsUntil } from './ended-calls.ts';
import { ignoreUnidentified, pollFailed } from './feed-transitions.ts';
import type { AgentLogins } from './normalise-agent.ts';
import { emitNoAnswerMetrics, type PollContext } from './poll-context.ts';
import type { AccountAgents } from './read-agents.ts';
import type { Feed } from './schema.ts';
import { writeAgents } from './write-agents.ts';
import { writeStatus } from './write-feed.ts';

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

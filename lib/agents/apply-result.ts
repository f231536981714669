import type { Result } from '../core/result.ts';
import { feedChangeRow } from './agent-rows.ts';
import { loggedInAgents } from './diff-agents.ts';
import type { Feed, PollFailure } from './feed.ts';
import { ignoreUnidentified, pollFailed } from './feed-transitions.ts';
import type { AgentLogins } from './normalise-agent.ts';
import { emitNoAnswerMetrics, type PollContext, writeContext } from './poll-context.ts';
import { type Floor, writeFeed } from './read-agents.ts';
import { snapshotRows } from './snapshot.ts';
import { writeAgents } from './write-agents.ts';

/** What a poll brought, and when it was asked for. */
export interface PollResult {
  readonly askedAt: Date;
  readonly logins: Result<AgentLogins, PollFailure>;
}

/** Writes what became of a poll. Answers the floor as it is now, or undefined if somebody else has taken over. */
export const applyPollResult = async (
  run: PollContext,
  floor: Floor,
  { askedAt, logins }: PollResult,
): Promise<Floor | undefined> => {
  const { telemetry } = run;
  if (!logins.ok) {
    emitNoAnswerMetrics(telemetry, 'PollsFailed');
    if (logins.problem.reason === 'rate-limited') telemetry.count('PollsRateLimited');
    return writeStatus(run, floor, pollFailed(floor.feed, logins.problem, run.clock()));
  }

  const unreadableRecords = logins.value.unreadable.length;
  telemetry.count('PollsSucceeded');
  if (unreadableRecords > 0) telemetry.count('AgentRecordsUnreadable', unreadableRecords);
  const { feed, logins: floorSeen } = ignoreUnidentified(floor.feed, logins.value, askedAt);
  return writeAgents(
    writeContext(run),
    { ...floor, feed },
    { at: pollInstant(askedAt, feed), loggedIn: loggedInAgents(floor.agents, floorSeen), unreadableRecords },
  );
};

/**
 * Writes a feed that shows no new picture. One that is interrupted by now is told of, and the floor is kept as it was; if
 * that cannot be kept, it is told of all the same. It stays if another run tells of it first: that one keeps the same.
 */
export const writeStatus = async (run: PollContext, floor: Floor, feed: Feed): Promise<Floor | undefined> => {
  const isNews = feed.status !== floor.feed.status;
  const kept = isNews && (await saveLastSnapshot(run, floor, feed));
  const next = kept ? { ...feed, poller: { ...feed.poller, snapshotAt: feed.statusSince } } : feed;
  const { clock, retention } = run;
  const puts = isNews ? [feedChangeRow(floor.feed, next, clock().toISOString(), retention.intervalDays)] : [];
  const isWritten = await writeFeed(run, next, { puts, removes: [] });
  return isWritten ? { ...floor, feed: next } : undefined;
};

const saveLastSnapshot = async (run: PollContext, { agents }: Floor, feed: Feed): Promise<boolean> => {
  try {
    await run.table.put(snapshotRows(feed, feed.statusSince, agents, run.retention.floorDays));
    return true;
  } catch (error) {
    run.telemetry.fault('agent-store', error);
    return false;
  }
};

const secondMs = 1000;

/** In whole seconds, and later than anything that is told of the floor: nothing begins twice at the same instant. */
const pollInstant = (askedAt: Date, { asOf, poller }: Feed): string => {
  const wholeSecond = (ms: number) => Math.floor(ms / secondMs) * secondMs;
  const told = [asOf, poller.snapshotAt].map((at) => (at === undefined ? 0 : wholeSecond(Date.parse(at)) + secondMs));
  return new Date(Math.max(wholeSecond(askedAt.getTime()), ...told)).toISOString();
};

import type { SeenFloor } from '../agent-login/seen-floor.ts';
import { believed } from '../feed/doubt.ts';
import type { Feed } from '../feed/feed.ts';
import type { PollFailure } from '../feed/problem.ts';
import { failing } from '../feed/settle.ts';
import { whoIsThere } from '../floor/changes.ts';
import { type Floor, writeFeed } from '../floor/floor.ts';
import { floorRows } from '../floor/floor-rows.ts';
import { feedChangeRow } from '../floor/rows.ts';
import { writeFloor } from '../floor/write-floor.ts';
import type { Result } from '../result.ts';
import { type Run, writing } from './run.ts';
import { tellNoAnswer } from './tell-no-answer.ts';

/** What a poll brought, and when it was asked for. */
export interface Outcome {
  readonly askedAt: Date;
  readonly seen: Result<SeenFloor, PollFailure>;
}

/** Writes what became of a poll. Answers the floor as it is now, or undefined if somebody else has taken over. */
export const conclude = async (run: Run, floor: Floor, { askedAt, seen }: Outcome): Promise<Floor | undefined> => {
  const { telemetry } = run;
  if (!seen.ok) {
    tellNoAnswer(telemetry, 'PollsFailed');
    if (seen.problem.reason === 'limit') telemetry.count('LimitRefusals');
    return writeNews(run, floor, failing(floor.feed, seen.problem, run.clock()));
  }

  const unreadableRecords = seen.value.unreadable.length;
  telemetry.count('PollsAnswered');
  if (unreadableRecords > 0) telemetry.count('AgentRecordsUnreadable', unreadableRecords);
  const { feed, seen: floorSeen } = believed(floor.feed, seen.value, askedAt);
  return writeFloor(
    writing(run),
    { ...floor, feed },
    { at: instantOfPoll(askedAt, feed), there: whoIsThere(floor.agents, floorSeen), unreadableRecords },
  );
};

/**
 * Writes a feed that shows no new picture. One that is interrupted by now is told of, and the floor is kept as it was; if
 * that cannot be kept, it is told of all the same. It stays if another run tells of it first: that one keeps the same.
 */
export const writeNews = async (run: Run, floor: Floor, feed: Feed): Promise<Floor | undefined> => {
  const isNews = feed.status !== floor.feed.status;
  const kept = isNews && (await keepAsItWas(run, floor, feed));
  const next = kept ? { ...feed, poller: { ...feed.poller, floorKeptAt: feed.statusSince } } : feed;
  const { clock, retention } = run;
  const puts = isNews ? [feedChangeRow(floor.feed, next, clock().toISOString(), retention.intervalDays)] : [];
  const isWritten = await writeFeed(run, next, { puts, removes: [] });
  return isWritten ? { ...floor, feed: next } : undefined;
};

const keepAsItWas = async (run: Run, { agents }: Floor, feed: Feed): Promise<boolean> => {
  try {
    await run.table.put(floorRows(feed, feed.statusSince, agents, run.retention.floorDays));
    return true;
  } catch (error) {
    run.telemetry.fault('agent-store', error);
    return false;
  }
};

const secondMs = 1000;

/** In whole seconds, and later than anything that is told of the floor: nothing begins twice at the same instant. */
const instantOfPoll = (askedAt: Date, { asOf, poller }: Feed): string => {
  const wholeSecond = (ms: number) => Math.floor(ms / secondMs) * secondMs;
  const told = [asOf, poller.floorKeptAt].map((at) => (at === undefined ? 0 : wholeSecond(Date.parse(at)) + secondMs));
  return new Date(Math.max(wholeSecond(askedAt.getTime()), ...told)).toISOString();
};

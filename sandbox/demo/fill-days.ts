import { addDays, datesBetween, startOfDay } from '../../lib/core/time.ts';
import type { Item } from '../../lib/storage/rows.ts';
import type { Calendar } from './calendar.ts';
import type { PastDeployment, PastSettings, PlayedOutcome } from './past-deployment.ts';
import { play } from './play.ts';
import { type OutcomeStore, storedRows, storeOutcome } from './store-outcome.ts';

export interface Filling {
  readonly calendar: Calendar;
  readonly account: string;
  readonly newPast: (stored: PastSettings['stored']) => PastDeployment;
  /** Playing begins while the tables still start. */
  readonly store: Promise<OutcomeStore>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called when a day that is over is in the tables. */
  readonly onDay: (date: string) => void;
}

/** Long enough for everybody to log in anew who is logged in at midnight. */
const warmUpMs = 4 * 3_600_000;

const midnight = (date: string, { timeZone }: Pick<Calendar, 'timeZone'>): number =>
  Date.parse(startOfDay(date, timeZone));

const nothing = { calls: [], agents: [] } as const;

/** From a day on to the present, in tables that have nothing. Resolves with the instant up to which. */
export const fillFrom = async (filling: Filling, date: string): Promise<number> => {
  const after = midnight(date, filling.calendar);
  const past = filling.newPast(nothing);
  // Who is logged in at midnight has logged in the evening before, which belongs to the older days.
  await play(past, filling.calendar, { after: after - warmUpMs, until: after }, filling.signal);
  const later = new Set(goingOn(filling.calendar, after));
  // The older days leave these calls out, and what is posted of one later may change nothing.
  const calls = past.takeOutcome().calls.filter(({ item }) => later.has(callIdOf(item)));
  return await fillUpToNow(filling, past, after, { calls, agents: [], events: [] });
};

/** What an earlier run has missed since an instant, or since the oldest day if that is later. */
export const makeUpFor = async (filling: Filling, since: number, oldest: string): Promise<number> => {
  const { calendar, account, store, newPast } = filling;
  const after = Math.max(since, midnight(oldest, calendar));
  const past = newPast(await storedRows(await store, account, goingOn(calendar, after)));
  return await fillUpToNow(filling, past, after);
};

const fillUpToNow = async (
  filling: Filling,
  past: PastDeployment,
  from: number,
  before: PlayedOutcome = { ...nothing, events: [] },
): Promise<number> => {
  const { calendar, store, now, signal, onDay } = filling;
  let after = from;
  let storing = Promise.resolve();
  const storeNext = (outcome: PlayedOutcome): void => {
    storing = storing.then(async () => storeOutcome(await store, outcome, signal));
    // The storing is awaited below; until then a failure is no unhandled one.
    storing.catch(() => undefined);
  };
  storeNext(before);
  const playUntil = async (until: number): Promise<void> => {
    await play(past, calendar, { after, until }, signal);
    after = until;
    storeNext(past.takeOutcome());
  };
  for (let date = calendar.dateAt(after); date < calendar.dateAt(now()); date = addDays(date, 1)) {
    await playUntil(midnight(addDays(date, 1), calendar));
    onDay(date);
  }
  await playUntil(now());
  await storing;
  // The present has gone on meanwhile.
  await playUntil(now());
  await storing;
  return after;
};

/** Some days from the first one on, as each follows from the one before. Those that are wanted are stored. */
export const fillOlder = async (
  filling: Filling,
  { first, last, isWanted }: Readonly<{ first: string; last: string; isWanted: (date: string) => boolean }>,
): Promise<void> => {
  const { calendar, newPast, store, signal, onDay } = filling;
  const past = newPast(nothing);
  const end = midnight(addDays(last, 1), calendar);
  const later = new Set(calendar.postsBetween(end, end + warmUpMs).map(({ callId }) => callId));
  for (const date of datesBetween(first, last)) {
    const until = midnight(addDays(date, 1), calendar);
    await play(past, calendar, { after: midnight(date, calendar), until }, signal);
    const outcome = past.takeOutcome();
    if (!isWanted(date)) continue;
    await storeOutcome(await store, historyIn(outcome, later), signal);
    onDay(date);
  }
};

/** The calls that were posted before an instant, and of which more is posted later. */
const goingOn = (calendar: Calendar, at: number): readonly string[] => {
  const before = new Set(calendar.postsBetween(at - warmUpMs, at).map(({ callId }) => callId));
  const later = calendar.postsBetween(at, at + warmUpMs).map(({ callId }) => callId);
  return [...new Set(later)].filter((callId) => before.has(callId));
};

const callIdOf = (item: Item | undefined): string => String(item?.['callId']?.S);

const historyKinds = ['floor', 'interval', 'feed-change'];

/**
 * What of an older day stays: not the present of then. An interval that is still open is written when it ends, the last of them
 * with the day after, and so is a call of which more is posted then.
 */
const historyIn = ({ calls, agents, events }: PlayedOutcome, later: ReadonlySet<string>): PlayedOutcome => ({
  events,
  calls: calls.filter(({ item }) => !later.has(callIdOf(item))),
  agents: agents.filter(({ item }) => {
    const kind = item?.['kind']?.S ?? '';
    return historyKinds.includes(kind) && (kind !== 'interval' || item?.['to'] !== undefined);
  }),
});

import * as z from 'zod';
import { DayCall } from '../../lib/client/day.ts';
import {
  type CallGrouping,
  callGroupings,
  type DayGroup,
  type DayRecords,
  dayFigures,
  dayFiguresBy,
  isMissed,
  isTimeGrouping,
} from '../../lib/client/index.ts';
import { answeredCalls, countedCallOf } from '../../lib/contract/call-counts.ts';
import { keepLatest } from '../../lib/core/collections.ts';
import { matcherOf } from '../../lib/core/patterns.ts';
import { beginOfPeriod } from '../../lib/core/time.ts';
import { betweenCalls, defaultShortSeconds, groupings } from '../commands/day.ts';
import {
  answeredByOthers,
  comparedWeek,
  figuresOf,
  labelsOf,
  largestFigures,
  noteOf,
  printDayCsv,
  weekBefore,
} from '../output/day.ts';
import { printedText } from '../output/terminal.ts';
import { type AccountDay, accountDay } from '../reader.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';

interface DayQuery {
  readonly day: string;
  readonly by: CallGrouping;
  readonly within: number;
}

/** The days that are kept, to look at them by any group without reading them again. */
const maxDays = 6;

/**
 * How long figures are shown: a minute, or where reading takes long, thirty times that; of a day that is over, a quarter of an
 * hour. Late calls and redriven ones may still come.
 */
const [minAgeMs, overAgeMs, shareOfReading] = [60_000, 900_000, 30];

interface Reading {
  readonly done: Promise<{ readonly records: DayRecords; readonly readAt: string }>;
  /** Until when it is kept; it is shared by all who ask while it is under way. */
  untilMs: number;
}

/** Calls of a quarter of an hour: when it begins in milliseconds since the epoch, customers' calls by outcome, and all others. */
type Quarter = [ms: number, answered: number, missed: number, others: number];

const isAnswered = matcherOf(answeredCalls);

const quartersOf = (calls: readonly DayCall[], timeZone: string): readonly Readonly<Quarter>[] => {
  const quarters = new Map<number, Quarter>();
  for (const call of calls) {
    const ms = Date.parse(beginOfPeriod(Date.parse(call.listedAt), 15, timeZone));
    const quarter = quarters.get(ms) ?? [ms, 0, 0, 0];
    quarter[isAnswered(countedCallOf(call)) ? 1 : isMissed(call) ? 2 : 3] += 1;
    quarters.set(ms, quarter);
  }
  return [...quarters.values()].sort(([a], [b]) => a - b);
};

export const dayReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const kept = new Map<string, Reading>();

  const recordsOf = (account: ShownAccount, asked: AccountDay, withAgents: boolean): Reading['done'] => {
    const { day, timeZone, end } = asked;
    const key = `${account.account} ${day}${withAgents ? ' with agents' : ''}`;
    const begunMs = clock().getTime();
    const before = kept.get(key);
    if (before !== undefined && begunMs < before.untilMs) return before.done;

    const read = async () => {
      const records = await account.client.day(day, timeZone, { withAgents });
      const calls = visible({ isPersonal }, z.array(DayCall), records.calls);
      const readAt = clock();
      const tookMs = readAt.getTime() - begunMs;
      const leastMs = begunMs > Date.parse(end) ? overAgeMs : minAgeMs;
      reading.untilMs = readAt.getTime() + Math.max(leastMs, shareOfReading * tookMs);
      return { records: { ...records, calls }, readAt: readAt.toISOString() };
    };
    const reading: Reading = { done: read(), untilMs: Number.POSITIVE_INFINITY };
    keepLatest(kept, key, reading, maxDays);
    reading.done.catch(() => kept.get(key) === reading && kept.delete(key));
    return reading.done;
  };
  const accountedDay = (account: ShownAccount, day: string) =>
    accountDay(account, { day, timeZone: account.timeZone }, clock());

  const quarters = async (account: ShownAccount, { day }: Pick<DayQuery, 'day'>) => {
    const asked = await accountedDay(account, day);
    const { records, readAt } = await recordsOf(account, asked, false);
    const { start, end, calls } = records;
    return { now: clock().toISOString(), readAt, start, end, quarters: quartersOf(calls, asked.timeZone) };
  };

  const day = async (account: ShownAccount, { day: named, by, within }: DayQuery) => {
    const settings = { shortSeconds: defaultShortSeconds, withinSeconds: within };
    const accounted = await accountedDay(account, named);
    const { day, timeZone } = accounted;
    const earlier = await accountedDay(account, weekBefore(day));
    const [{ records, readAt }, { records: ofEarlier }] = await Promise.all([
      recordsOf(account, accounted, true),
      recordsOf(account, earlier, false),
    ]);
    const before = comparedWeek(ofEarlier, accounted, { ...settings, asOf: readAt });
    const figures = dayFigures(records, settings);
    const all = dayFiguresBy(by, records, settings);
    const groups = isTimeGrouping(by) ? betweenCalls(all) : all;
    const labels = labelsOf(by, groups, timeZone);
    const report = { records, figures, by, groups, showPersonal: isPersonal };
    const { start, end, agentsUpTo } = records;
    return {
      now: clock().toISOString(),
      day,
      start,
      end,
      /** When the day was read. That takes many requests, so it is read once in a while. */
      readAt,
      agentsUpTo,
      figures: shownFigures(figures),
      largest: largestFigures,
      /** The same weekday a week before, up to the same time where the day is not over. */
      weekBefore: { ...before, figures: shownFigures({ calls: before.figures }) },
      quarters: quartersOf(records.calls, timeZone),
      by,
      groupings,
      within,
      grouping: callGroupings[by],
      groups: groups.map((group) => ({
        label: labels.get(group.key) ?? group.key ?? `no ${by}`,
        figures: [...shownFigures(group), ...(by === 'agent' ? [shownByOthers(group)] : [])],
      })),
      csv: printedText((terminal) => printDayCsv(terminal, report)),
    };
  };
  return { day, quarters };
};

/** Figures with how each is computed; one that cannot be known has a reason instead of a value. */
const shownFigures = (group: Pick<DayGroup, 'calls' | 'agents'>) =>
  figuresOf(group).map(({ name, about: { title, unit, definition }, figure, share }) => ({
    ...{ name, title, unit, definition, share },
    value: figure.value,
    note: noteOf(figure),
  }));

export type ShownFigure = ReturnType<typeof shownFigures>[number];

const shownByOthers = ({ calls }: Pick<DayGroup, 'calls'>): ShownFigure => ({
  name: 'answeredByOthers',
  title: 'Answered by others',
  unit: 'calls',
  definition: 'Offered calls that this agent did not answer, and somebody else did.',
  value: answeredByOthers(calls),
  share: undefined,
  note: '',
});

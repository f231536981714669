import * as z from 'zod';
import { DayCall } from '../../lib/client/day.ts';
import {
  type CallGrouping,
  callGroupings,
  type DayGroup,
  type DayPeriod,
  dayFigures,
  dayFiguresBy,
  isMissed,
  isTimeGrouping,
  type PeriodRecords,
  type TooManyCalls,
} from '../../lib/client/index.ts';
import { answeredCalls, countedCallOf } from '../../lib/contract/call-counts.ts';
import { keepLatest } from '../../lib/core/collections.ts';
import { matcherOf } from '../../lib/core/patterns.ts';
import { beginOfPeriod, datesBetween, localDate, startOfDay } from '../../lib/core/time.ts';
import { today } from '../command.ts';
import { betweenCalls, defaultShortSeconds, groupings } from '../commands/day.ts';
import { answeredByOthers, figuresOf, labelsOf, largestFigures, noteOf, printDayCsv } from '../output/day.ts';
import {
  agentDaysText,
  comparedWeeks,
  isOneDay,
  periodText,
  readLimit,
  tooManyCalls,
  weeksBefore,
} from '../output/period.ts';
import { printedText } from '../output/terminal.ts';
import { accountPeriod } from '../reader.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';

interface DayQuery {
  readonly day: string;
  /** Of a period, its first and last day: they win over the day. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** By default by agent; a period by day. */
  readonly by?: CallGrouping | undefined;
  readonly within: number;
}

/** The readings that are kept, to look at them by any group without reading them again. The largest periods take 20 MB each. */
const maxReadings = 6;

/**
 * How long figures are shown: a minute, or where reading takes long, thirty times that; of a day that is over, a quarter of an
 * hour. Late calls and redriven ones may still come.
 */
const [minAgeMs, overAgeMs, shareOfReading] = [60_000, 900_000, 30];

interface Reading {
  readonly done: Promise<{ readonly records: PeriodRecords | TooManyCalls; readonly readAt: string }>;
  /** Until when it is kept; it is shared by all who ask while it is under way. */
  untilMs: number;
}

/** Calls of a quarter of an hour, or a day: when it begins in milliseconds, customers' calls by outcome, and all others. */
type Bar = [ms: number, answered: number, missed: number, others: number];

const isAnswered = matcherOf(answeredCalls);

const barsOf = (
  calls: readonly DayCall[],
  beginOf: (call: DayCall) => string,
  begins: readonly string[] = [],
): readonly Readonly<Bar>[] => {
  const bars = new Map(begins.map((begin): [string, Bar] => [begin, [Date.parse(begin), 0, 0, 0]]));
  for (const call of calls) {
    const begin = beginOf(call);
    const bar = bars.get(begin) ?? [Date.parse(begin), 0, 0, 0];
    bar[isAnswered(countedCallOf(call)) ? 1 : isMissed(call) ? 2 : 3] += 1;
    bars.set(begin, bar);
  }
  return [...bars.values()].sort(([a], [b]) => a - b);
};

const quartersOf = ({ calls, timeZone }: Pick<PeriodRecords, 'calls' | 'timeZone'>) =>
  barsOf(calls, ({ listedAt }) => beginOfPeriod(Date.parse(listedAt), 15, timeZone));

const daysOf = ({ calls, timeZone, from, to }: PeriodRecords) =>
  barsOf(
    calls,
    ({ listedAt }) => startOfDay(localDate(listedAt, timeZone), timeZone),
    datesBetween(from, to).map((date) => startOfDay(date, timeZone)),
  );

export const dayReader = ({
  clock,
  isPersonal,
  location,
}: Pick<ConsoleSettings, 'clock' | 'isPersonal' | 'location'>) => {
  const kept = new Map<string, Reading>();

  const recordsOf = (account: ShownAccount, asked: DayPeriod, withAgents: boolean): Reading['done'] => {
    const { timeZone } = account;
    const key = `${account.account} ${periodText(asked)}${withAgents ? ' with agents' : ''}`;
    const begunMs = clock().getTime();
    const before = kept.get(key);
    if (before !== undefined && begunMs < before.untilMs) return before.done;

    const read = async () => {
      const read = await account.client.period(asked, timeZone, { withAgents, ...readLimit(asked) });
      const records =
        'moreThan' in read ? read : { ...read, calls: visible({ isPersonal }, z.array(DayCall), read.calls) };
      const readAt = clock();
      const tookMs = readAt.getTime() - begunMs;
      const isOver = asked.to < localDate(new Date(begunMs).toISOString(), timeZone);
      const leastMs = isOver ? overAgeMs : minAgeMs;
      reading.untilMs = readAt.getTime() + Math.max(leastMs, shareOfReading * tookMs);
      return { records, readAt: readAt.toISOString() };
    };
    const reading: Reading = { done: read(), untilMs: Number.POSITIVE_INFINITY };
    keepLatest(kept, key, reading, maxReadings);
    reading.done.catch(() => kept.get(key) === reading && kept.delete(key));
    return reading.done;
  };
  const accounted = (account: ShownAccount, { day, from, to = today }: Pick<DayQuery, 'day' | 'from' | 'to'>) => {
    const asked = from === undefined ? { from: day, to: day } : { from, to };
    return accountPeriod(account, { ...asked, timeZone: account.timeZone }, clock());
  };

  const quarters = async (account: ShownAccount, query: Pick<DayQuery, 'day'>) => {
    const { from, to, start, end } = await accounted(account, query);
    const { records, readAt } = await recordsOf(account, { from, to }, false);
    const bars = 'moreThan' in records ? [] : quartersOf(records);
    return { now: clock().toISOString(), readAt, start, end, quarters: bars };
  };

  const day = async (account: ShownAccount, { within, by: asked, ...query }: DayQuery) => {
    const settings = { shortSeconds: defaultShortSeconds, withinSeconds: within };
    const chosen = await accounted(account, query);
    const by = asked ?? (query.from === undefined ? 'agent' : 'day');
    const own = recordsOf(account, chosen, true);
    const earlier = weeksBefore(chosen);
    // Side by side; but of a period that is too large, nothing is read of the weeks before.
    if (isOneDay(chosen)) recordsOf(account, earlier, false);
    const { records, readAt } = await own;
    const { from, to } = chosen;
    // When it was read: that takes many requests, so it is read once in a while.
    const about = { now: clock().toISOString(), from, to, readAt };
    if ('moreThan' in records) {
      const { deployment } = account;
      return { ...about, tooMany: tooManyCalls(records, { ...chosen, by }, { deployment, location, now: clock() }) };
    }

    const { records: ofEarlier } = await recordsOf(account, earlier, false);
    const before = comparedWeeks(ofEarlier, chosen, { ...settings, asOf: readAt });
    const figures = dayFigures(records, settings);
    const all = dayFiguresBy(by, records, settings);
    const groups = isTimeGrouping(by) ? betweenCalls(all) : all;
    const labels = labelsOf(by, groups, records);
    const report = { records, figures, by, groups, showPersonal: isPersonal };
    const { start, end, agentsUpTo } = records;
    return {
      ...about,
      start,
      end,
      agentsUpTo,
      agentDays: agentDaysText(records),
      figures: shownFigures(figures),
      largest: largestFigures,
      /** The same weekdays before, up to the same time where the last day is not over. */
      weeksBefore: { ...before, figures: before.figures && shownFigures({ calls: before.figures }) },
      /** Of a day by the quarter of an hour, of a period by day. */
      bars: isOneDay(chosen) ? quartersOf(records) : daysOf(records),
      by,
      groupings: query.from === undefined ? groupings.filter((grouping) => grouping !== 'day') : groupings,
      within,
      grouping: callGroupings[by],
      groups: groups.map((group) => ({
        key: group.key,
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

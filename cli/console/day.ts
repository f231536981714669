import * as z from 'zod';
import { type CallsOfFigure, callsOfFigure } from '../../lib/client/call-figures.ts';
import { DayCall } from '../../lib/client/day.ts';
import { periodsOfDay, timeGroupings } from '../../lib/client/day-figures.ts';
import {
  type CallGrouping,
  callGroupings,
  type DayGroup,
  type DayPeriod,
  dayFigures,
  dayFiguresBy,
  isTimeGrouping,
  type PeriodRecords,
  type TooManyCalls,
} from '../../lib/client/index.ts';
import { countedCallOf, countTest, defaultCountSettings } from '../../lib/contract/call-counts.ts';
import {
  beginOfPeriod,
  datesBetween,
  isOneDay,
  justBefore,
  localDate,
  periodText,
  startOfDay,
} from '../../lib/core/time.ts';
import { type CallFilters, filtersIn, filtersOfCount } from '../call-filters.ts';
import { selectionOf } from '../call-list.ts';
import { askedPeriod, betweenCalls, defaultShortSeconds, groupings } from '../commands/day.ts';
import { answeredByOthers, figuresOf, labelsOf, largestFigures, noteOf, printDayCsv } from '../output/day.ts';
import { agentDaysText, comparedWeeks, readLimit, tooManyCalls, weeksBefore } from '../output/period.ts';
import { printedText } from '../output/terminal.ts';
import { accountPeriod } from '../reader.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';
import { type CallQuery, rangeOf } from './call-query.ts';
import { keptReadings } from './kept-readings.ts';
import type { MissedReader } from './missed.ts';

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
 * How long figures are shown, unless reading takes long: a minute; of a day that is over, a quarter of an hour. Late calls and
 * redriven ones may still come.
 */
const [minAgeMs, overAgeMs] = [60_000, 900_000];

interface Reading {
  readonly records: PeriodRecords | TooManyCalls;
  readonly readAt: string;
}

/** Calls of a quarter of an hour, or a day: when it begins in milliseconds, customers' calls by outcome, and all others. */
type Bar = [ms: number, answered: number, missed: number, others: number];

const outcomes = (['answered', 'missed', 'others'] as const).map((name) => countTest(name, defaultCountSettings));

/** Of an agent, by what of each call belongs to that agent. */
const barsOf = (
  calls: readonly DayCall[],
  beginOf: (call: DayCall) => string,
  { begins = [], agent }: { readonly begins?: readonly string[]; readonly agent?: string | undefined } = {},
): readonly Readonly<Bar>[] => {
  const groups = Map.groupBy(calls, beginOf);
  return [...new Set([...begins, ...groups.keys()])].sort().map((begin): Bar => {
    const counted = (groups.get(begin) ?? []).map((call) => countedCallOf(call, agent));
    const [answered = 0, missed = 0, others = 0] = outcomes.map(({ fits }) => counted.filter(fits).length);
    return [Date.parse(begin), answered, missed, others];
  });
};

const quartersOf = ({ calls, timeZone }: Pick<PeriodRecords, 'calls' | 'timeZone'>, agent?: string) =>
  barsOf(calls, ({ listedAt }) => beginOfPeriod(Date.parse(listedAt), 15, timeZone), { agent });

const daysOf = ({ calls, timeZone, from, to }: PeriodRecords) =>
  barsOf(calls, ({ listedAt }) => startOfDay(localDate(listedAt, timeZone), timeZone), {
    begins: datesBetween(from, to).map((date) => startOfDay(date, timeZone)),
  });

export const dayReader = (
  { clock, isPersonal, location }: Pick<ConsoleSettings, 'clock' | 'isPersonal' | 'location'>,
  missed: MissedReader,
) => {
  const readings = keptReadings<Reading>(clock, maxReadings);

  const recordsOf = (account: ShownAccount, asked: DayPeriod, needsAgents: boolean): Promise<Reading> => {
    const { timeZone } = account;
    const key = `${account.account} ${periodText(asked)}`;
    const keyWithAgents = `${key} with agents`;
    // What was read with agents serves those who need none.
    const withAgents = needsAgents || readings.has(keyWithAgents);
    const isOver = asked.to < localDate(clock().toISOString(), timeZone);
    return readings.wanted(withAgents ? keyWithAgents : key, isOver ? overAgeMs : minAgeMs, async () => {
      const read = await account.client.period(asked, timeZone, { withAgents, ...readLimit(asked) });
      const records =
        'moreThan' in read ? read : { ...read, calls: visible({ isPersonal }, z.array(DayCall), read.calls) };
      return { records, readAt: clock().toISOString() };
    });
  };
  const accounted = (account: ShownAccount, { day: date, from, to }: Pick<DayQuery, 'day' | 'from' | 'to'>) =>
    accountPeriod(account, { ...askedPeriod({ date, from, to }), timeZone: account.timeZone }, clock());

  /** The calls that a list selects, by quarter of an hour, and how many it has. */
  const quarters = async (account: ShownAccount, query: Omit<CallQuery, 'cursor'>) => {
    const { day, from, to = from } = query;
    const dateOf = (instant: string | undefined) => instant && localDate(instant, account.timeZone);
    const period = await accounted(account, { day, from: dateOf(from), to: dateOf(to) });
    const range = await rangeOf(account, query, clock());
    const { start, end } = period;
    const { records, readAt } = await recordsOf(account, period, false);
    const about = { now: clock().toISOString(), readAt, start, end };
    if ('moreThan' in records) return { ...about, quarters: [], count: undefined };

    const whole = { from: start, to: justBefore(end), asOf: range.asOf };
    const selection = selectionOf<DayCall>([filtersIn(query)], {
      rowsOf: async (calls) => new Map(calls.map((call) => [call.callId, call])),
      states: () => missed.statesOf(account, whole),
    });
    const { timeZone } = records;
    const calls = await selection.of(records.calls);
    return {
      ...about,
      quarters: isOneDay(period) ? quartersOf({ calls, timeZone }, query.agent) : [],
      count: calls.filter(({ listedAt }) => listedAt >= range.from && listedAt <= range.to).length,
    };
  };

  const day = async (account: ShownAccount, { within, by: asked, ...query }: DayQuery) => {
    const settings = { shortSeconds: defaultShortSeconds, withinSeconds: within };
    const chosen = await accounted(account, query);
    const offered = query.from === undefined ? groupings.filter((grouping) => grouping !== 'day') : groupings;
    const by = offered.find((grouping) => grouping === asked) ?? (query.from === undefined ? 'agent' : 'day');
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
    const shown = (group: Pick<DayGroup, 'calls' | 'agents'>) => shownFigures(group, within);
    const partOf = partsOf(by, records);
    const report = { records, figures, by, groups, showPersonal: isPersonal };
    const { start, end, agentsUpTo } = records;
    return {
      ...about,
      start,
      end,
      opens: listOf(records),
      agentsUpTo,
      agentDays: agentDaysText(records),
      figures: shown(figures),
      largest: largestFigures,
      /** The same weekdays before, up to the same time where the last day is not over. */
      weeksBefore: {
        ...before,
        opens: listOf(ofEarlier, before.upTo),
        figures: before.figures && shown({ calls: before.figures }),
      },
      /** Of a day by the quarter of an hour, of a period by day. */
      bars: isOneDay(chosen) ? quartersOf(records) : daysOf(records),
      by,
      groupings: offered,
      within,
      grouping: callGroupings[by],
      groups: groups.map((group) => ({
        key: group.key,
        label: labels.get(group.key) ?? group.key ?? `no ${by}`,
        opens: partOf(group.key),
        figures: [...shown(group), ...(by === 'agent' ? [shownByOthers(group, within)] : [])],
      })),
      csv: printedText((terminal) => printDayCsv(terminal, report)),
    };
  };
  return { day, quarters };
};

type Opened = CallFilters & Readonly<Partial<Record<'day' | 'from' | 'to', string>>>;

/** The list of the calls of a day or a period, whole or before an instant. */
const listOf = (records: PeriodRecords | TooManyCalls, before?: string): Opened | undefined => {
  if ('moreThan' in records) return undefined;
  const { from, to, start, end } = records;
  return from === to && before === undefined ? { day: from } : { from: start, to: justBefore(before ?? end) };
};

/** The list of the calls of each group; undefined for an hour of several days, which no list has. */
const partsOf = (by: CallGrouping, records: PeriodRecords): ((key: string | undefined) => Opened | undefined) => {
  if (isTimeGrouping(by)) {
    const periods = isOneDay(records) ? periodsOfDay(timeGroupings[by], records) : new Map<string, Opened>();
    return (key = '') => periods.get(key);
  }
  const whole = listOf(records);
  if (by === 'day') return (day = '') => ({ day });
  return (key) => (key === undefined ? { ...whole, without: by } : { ...whole, [by]: key });
};

/** The calls that a number opens: as many as it counts or rests on; none for a zero. */
const opensOf = (count: number | undefined, { counts, known }: CallsOfFigure, within: number) =>
  count === undefined || count === 0 ? undefined : { count, filters: filtersOfCount(counts, within, known) };

/** Figures with how each is computed; one that cannot be known has a reason instead of a value. */
const shownFigures = (group: Pick<DayGroup, 'calls' | 'agents'>, within: number) =>
  figuresOf(group).map(({ name, about: { title, unit, definition }, figure, share }) => {
    const calls = callsOfFigure(name);
    const count = unit === 'calls' || !('calls' in figure) ? figure.value : figure.calls;
    return {
      ...{ name, title, unit, definition, share },
      value: figure.value,
      note: noteOf(figure),
      opens: calls && opensOf(count, calls, within),
    };
  });

export type ShownFigure = ReturnType<typeof shownFigures>[number];

const shownByOthers = ({ calls }: Pick<DayGroup, 'calls'>, within: number): ShownFigure => ({
  name: 'answeredByOthers',
  title: 'Answered by others',
  unit: 'calls',
  definition: 'Offered calls that this agent did not answer, and somebody else did.',
  value: answeredByOthers(calls),
  share: undefined,
  note: '',
  opens: opensOf(answeredByOthers(calls), { counts: 'passedOn' }, within),
});

import { type CallsOfFigure, callsOfFigure } from '../../client/call-figures.ts';
import { periodsOfDay, timeGroupings } from '../../client/day-figures.ts';
import {
  type CallGrouping,
  callGroupings,
  type DayGroup,
  dayFigures,
  isTimeGrouping,
  type PeriodRecords,
  type TooManyCalls,
} from '../../client/index.ts';
import { isOneDay, justBefore } from '../../lib/core/time.ts';
import { type CallFilters, filtersOfCount } from '../calls/call-filters.ts';
import { defaultShortSeconds, groupings, groupsBy } from '../day/day.ts';
import { answeredByOthers, figuresOf, largestFigures, noteOf, printDayCsv } from '../day/day-lines.ts';
import { agentDaysText, comparedWeeks, labelsOf, tooManyCalls, weeksBefore } from '../day/period.ts';
import { printedText } from '../frame/terminal.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { type AskedDays, daysOf, type KeptDays, quartersOf } from './day-records.ts';

interface DayQuery extends AskedDays {
  /** By default by agent; a period by day. */
  readonly by?: CallGrouping | undefined;
  readonly within: number;
}

/** The figures of a day or a period, as the command computes them, each with the calls that it counts. */
export const dayReader =
  ({ clock, isPersonal, location }: Pick<ConsoleSettings, 'clock' | 'isPersonal' | 'location'>, days: KeptDays) =>
  async (account: ShownAccount, { within, by: asked, ...query }: DayQuery) => {
    const settings = { shortSeconds: defaultShortSeconds, withinSeconds: within };
    const chosen = await days.periodOf(account, query);
    const offered = query.from === undefined ? groupings.filter((grouping) => grouping !== 'day') : groupings;
    const by = offered.find((grouping) => grouping === asked) ?? (query.from === undefined ? 'agent' : 'day');
    const own = days.of(account, chosen, true);
    const earlier = weeksBefore(chosen);
    // Side by side; but of a period that is too large, nothing is read of the weeks before.
    if (isOneDay(chosen)) days.of(account, earlier, false);
    const { records, readAt } = await own;
    const { from, to } = chosen;
    // When it was read: that takes many requests, so it is read once in a while.
    const about = { now: clock().toISOString(), from, to, readAt };
    if ('moreThan' in records) {
      const { deployment } = account;
      return { ...about, tooMany: tooManyCalls(records, { ...chosen, by }, { deployment, location, now: clock() }) };
    }

    const { records: ofEarlier } = await days.of(account, earlier, false);
    const before = comparedWeeks(ofEarlier, chosen, { ...settings, asOf: readAt });
    const figures = dayFigures(records, settings);
    const groups = groupsBy(by, records, settings);
    const labels = labelsOf(by, groups, records);
    // Without definitions: of thousands of agents they would be half of the answer.
    const shown = (group: Pick<DayGroup, 'calls' | 'agents'>) =>
      shownFigures(group, within).map(({ definition: _, ...figure }) => figure);
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
      figures: shownFigures(figures, within),
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
      name,
      title,
      unit,
      definition,
      share,
      value: figure.value,
      note: noteOf(figure),
      opens: calls && opensOf(count, calls, within),
    };
  });

export type ShownFigure = Omit<ReturnType<typeof shownFigures>[number], 'definition'>;

const shownByOthers = ({ calls }: Pick<DayGroup, 'calls'>, within: number): ShownFigure => ({
  name: 'answeredByOthers',
  title: 'Answered by others',
  unit: 'calls',
  value: answeredByOthers(calls),
  share: undefined,
  note: '',
  opens: opensOf(answeredByOthers(calls), { counts: 'passedOn' }, within),
});

import { periodsOfDay, timeGroupings } from '../../client/day-figures.ts';
import {
  type CallGrouping,
  callGroupings,
  dayFigures,
  type FigureSettings,
  isTimeGrouping,
  type PeriodRecords,
} from '../../client/index.ts';
import { answeredByOthers, besideOf, columnsOf, figuresOf, largestFigures } from '../../client/shown-figures.ts';
import { isOneDay } from '../../lib/core/time.ts';
import { defaultShortSeconds, groupings, groupsBy } from '../day/day.ts';
import { printDayCsv } from '../day/day-lines.ts';
import { agentDaysText, labelsOf, tooManyCalls, weeksBefore } from '../day/period.ts';
import { Problem } from '../frame/problem.ts';
import { printedText } from '../frame/terminal.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { weeksBeforeOf } from './day-before.ts';
import { levelsOf } from './day-levels.ts';
import { type AskedDays, daysOf, type KeptDays, quartersOf } from './day-records.ts';
import { dayList, type Opened, shownBeside, shownFigure } from './shown-figure.ts';

interface DayQuery extends AskedDays {
  /** By default by agent; a period by day. */
  readonly by?: CallGrouping | undefined;
  readonly within: number;
}

type DaySettings = Pick<ConsoleSettings, 'clock' | 'isPersonal' | 'location'>;

/** A day has no days to group by. */
const groupingOf = ({ from, by }: DayQuery) => {
  const offered = from === undefined ? groupings.filter((grouping) => grouping !== 'day') : groupings;
  const fallback: CallGrouping = from === undefined ? 'agent' : 'day';
  return { offered, by: offered.find((grouping) => grouping === by) ?? fallback };
};

const settingsOf = ({ within }: DayQuery) => ({ shortSeconds: defaultShortSeconds, withinSeconds: within });

const computed = (records: PeriodRecords, by: CallGrouping, settings: FigureSettings) => ({
  figures: dayFigures(records, settings),
  groups: groupsBy(by, records, settings),
});

/** The figures of a day or a period, as the command computes them, each with the calls that it counts. */
export const dayReader =
  ({ clock, location }: DaySettings, days: KeptDays) =>
  async (account: ShownAccount, query: DayQuery) => {
    const { within } = query;
    const settings = settingsOf(query);
    const { offered, by } = groupingOf(query);
    const chosen = await days.periodOf(account, query);
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
    const { figures, groups } = computed(records, by, settings);
    const shown = figuresOf(figures);
    const rows = groups.map((group) => [...figuresOf(group), ...(by === 'agent' ? [answeredByOthers(group)] : [])]);
    const labels = labelsOf(by, groups, records);
    const partOf = partsOf(by, records);
    const { start, end, agentsUpTo } = records;
    return {
      ...about,
      start,
      end,
      opens: dayList(records),
      agentsUpTo,
      agentDays: agentDaysText(records),
      figures: shown.map((figure) => ({
        ...shownFigure(figure, within),
        definition: figure.declaration.definition,
        beside: besideOf(figure, figures, settings).map((part) => shownBeside(part, within)),
      })),
      largest: largestFigures,
      weeksBefore: weeksBeforeOf({ account, records, figures: shown, earlier: ofEarlier, settings, readAt }),
      /** Of a day by the quarter of an hour, of a period by day. */
      bars: isOneDay(chosen) ? quartersOf(records) : daysOf(records),
      levels: levelsOf(records, settings),
      by,
      groupings: offered,
      within,
      grouping: callGroupings[by],
      columns: columnsOf(rows),
      groups: groups.map((group, index) => ({
        key: group.key,
        label: labels.get(group.key) ?? group.key ?? `no ${by}`,
        opens: partOf(group.key),
        // Without definitions: of thousands of agents they would be half of the answer.
        figures: (rows[index] ?? []).map((figure) => shownFigure(figure, within)),
      })),
    };
  };

/** The table of a day or a period as `callfeed day --csv` prints it, for the clipboard: without the mark of a file. */
export const dayCsvReader =
  ({ isPersonal }: DaySettings, days: KeptDays) =>
  async (account: ShownAccount, query: DayQuery) => {
    const { by } = groupingOf(query);
    const { records } = await days.of(account, await days.periodOf(account, query), true);
    if ('moreThan' in records) throw new Problem('The period has too many calls. Ask for fewer days.', 2);
    const report = { records, ...computed(records, by, settingsOf(query)), by, showPersonal: isPersonal };
    return { csv: printedText((terminal) => printDayCsv(terminal, report)) };
  };

/** The list of the calls of each group; undefined for an hour of several days, which no list has. */
const partsOf = (by: CallGrouping, records: PeriodRecords): ((key: string | undefined) => Opened | undefined) => {
  if (isTimeGrouping(by)) {
    const periods = isOneDay(records) ? periodsOfDay(timeGroupings[by], records) : new Map<string, Opened>();
    return (key = '') => periods.get(key);
  }
  const whole = dayList(records);
  if (by === 'day') return (day = '') => ({ day });
  return (key) => (key === undefined ? { ...whole, without: by } : { ...whole, [by]: key });
};

import * as z from 'zod';
import { DayCall } from '../../lib/client/day.ts';
import {
  type CallGrouping,
  callGroupings,
  type DayGroup,
  type DayRecords,
  dayFigures,
  dayFiguresBy,
  isTimeGrouping,
} from '../../lib/client/index.ts';
import { keepLatest } from '../../lib/core/collections.ts';
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
import { redacted } from '../output/redact.ts';
import { printedText } from '../output/terminal.ts';
import { type AccountDay, accountDay } from '../reader.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { quartersOf } from './day-tally.ts';

export interface DayQuery {
  readonly day: string;
  readonly by: CallGrouping;
  readonly within: number;
  /** Reads the day again unless that was done since it was read at this instant. */
  readonly again?: string | undefined;
}

/** Two days, and the same days a week before, are kept, to look at them by any group without reading them again. */
const maxDays = 4;

/** A day that is not over is read again after this time: others have looked at it, and nobody expects figures of then. */
const maxAgeMs = 60_000;

/** Calls of a day come in until they are over and have been posted. */
const lateMs = 3_600_000;

type DayToRead = Pick<AccountDay, 'day' | 'timeZone' | 'end'>;

interface Reading {
  readonly begunAt: string;
  readonly done: Promise<{ readonly records: DayRecords; readonly readAt: string }>;
}

export const dayReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const kept = new Map<string, Reading>();

  const read = async ({ client }: ShownAccount, { day, timeZone }: DayToRead, withAgents: boolean): Reading['done'] => {
    const records = await client.day(day, timeZone, { withAgents });
    const calls = isPersonal ? records.calls : redacted(z.array(DayCall), records.calls);
    return { records: { ...records, calls }, readAt: clock().toISOString() };
  };

  const isRecent = ({ begunAt }: Reading, end: string): boolean => {
    const begunMs = Date.parse(begunAt);
    return begunMs > Date.parse(end) + lateMs || clock().getTime() - begunMs < maxAgeMs;
  };

  const recordsOf = (account: ShownAccount, asked: DayToRead, withAgents: boolean, again = ''): Reading['done'] => {
    const { day, end } = asked;
    const key = `${account.account} ${day}${withAgents ? ' with agents' : ''}`;
    const before = kept.get(key);
    const isKept = before !== undefined && isRecent(before, end) && (again === '' || before.begunAt > again);
    const reading = isKept ? before : { begunAt: clock().toISOString(), done: read(account, asked, withAgents) };
    keepLatest(kept, key, reading, maxDays);
    reading.done.catch(() => kept.get(key) === reading && kept.delete(key));
    return reading.done;
  };

  return async (account: ShownAccount, { day: asked, by, within, again }: DayQuery) => {
    const settings = { shortSeconds: defaultShortSeconds, withinSeconds: within };
    const accounted = await accountDay(account, { day: asked, timeZone: account.timeZone }, clock());
    const { day, timeZone } = accounted;
    const earlier = await accountDay(account, { day: weekBefore(day), timeZone }, clock());
    const [{ records, readAt }, { records: ofEarlier }] = await Promise.all([
      recordsOf(account, accounted, true, again),
      recordsOf(account, earlier, false, again),
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
      /** When the day was read. Reading it takes many requests, so it is read once in a while and on demand. */
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
};

export type DayAnswer = Awaited<ReturnType<ReturnType<typeof dayReader>>>;

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

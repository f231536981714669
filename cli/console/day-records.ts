import * as z from 'zod';
import { DayCall } from '../../client/day-call.ts';
import type { DayPeriod, PeriodRecords, TooManyCalls } from '../../client/index.ts';
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
import { selectionOf } from '../calls/call-list.ts';
import { filtersIn, nearTexts } from '../calls/set-filters.ts';
import { askedPeriod } from '../day/day.ts';
import { readLimit } from '../day/period.ts';
import { accountPeriod } from '../frame/asked-days.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';
import { type ConsoleCallQuery, rangeOf } from './call-query.ts';
import { keptReadings } from './kept-readings.ts';
import type { MissedReader } from './missed.ts';

/** A day, or the first and last day of a period, which win over it. */
export interface AskedDays {
  readonly day: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Reading {
  readonly records: PeriodRecords | TooManyCalls;
  readonly readAt: string;
}

/** The readings that are kept, to look at them by any group without reading them again. The largest periods take 20 MB each. */
const maxReadings = 6;

/**
 * How long figures are shown, unless reading takes long: a minute; of a day that is over, a quarter of an hour. Late calls and
 * redriven ones may still come.
 */
const minAgeMs = 60_000;
const overAgeMs = 900_000;

/** Reads the rows of whole days, as far as the console shows them. */
export const dayRecords = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const readings = keptReadings<Reading>(clock, maxReadings);
  return {
    periodOf: (account: ShownAccount, { day: date, from, to }: AskedDays) =>
      accountPeriod(account, { ...askedPeriod({ date, from, to }), timeZone: account.timeZone }, clock()),

    of(account: ShownAccount, period: DayPeriod, needsAgents: boolean): Promise<Reading> {
      const { timeZone } = account;
      const key = `${account.account} ${periodText(period)}`;
      const keyWithAgents = `${key} with agents`;
      // What was read with agents serves those who need none.
      const withAgents = needsAgents || readings.has(keyWithAgents);
      const isOver = period.to < localDate(clock().toISOString(), timeZone);
      return readings.wanted(withAgents ? keyWithAgents : key, isOver ? overAgeMs : minAgeMs, async () => {
        const read = await account.client.period(period, timeZone, { withAgents, ...readLimit(period) });
        const records =
          'moreThan' in read ? read : { ...read, calls: visible({ isPersonal }, z.array(DayCall), read.calls) };
        return { records, readAt: clock().toISOString() };
      });
    },
  };
};

export type KeptDays = ReturnType<typeof dayRecords>;

/** Calls of a quarter of an hour, or a day: when it begins in milliseconds, customers' calls by outcome, and all others. */
type Bar = [ms: number, answered: number, missed: number, others: number];

const outcomes = (['answered', 'missed', 'others'] as const).map((name) => countTest(name, defaultCountSettings));

interface BarSettings {
  readonly beginOf: (call: DayCall) => string;
  /** Bars that are there without a call, too. */
  readonly begins?: readonly string[];
  /** Whose part of each call counts. */
  readonly agent?: string | undefined;
}

const barsOf = (calls: readonly DayCall[], { beginOf, begins = [], agent }: BarSettings): readonly Readonly<Bar>[] => {
  const groups = Map.groupBy(calls, beginOf);
  return [...new Set([...begins, ...groups.keys()])].sort().map((begin): Bar => {
    const counted = (groups.get(begin) ?? []).map((call) => countedCallOf(call, agent));
    const [answered = 0, missed = 0, others = 0] = outcomes.map(({ fits }) => counted.filter(fits).length);
    return [Date.parse(begin), answered, missed, others];
  });
};

export const quartersOf = ({ calls, timeZone }: Pick<PeriodRecords, 'calls' | 'timeZone'>, agent?: string) =>
  barsOf(calls, { beginOf: ({ listedAt }) => beginOfPeriod(Date.parse(listedAt), 15, timeZone), agent });

export const daysOf = ({ calls, timeZone, from, to }: PeriodRecords) => {
  const beginOf = (date: string) => startOfDay(date, timeZone);
  return barsOf(calls, {
    beginOf: ({ listedAt }) => beginOf(localDate(listedAt, timeZone)),
    begins: datesBetween(from, to).map(beginOf),
  });
};

/** The calls that a list selects, by quarter of an hour, and how many it has. */
export const quartersReader =
  ({ clock }: Pick<ConsoleSettings, 'clock'>, days: KeptDays, missed: MissedReader) =>
  async (account: ShownAccount, query: Omit<ConsoleCallQuery, 'cursor'>) => {
    const { day, from, to = from } = query;
    const dateOf = (instant: string | undefined) => instant && localDate(instant, account.timeZone);
    const period = await days.periodOf(account, { day, from: dateOf(from), to: dateOf(to) });
    const range = rangeOf(account, query, clock());
    const { start, end } = period;
    const { records, readAt } = await days.of(account, period, false);
    const about = { now: clock().toISOString(), readAt, start, end };
    if ('moreThan' in records) return { ...about, quarters: [], count: undefined, near: [] };

    const whole = { from: start, to: justBefore(end), asOf: range.asOf };
    const selection = selectionOf<DayCall>([filtersIn(query)], {
      rowsOf: async (calls) => new Map(calls.map((call) => [call.callId, call])),
      states: () => missed.wholeStates(account, whole),
    });
    const calls = await selection.of(records.calls);
    const filters = filtersIn(query);
    return {
      ...about,
      quarters: isOneDay(period) ? quartersOf({ calls, timeZone: records.timeZone }, query.agent) : [],
      count: calls.filter(({ listedAt }) => listedAt >= range.from && listedAt <= range.to).length,
      /** For an empty list: what calls of these days have in place of a text that none has. */
      near: calls.length === 0 ? nearTexts(filters, records.calls) : [],
    };
  };

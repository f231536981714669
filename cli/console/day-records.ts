import * as z from 'zod';
import { DayCall } from '../../lib/client/day.ts';
import type { DayPeriod, PeriodRecords, TooManyCalls } from '../../lib/client/index.ts';
import { localDate, periodText } from '../../lib/core/time.ts';
import { accountPeriod } from '../asked-days.ts';
import { askedPeriod } from '../commands/day.ts';
import { readLimit } from '../output/period.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';
import { keptReadings } from './kept-readings.ts';

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
const [minAgeMs, overAgeMs] = [60_000, 900_000];

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

export type DayRecords = ReturnType<typeof dayRecords>;

import { addDays, localDate, startOfDay } from '../../lib/core/time.ts';
import type { Reconciliation } from './reconciliation.ts';

/** The service keeps the calls of 15 days, today among them. An older day is empty. */
export const reportedDays = 15;

/** The service adds dispositions and recordings to the report up to two days after the call. */
const changingDays = 2;

/** The days whose calls the service still has, the latest first. */
export const daysInReport = (zone: string, now: Date): readonly string[] =>
  Array.from({ length: reportedDays }, (_, age) => addDays(localDate(now.toISOString(), zone), -age));

/** Days that may still change, and older ones never read since they became final: also those missed while down. */
export const dueDays = ({ days }: Reconciliation, zone: string, now: Date): readonly string[] =>
  daysInReport(zone, now).filter((day) => {
    const read = days[day];
    if (read === undefined || read.shrankFrom !== undefined || read.isCut) return true;
    return read.readAt < startOfDay(addDays(day, changingDays + 1), zone);
  });

export const forgetOldDays = ({ begun = {}, ...state }: Reconciliation, zone: string, now: Date): Reconciliation => {
  const kept = new Set(daysInReport(zone, now));
  const recent = <Of>(days: Readonly<Record<string, Of>>): Readonly<Record<string, Of>> =>
    Object.fromEntries(Object.entries(days).filter(([day]) => kept.has(day)));
  return { ...state, days: recent(state.days), begun: recent(begun) };
};

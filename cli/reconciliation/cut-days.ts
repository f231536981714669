import type { DayCounts } from '../../functions/reconcile-calls/day-reading.ts';
import { mostRecords, type Reconciliation } from '../../functions/reconcile-calls/reconciliation.ts';
import { counted } from '../frame/texts.ts';

export interface CutDay {
  readonly day: string;
  readonly records: number;
  /** By the service's own count, or as an earlier run read; undefined if neither is more. */
  readonly total?: number | undefined;
}

/** The days of a run that were not read to their end, the latest first. Fewer records than an earlier run read are a cut too. */
export const cutDays = (
  done: Readonly<Record<string, DayCounts>>,
  before: Reconciliation['days'] = {},
): readonly CutDay[] =>
  Object.entries(done)
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
    .flatMap(([day, { isCut, records, total = 0 }]) => {
      const expected = Math.max(total, mostRecords(before[day]));
      if (!isCut && records >= expected) return [];
      return [{ day, records, ...(records < expected && { total: expected }) }];
    });

export const cutText = ({ day, records, total }: CutDay): string =>
  `${day} ended after ${total === undefined ? counted(records, 'record') : `${records} of ${counted(total, 'record')}`}`;

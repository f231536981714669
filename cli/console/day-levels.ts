import { callFigureDeclarations } from '../../client/call-figures.ts';
import { dayFiguresBy, type FigureSettings, type PeriodRecords } from '../../client/index.ts';
import { targetFigures } from '../../client/shown-figures.ts';
import { isOneDay, startOfDay } from '../../lib/core/time.ts';
import { filtersOfCount } from '../calls/call-filters.ts';

/** A share of a quarter of an hour or a day: when that begins in milliseconds, the share, and on how many calls it rests. */
type Level = readonly [ms: number, share: number, calls: number];

/** The shares that may have a target, by the bars of the chart; bars without a call that decides are left out. */
export const levelsOf = (records: PeriodRecords, settings: FigureSettings & { readonly withinSeconds: number }) => {
  const groups = dayFiguresBy(isOneDay(records) ? 'quarter' : 'day', records, settings);
  const beginOf = (key = '') => Date.parse(isOneDay(records) ? key : startOfDay(key, records.timeZone));
  return targetFigures.map((name) => {
    const { title, counts } = callFigureDeclarations[name];
    return {
      name,
      title,
      filters: filtersOfCount(counts, settings.withinSeconds),
      values: groups.flatMap(({ key, calls: { [name]: figure } }): readonly Level[] =>
        figure.value === undefined ? [] : [[beginOf(key), figure.value, figure.calls]],
      ),
    };
  });
};

import { callFigureDeclarations } from '../../client/call-figures.ts';
import { dayFiguresBy, type FigureSettings, type PeriodRecords } from '../../client/index.ts';
import { targetFigures } from '../../client/shown-figures.ts';
import { isOneDay, startOfDay } from '../../lib/core/time.ts';
import { filtersOfCount } from '../calls/set-filters.ts';

/** A share of a quarter of an hour or a day. */
export interface LevelValue {
  /** When the quarter or the day begins, in milliseconds. */
  readonly atMs: number;
  readonly share: number;
  /** On how many calls the share rests. */
  readonly calls: number;
}

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
      values: groups.flatMap(({ key, calls: { [name]: figure } }): readonly LevelValue[] =>
        figure.value === undefined ? [] : [{ atMs: beginOf(key), share: figure.value, calls: figure.calls }],
      ),
    };
  });
};

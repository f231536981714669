import type { BesidePart, CallsOfFigure } from '../../client/call-figures.ts';
import type { PeriodRecords, TooManyCalls } from '../../client/index.ts';
import { type NamedFigure, noteOf } from '../../client/shown-figures.ts';
import { justBefore } from '../../lib/core/time.ts';
import type { CallFilters } from '../calls/call-filters.ts';
import { filtersOfCount } from '../calls/set-filters.ts';

/** A list of calls, as the address of Calls has it. */
export type Opened = CallFilters & Readonly<Partial<Record<'day' | 'from' | 'to', string>>>;

/** The list of the calls of a day or a period, whole or before an instant. */
export const dayList = (records: PeriodRecords | TooManyCalls, before?: string): Opened | undefined => {
  if ('moreThan' in records) return undefined;
  const { from, to, start, end } = records;
  return from === to && before === undefined ? { day: from } : { from: start, to: justBefore(before ?? end) };
};

/** The calls that a number opens: as many as it counts or rests on; none for a zero. */
const opensOf = (count: number | undefined, { counts, duration }: CallsOfFigure, within: number) =>
  count === undefined || count === 0 ? undefined : { count, filters: filtersOfCount(counts, within, duration) };

/** A figure as the page draws it. One that cannot be known has a reason instead of a value. */
export const shownFigure = ({ name, declaration, figure, share, otherStatistic }: NamedFigure, within: number) => {
  const { title, unit, counts, duration } = declaration;
  const count = unit === 'calls' || !('calls' in figure) ? figure.value : figure.calls;
  return {
    name,
    title,
    unit,
    share,
    otherStatistic,
    value: figure.value,
    note: noteOf(figure),
    opens: counts && opensOf(count, { counts, duration }, within),
  };
};

export type ShownFigure = ReturnType<typeof shownFigure>;

export const shownBeside = (part: BesidePart, within: number) => {
  if (typeof part === 'string') return part;
  const { count, counts, text } = part;
  return { count, text, opens: opensOf(count, { counts }, within) };
};

import type { ComponentChildren } from 'preact';
import type { FigureChange } from '../../../client/compared-figures.ts';
import type { Answers } from '../api.ts';
import type { ShownFigure } from '../shown-figure.ts';
import type { PageQuery } from './hash.ts';
import { Link } from './parts.tsx';
import { counted, durationText, percentText } from './words.ts';

export type DayAnswer = Exclude<Answers['day'], { readonly tooMany: unknown }>;

export const figureOf = <Figure extends ShownFigure>(figures: readonly Figure[], name: string): Figure | undefined =>
  figures.find((figure) => figure.name === name);

export const figureText = ({ value, unit }: ShownFigure, timeOf = durationText): string => {
  if (value === undefined) return '–';
  if (unit === 'seconds') return timeOf(value);
  return unit === 'share' ? percentText(value) : value.toLocaleString('en-GB');
};

interface ChangeProps extends Pick<ShownFigure, 'unit'> {
  readonly change: FigureChange | undefined;
}

const differenceText = (by: number, unit: ShownFigure['unit']): string => {
  if (unit === 'seconds') return durationText(by);
  return unit === 'share' ? counted(by, 'point') : by.toLocaleString('en-GB');
};

/** The difference by a mark for its direction and a word for whether it is good, so that no colour is needed. */
export const Change = ({ change, unit }: ChangeProps) => {
  if (change === undefined) return <>–</>;
  const { by, isBetter } = change;
  if (by === 0) return <span class="change">= the same</span>;
  const classes = isBetter === undefined ? 'change' : `change verdict ${isBetter ? 'good' : 'bad'}`;
  return (
    <span class={classes}>
      {by > 0 ? '▲' : '▼'} {differenceText(Math.abs(by), unit)}
      {isBetter === undefined ? (by > 0 ? ' more' : ' less') : isBetter ? ', better' : ', worse'}
    </span>
  );
};

interface ToCallsProps {
  readonly opens: ShownFigure['opens'];
  /** The list to which the calls belong; without it the number is no link. */
  readonly list: PageQuery | undefined;
  readonly children: ComponentChildren;
}

export const ToCalls = ({ opens, list, children }: ToCallsProps) =>
  opens === undefined || list === undefined ? (
    children
  ) : (
    <Link view="calls" query={{ ...list, ...opens.filters }} title={`Show ${counted(opens.count, 'call')}`}>
      {children}
    </Link>
  );

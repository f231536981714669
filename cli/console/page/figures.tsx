import type { ComponentChildren } from 'preact';
import type { Answers } from '../api.ts';
import type { ShownFigure } from '../day.ts';
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

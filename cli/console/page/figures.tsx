import type { ComponentChildren } from 'preact';
import type { Answers } from '../api.ts';
import type { ShownFigure } from '../day.ts';
import type { Query } from './address.ts';
import { Link } from './parts.tsx';
import { counted, durationText } from './words.ts';

export type DayAnswer = Exclude<Answers['day'], { readonly tooMany: unknown }>;

export const figureOf = (figures: readonly ShownFigure[], name: string): ShownFigure | undefined =>
  figures.find((figure) => figure.name === name);

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const figureText = ({ value, unit }: ShownFigure, timeOf = durationText): string => {
  if (value === undefined) return '–';
  if (unit === 'seconds') return timeOf(value);
  return unit === 'share' ? percent(value) : value.toLocaleString('en-GB');
};

export const otherStatistic = (name: string): 'Average' | 'Median' | undefined => {
  if (name.includes('Median')) return 'Average';
  return name.includes('Average') ? 'Median' : undefined;
};

/** What stands beside a figure: the share of calls that were answered or missed; a median and average beside each other. */
export const besideOf = (
  { name, share }: ShownFigure,
  figures: readonly ShownFigure[],
  timeOf = durationText,
): string | undefined => {
  if (share !== undefined) return percent(share);
  const other = otherStatistic(name);
  const seconds = other && figureOf(figures, name.replace(/Median|Average/, other))?.value;
  return seconds === undefined ? undefined : timeOf(Math.round(seconds));
};

interface ToCallsProps {
  readonly opens: ShownFigure['opens'];
  /** The list to which the calls belong; without it the number is no link. */
  readonly list: Query | undefined;
  readonly children: ComponentChildren;
}

/** A number as a link to the calls that it counts, or rests on. */
export const ToCalls = ({ opens, list, children }: ToCallsProps) =>
  opens === undefined || list === undefined ? (
    children
  ) : (
    <Link view="calls" query={{ ...list, ...opens.filters }} title={`Show ${counted(opens.count, 'call')}`}>
      {children}
    </Link>
  );

import type { FigureDefinition, FigureDisplay } from './call-figures.ts';

type Declared = Pick<FigureDefinition, 'unit'> & Pick<FigureDisplay, 'better'>;

/** How a figure differs from the same figure of an earlier time. */
export interface FigureChange {
  /** In calls, whole seconds or percentage points. */
  readonly by: number;
  /** Undefined where both are the same, or where no direction is declared to be good. */
  readonly isBetter: boolean | undefined;
}

/** A figure as it is shown: a difference, and a target, have to agree with the two numbers that somebody reads. */
const shownNumber = ({ unit }: Declared, value: number): number => Math.round(unit === 'share' ? value * 100 : value);

/** Undefined where one of the two is not known: nothing can be said about the difference then. */
export const figureChange = (
  about: Declared,
  value: number | undefined,
  before: number | undefined,
): FigureChange | undefined => {
  if (value === undefined || before === undefined) return undefined;
  const by = shownNumber(about, value) - shownNumber(about, before);
  const isNeither = by === 0 || about.better === undefined;
  return { by, isBetter: isNeither ? undefined : by > 0 === (about.better === 'more') };
};

/** How many percentage points a share is beyond its target, on the wrong side of it; 0 where the target is met. */
export const pointsFromTarget = (about: Declared, value: number, targetPercent: number): number => {
  const above = shownNumber(about, value) - targetPercent;
  return Math.max(0, about.better === 'more' ? -above : above);
};

import type { Properties } from '../resources.ts';
import type { Run } from './datum.ts';
import { expressionOf, type Filling, type Series, seriesOf, watchedBy } from './series.ts';

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/**
 * Whether CloudWatch would raise an alarm, as it was synthesised, at any moment of what happened. Throws where that hangs
 * on how it fills in a metric of which there was no data.
 */
export const isRaised = (alarm: Properties, run: Run): boolean => {
  const raised = isRaisedBy(alarm, run, 'filled');
  if (raised !== isRaisedBy(alarm, run, 'left-empty'))
    throw new Error('The alarm stands on what FILL makes of no data');

  return raised;
};

const isRaisedBy = (alarm: Properties, { from, to, data }: Run, filling: Filling): boolean => {
  const { Metrics = [], ComparisonOperator, Threshold, EvaluationPeriods, TreatMissingData } = alarm;
  const watched = Object.entries(watchedBy(alarm));
  const [periodSeconds, ...others] = new Set(watched.map(([, metric]) => metric.periodSeconds));
  const compare = comparisons[ComparisonOperator];
  if (periodSeconds === undefined || others.length > 0 || compare === undefined)
    throw new Error('An alarm has one period, and a comparison that is known here');

  const using = Object.fromEntries(watched.map(([id, metric]) => [id, seriesOf(metric, data)]));
  const { Expression, Id = '' } = Metrics.find(({ ReturnData }: Properties) => ReturnData) ?? {};
  const series: Series | undefined = Expression === undefined ? using[Id] : expressionOf(Expression, using, filling);
  if (series === undefined) throw new Error('An alarm looks at one of its metrics');

  const isBad = (period: number): boolean => {
    const value = series(period);
    return value === undefined ? TreatMissingData === 'breaching' : compare(value, Threshold);
  };
  const [first, last] = [from, to].map((instant) => Math.floor(instant / (periodSeconds * 1_000)));
  const bad = Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, index) => isBad((first ?? 0) + index));

  return bad.some((_, index) => {
    const inARow = bad.slice(index, index + EvaluationPeriods);
    return inARow.length === EvaluationPeriods && inARow.every(Boolean);
  });
};

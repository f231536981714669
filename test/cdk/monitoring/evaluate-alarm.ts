import { compileFunction } from 'node:vm';
import type { Properties } from '../support/template.ts';
import type { MetricDatum, Run } from './scenario.ts';
import { alarmMetrics, type WatchedMetric, watchedMetrics } from './watched-metrics.ts';

/** The value of a metric or an expression in a period; undefined if there is no data. */
export type Series = (period: number) => number | undefined;

const statistics: Readonly<Record<string, (values: readonly number[]) => number | undefined>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
  Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  SampleCount: (values) => values.length,
};

const isOf = ({ namespace, metric, dimensions }: WatchedMetric, datum: MetricDatum): boolean =>
  datum.namespace === namespace &&
  datum.metric === metric &&
  JSON.stringify(Object.entries(datum.dimensions).toSorted()) === JSON.stringify(Object.entries(dimensions).toSorted());

/** A metric as CloudWatch evaluates it: its statistic in each period. */
const seriesOf = (watched: WatchedMetric, data: readonly MetricDatum[]): Series => {
  const periodMs = watched.periodSeconds * 1_000;
  const statistic = statistics[watched.statistic];
  if (statistic === undefined) throw new Error(`Unknown statistic of ${watched.metric}: ${watched.statistic}`);
  const periods = Map.groupBy(
    data.filter((datum) => isOf(watched, datum)),
    ({ at }) => Math.floor(at / periodMs),
  );

  return (period) => {
    const found = periods.get(period);
    return found && statistic(found.flatMap(({ values }) => values));
  };
};

/**
 * What FILL does for a metric without data: it returns the filler, or the whole expression has no value. CloudWatch
 * documents neither for a metric that never had data.
 */
type Filling = 'filled' | 'left-empty';

/** Evaluates the part of CloudWatch's metric math that the alarms use: FILL, IF, AND, OR, sums and comparisons. */
const expressionOf = (expression: string, using: Readonly<Record<string, Series>>, filling: Filling): Series => {
  // Metric math is JavaScript but for AND and OR.
  const body = `return ${expression.replaceAll(' AND ', ' && ').replaceAll(' OR ', ' || ')}`;
  const evaluate = compileFunction(body, ['FILL', 'IF', ...Object.keys(using)]);
  const fill = (value: number | undefined, filler: number) => value ?? filler;
  const choose = (condition: boolean, yes: number, no: number) => (condition ? yes : no);

  return (period) => {
    const values = Object.values(using).map((series) => series(period));
    if (filling === 'left-empty' && values.includes(undefined)) return undefined;
    return Number(evaluate(fill, choose, ...values));
  };
};

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** From the end of the period that raises an alarm to the end of the one that ends it, in milliseconds. */
export interface RaisedTime {
  readonly from: number;
  readonly to: number;
}

/**
 * When CloudWatch would have a synthesised alarm raised in a run. An alarm that is still raised ends with the run. Throws if the
 * answer depends on how FILL treats a metric without data.
 */
export const timesRaised = (alarm: Properties, run: Run): readonly RaisedTime[] => {
  const times = timesRaisedBy(alarm, run, 'filled');
  if (JSON.stringify(times) !== JSON.stringify(timesRaisedBy(alarm, run, 'left-empty')))
    throw new Error('The result depends on how FILL treats a metric without data');

  return times;
};

const timesRaisedBy = (alarm: Properties, { from, to, data }: Run, filling: Filling): readonly RaisedTime[] => {
  const { ComparisonOperator, Threshold, EvaluationPeriods, TreatMissingData } = alarm;
  const watched = Object.entries(watchedMetrics(alarm));
  const [periodSeconds, ...others] = new Set(watched.map(([, metric]) => metric.periodSeconds));
  if (periodSeconds === undefined || others.length > 0) throw new Error('An alarm needs metrics of one period');
  const compare = comparisons[ComparisonOperator];
  if (compare === undefined) throw new Error(`Unknown comparison: ${ComparisonOperator}`);

  const using = Object.fromEntries(watched.map(([id, metric]) => [id, seriesOf(metric, data)]));
  const { Expression, Id = '' } = alarmMetrics(alarm).find(({ ReturnData }) => ReturnData) ?? {};
  const series: Series | undefined = Expression === undefined ? using[Id] : expressionOf(Expression, using, filling);
  if (series === undefined) throw new Error('An alarm needs a metric to evaluate');

  const isBreaching = (period: number): boolean => {
    const value = series(period);
    return value === undefined ? TreatMissingData === 'breaching' : compare(value, Threshold);
  };
  const periodOf = (instant: number) => Math.floor(instant / (periodSeconds * 1_000));
  const first = periodOf(from);
  const last = periodOf(to);
  const breaching = Array.from({ length: last - first + 1 }, (_, index) => isBreaching(first + index));
  const raised = raisedPeriods(breaching, EvaluationPeriods);

  const endOf = (index: number) => (first + index + 1) * periodSeconds * 1_000;
  return raised.flatMap((isRaised, index) => {
    if (!isRaised || raised[index - 1]) return [];
    const end = raised.indexOf(false, index);
    const endIndex = end < 0 ? raised.length : end;
    return [{ from: endOf(index), to: endOf(endIndex) }];
  });
};

/** In which periods an alarm is raised: so many in a row have to breach its threshold. */
const raisedPeriods = (breaching: readonly boolean[], evaluationPeriods: number): readonly boolean[] =>
  breaching.map((_, index) => {
    const inARow = breaching.slice(Math.max(0, index + 1 - evaluationPeriods), index + 1);
    return inARow.length === evaluationPeriods && inARow.every(Boolean);
  });

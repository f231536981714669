import { compileFunction } from 'node:vm';
import { nameOf, type Properties } from '../support/template.ts';
import type { MetricDatum, Run } from './scenario.ts';

/** The value of a metric or an expression in a period; undefined if there is no data. */
export type Series = (period: number) => number | undefined;

/** A metric as an alarm or a graph names it, with readable names for references in its dimensions. */
export interface WatchedMetric {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
  readonly periodSeconds: number;
}

const statistics: Readonly<Record<string, (values: readonly number[]) => number | undefined>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
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
  if (statistic === undefined) throw new Error(`Unknown statistic: ${watched.statistic}`);
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
  const body = `return ${expression.replaceAll(' AND ', ' && ').replaceAll(' OR ', ' || ')}`;
  const evaluate = compileFunction(body, ['FILL', 'IF', ...Object.keys(using)]);
  const fill = (value: number | undefined, filler: number) => value ?? filler;
  const either = (condition: boolean, yes: number, no: number) => (condition ? yes : no);

  return (period) => {
    const values = Object.values(using).map((series) => series(period));
    if (filling === 'left-empty' && values.includes(undefined)) return undefined;
    return Number(evaluate(fill, either, ...values));
  };
};

const dimensionsOf = (dimensions: readonly { readonly Name: string; readonly Value: unknown }[] = []) =>
  Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, nameOf(Value)]));

/** Every metric of an alarm, by its id in the expression. The metric of an alarm without expression has the id ''. */
export const watchedMetrics = (alarm: Properties): Readonly<Record<string, WatchedMetric>> => {
  const { Statistic: Stat, Period, Metrics = [{ Id: '', MetricStat: { Metric: alarm, Stat, Period } }] } = alarm;
  return Object.fromEntries(
    Metrics.filter(({ MetricStat }: Properties) => MetricStat).map(({ Id, MetricStat }: Properties) => [
      Id,
      {
        namespace: MetricStat.Metric.Namespace,
        metric: MetricStat.Metric.MetricName,
        dimensions: dimensionsOf(MetricStat.Metric.Dimensions),
        statistic: MetricStat.Stat,
        periodSeconds: MetricStat.Period,
      },
    ]),
  );
};

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** How long an alarm is raised: from the end of the period that raises it to the end of the one that ends it (milliseconds). */
export interface Raised {
  readonly from: number;
  readonly to: number;
}

/**
 * Each time that CloudWatch would raise a synthesised alarm in a run, and how long, to the end of the run at the most. Throws if that
 * depends on how FILL treats a metric without data.
 */
export const timesRaised = (alarm: Properties, run: Run): readonly Raised[] => {
  const times = timesRaisedBy(alarm, run, 'filled');
  if (JSON.stringify(times) !== JSON.stringify(timesRaisedBy(alarm, run, 'left-empty')))
    throw new Error('The result depends on how FILL treats a metric without data');

  return times;
};

const timesRaisedBy = (alarm: Properties, { from, to, data }: Run, filling: Filling): readonly Raised[] => {
  const { Metrics = [], ComparisonOperator, Threshold, EvaluationPeriods, TreatMissingData } = alarm;
  const watched = Object.entries(watchedMetrics(alarm));
  const [periodSeconds, ...others] = new Set(watched.map(([, metric]) => metric.periodSeconds));
  const compare = comparisons[ComparisonOperator];
  if (periodSeconds === undefined || others.length > 0 || compare === undefined)
    throw new Error('An alarm needs one period and a known comparison');

  const using = Object.fromEntries(watched.map(([id, metric]) => [id, seriesOf(metric, data)]));
  const { Expression, Id = '' } = Metrics.find(({ ReturnData }: Properties) => ReturnData) ?? {};
  const series: Series | undefined = Expression === undefined ? using[Id] : expressionOf(Expression, using, filling);
  if (series === undefined) throw new Error('An alarm needs a metric to evaluate');

  const isBad = (period: number): boolean => {
    const value = series(period);
    return value === undefined ? TreatMissingData === 'breaching' : compare(value, Threshold);
  };
  const [first = 0, last = 0] = [from, to].map((instant) => Math.floor(instant / (periodSeconds * 1_000)));
  const bad = Array.from({ length: last - first + 1 }, (_, index) => isBad(first + index));
  const raised = bad.map((_, index) => {
    const inARow = bad.slice(Math.max(0, index + 1 - EvaluationPeriods), index + 1);
    return inARow.length === EvaluationPeriods && inARow.every(Boolean);
  });

  const endOf = (index: number) => (first + index + 1) * periodSeconds * 1_000;
  return raised.flatMap((is, index) => {
    if (!is || raised[index - 1]) return [];
    const ends = raised.indexOf(false, index);
    return [{ from: endOf(index), to: endOf(ends < 0 ? raised.length : ends) }];
  });
};

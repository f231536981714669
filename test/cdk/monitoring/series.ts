import { runInNewContext } from 'node:vm';
import { nameOf, type Properties } from '../resources.ts';
import type { Datum } from './datum.ts';

/** The value of a metric, or of an expression, in a period; undefined where there was no data. */
export type Series = (period: number) => number | undefined;

/** A metric as an alarm or a graph names it, with what a reference in a dimension names. */
export interface Watched {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
  readonly periodSeconds: number;
}

const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);

const statistics: Readonly<Record<string, (values: readonly number[]) => number | undefined>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Maximum: (values) => Math.max(...values),
  Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  p99: (values) => ascending(values)[Math.ceil(values.length * 0.99) - 1],
};

const isOf = ({ namespace, metric, dimensions }: Watched, datum: Datum): boolean =>
  datum.namespace === namespace &&
  datum.metric === metric &&
  JSON.stringify(Object.entries(datum.dimensions).toSorted()) === JSON.stringify(Object.entries(dimensions).toSorted());

/** How CloudWatch sees a metric: by its statistic in each period. */
export const seriesOf = (watched: Watched, data: readonly Datum[]): Series => {
  const periodMs = watched.periodSeconds * 1_000;
  const statistic = statistics[watched.statistic];
  if (statistic === undefined) throw new Error(`No such statistic here: ${watched.statistic}`);
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
 * What FILL makes of a metric without data: its filler, or nothing, as of whatever it is part of. CloudWatch promises
 * neither where there never was any.
 */
export type Filling = 'filled' | 'left-empty';

/** An expression of CloudWatch's metric math, as far as ours go: FILL, IF, AND, OR, sums and comparisons. */
export const expressionOf =
  (expression: string, using: Readonly<Record<string, Series>>, filling: Filling): Series =>
  (period) => {
    const values = Object.entries(using).map(([id, series]) => [id, series(period)] as const);
    if (filling === 'left-empty' && values.some(([, value]) => value === undefined)) return undefined;

    return Number(
      runInNewContext(expression.replaceAll(' AND ', ' && ').replaceAll(' OR ', ' || '), {
        ...Object.fromEntries(values),
        FILL: (value: number | undefined, filler: number) => value ?? filler,
        IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
      }),
    );
  };

const dimensionsOf = (dimensions: readonly { readonly Name: string; readonly Value: unknown }[] = []) =>
  Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, nameOf(Value)]));

/** Every metric that an alarm looks at, by the id that its expression uses; a plain alarm's has none. */
export const watchedBy = (alarm: Properties): Readonly<Record<string, Watched>> => {
  const { Namespace, MetricName, Dimensions, Statistic, ExtendedStatistic, Period, Metrics } = alarm;
  if (Metrics === undefined) {
    const statistic = Statistic ?? ExtendedStatistic;
    return {
      '': {
        namespace: Namespace,
        metric: MetricName,
        dimensions: dimensionsOf(Dimensions),
        statistic,
        periodSeconds: Period,
      },
    };
  }
  return Object.fromEntries(
    Metrics.filter(({ MetricStat }: Properties) => MetricStat).map(
      ({ Id, MetricStat: { Metric, Stat, Period } }: Properties) => [
        Id,
        {
          namespace: Metric.Namespace,
          metric: Metric.MetricName,
          dimensions: dimensionsOf(Metric.Dimensions),
          statistic: Stat,
          periodSeconds: Period,
        },
      ],
    ),
  );
};

import { nameOf, type Properties } from '../support/template.ts';

/** A metric as an alarm or a graph names it, with readable names for references in its dimensions. */
export interface WatchedMetric {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
  readonly periodSeconds: number;
}

interface MetricStat {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
  };
  readonly Stat: string;
  readonly Period: number;
}

/** A metric of an alarm, or an expression over such metrics. The alarm compares the one with `ReturnData`. */
interface AlarmMetric {
  readonly Id: string;
  readonly MetricStat?: MetricStat;
  readonly Expression?: string;
  readonly ReturnData?: boolean;
}

/** The metrics and expressions of an alarm. The metric of an alarm without expressions has the id ''. */
export const alarmMetrics = (alarm: Properties): readonly AlarmMetric[] => {
  const { Metrics, Statistic: Stat, Period, Namespace, MetricName, Dimensions } = alarm;
  if (Metrics !== undefined) return Metrics;
  return [{ Id: '', MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Stat, Period }, ReturnData: true }];
};

/** Every metric of an alarm, by its id in the expression. */
export const watchedMetrics = (alarm: Properties): Readonly<Record<string, WatchedMetric>> =>
  Object.fromEntries(
    alarmMetrics(alarm).flatMap(({ Id, MetricStat }) =>
      MetricStat === undefined ? [] : [[Id, watchedMetric(MetricStat)] as const],
    ),
  );

const watchedMetric = ({ Metric, Stat, Period }: MetricStat): WatchedMetric => ({
  namespace: Metric.Namespace,
  metric: Metric.MetricName,
  dimensions: Object.fromEntries((Metric.Dimensions ?? []).map(({ Name, Value }) => [Name, nameOf(Value)])),
  statistic: Stat,
  periodSeconds: Period,
});

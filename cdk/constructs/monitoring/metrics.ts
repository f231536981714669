import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { type LoggedMetric, type Metric as MetricName, metricNamespace } from '../../../lib/metrics.ts';
import type { Watched } from './watched.ts';

/** How long AWS's own metrics are looked at together. */
export const fiveMinutes = { period: Duration.minutes(5) };

const minutes = (count: number): Duration => Duration.minutes(count);

/** How a metric is looked at. */
export interface View {
  readonly statistic?: string;
  readonly minutes?: number;
  readonly label?: string;
}

/** A metric of ours: its sum in five minutes, unless it is looked at otherwise. */
export const own = ({ deployment }: Watched, name: MetricName | LoggedMetric, view: View = {}): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: name,
    dimensionsMap: { deployment },
    statistic: view.statistic ?? 'Sum',
    period: minutes(view.minutes ?? 5),
    label: view.label ?? name,
  });

/** Changes of a table's rows that Lambda set aside, as they had not been published when their time was up. */
export const setAsideEvents = ({ eventSourceMappingId }: EventSourceMapping, label = 'Events set aside'): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'OnFailureDestinationDeliveredEventCount',
    dimensionsMap: { EventSourceMappingUUID: eventSourceMappingId },
    statistic: 'Sum',
    ...fiveMinutes,
    label,
  });

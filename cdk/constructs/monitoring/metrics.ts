import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type Metric as MetricName, metricNamespace } from '../../../lib/metrics.ts';
import type { Watched } from './watched.ts';

const minutes = (count: number): Duration => Duration.minutes(count);

/** How a metric is looked at. */
export interface View {
  readonly statistic?: string;
  readonly minutes?: number;
  readonly label?: string;
}

/** A metric that the functions emit: its sum in five minutes, unless it is looked at otherwise. */
export const own = ({ deployment }: Watched, name: MetricName, view: View = {}): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: name,
    dimensionsMap: { deployment },
    statistic: view.statistic ?? 'Sum',
    period: minutes(view.minutes ?? 5),
    label: view.label ?? name,
  });

/** Changes of rows that Lambda set aside, as they had not been published when their time was up. */
export const setAsideEvents = ({ subscriptions }: Watched): MathExpression => {
  const using = Object.fromEntries(
    subscriptions.map(({ eventSourceMappingId }, index) => [
      `subscription${index}`,
      new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'OnFailureDestinationDeliveredEventCount',
        dimensionsMap: { EventSourceMappingUUID: eventSourceMappingId },
        statistic: 'Sum',
      }),
    ]),
  );
  const filled = Object.keys(using).map((id) => `FILL(${id}, 0)`);

  return new MathExpression({
    expression: filled.join(' + '),
    usingMetrics: using,
    label: 'Events set aside',
    period: minutes(5),
  });
};

/** 1 where posts came in and all of them were refused, else 0. */
export const allRefused = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(refused, 0) >= 5 AND FILL(stored, 0) + FILL(duplicates, 0) + FILL(parked, 0) < 1, 1, 0)',
    usingMetrics: {
      refused: own(watched, 'CallbacksRefused'),
      stored: own(watched, 'CallbackRecordsStored'),
      duplicates: own(watched, 'CallbackRecordsDuplicate'),
      parked: own(watched, 'CallbackRecordsParked'),
    },
    label: 'Every callback refused',
    period: minutes(15),
  });

/** 1 where polls were due and none brought an answer, else 0. After a refused key most are passed over, not failed. */
export const allPollsFailed = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(failed, 0) + FILL(passedOver, 0) >= 5 AND FILL(answered, 0) < 1, 1, 0)',
    usingMetrics: {
      failed: own(watched, 'PollsFailed'),
      passedOver: own(watched, 'PollsPassedOver'),
      answered: own(watched, 'PollsAnswered'),
    },
    label: 'Every poll failed',
    period: minutes(5),
  });

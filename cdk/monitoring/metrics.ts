import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { type LoggedMetric, type Metric as MetricName, metricNamespace } from '../../lib/telemetry/metrics.ts';
import type { CallbackApi } from '../constructs/callback-api.ts';
import type { ParkingQueue } from '../constructs/parking-queue.ts';
import type { PublishedTables } from '../constructs/publish-changes.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';

/** The parts of a deployment that are watched. */
export interface Watched {
  readonly deployment: string;
  readonly api: CallbackApi;
  readonly parking: ParkingQueue;
  readonly receiver: ServiceFunction;
  readonly recovery: ServiceFunction;
  readonly publisher: ServiceFunction;
  /** Of the publisher to the tables. */
  readonly subscriptions: PublishedTables<EventSourceMapping>;
  /** None where agents are not polled. */
  readonly poller: ServiceFunction | undefined;
}

/** How long AWS's own metrics are looked at together. */
export const fiveMinutes = { period: Duration.minutes(5) };

const minutes = (count: number): Duration => Duration.minutes(count);

/** How a metric is looked at. */
export interface MetricView {
  readonly statistic?: string;
  readonly minutes?: number;
  readonly label?: string;
}

/** A metric of ours: its sum in five minutes, unless it is looked at otherwise. */
export const callfeedMetric = (
  { deployment }: Watched,
  name: MetricName | LoggedMetric,
  view: MetricView = {},
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: name,
    dimensionsMap: { deployment },
    statistic: view.statistic ?? 'Sum',
    period: minutes(view.minutes ?? 5),
    label: view.label ?? name,
  });

/** Changes of a table's rows that Lambda set aside, as they had not been published when their time was up. */
export const failedChanges = ({ eventSourceMappingId }: EventSourceMapping, label = 'Events set aside'): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'OnFailureDestinationDeliveredEventCount',
    dimensionsMap: { EventSourceMappingUUID: eventSourceMappingId },
    statistic: 'Sum',
    ...fiveMinutes,
    label,
  });

// FILL is for what has had values before and has none in a period. What makes a condition true has its counterparts
// emitted with it, as zeros: nothing here stands on how CloudWatch fills in a metric of which it knows no value.

/**
 * 1 where posts came in and none of them was taken, else 0. Of what the service posts beside calls it takes more, as that
 * comes in quiet hours as well.
 */
export const everyCallbackRejected = (watched: Watched): MathExpression =>
  new MathExpression({
    expression:
      'IF((FILL(refused, 0) >= 3 OR FILL(ofOtherKinds, 0) >= 30) AND ' +
      'FILL(stored, 0) + FILL(duplicates, 0) + FILL(parked, 0) < 1, 1, 0)',
    usingMetrics: {
      refused: callfeedMetric(watched, 'CallbacksRejected'),
      ofOtherKinds: callfeedMetric(watched, 'CallbacksUnrecognised'),
      stored: callfeedMetric(watched, 'CallbackRecordsStored'),
      duplicates: callfeedMetric(watched, 'CallbackRecordsDuplicate'),
      parked: callfeedMetric(watched, 'CallbackRecordsParked'),
    },
    label: 'Every callback refused',
    period: Duration.minutes(60),
  });

/** 1 where rows were written and no event followed, else 0. A few may be deliveries that change nothing. */
export const nothingPublished = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(written, 0) >= 5 AND FILL(published, 0) < 1, 1, 0)',
    usingMetrics: {
      written: callfeedMetric(watched, 'ChangesWritten'),
      published: callfeedMetric(watched, 'EventsPublished'),
    },
    label: 'Nothing published',
    period: Duration.minutes(15),
  });

/** 1 where polls were due and none brought an answer, else 0. After a refused key most are passed over, not failed. */
export const everyPollFailed = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(failed, 0) + FILL(passedOver, 0) >= 5 AND FILL(answered, 0) < 1, 1, 0)',
    usingMetrics: {
      failed: callfeedMetric(watched, 'PollsFailed'),
      passedOver: callfeedMetric(watched, 'PollsSkipped'),
      answered: callfeedMetric(watched, 'PollsSucceeded'),
    },
    label: 'Every poll failed',
    period: Duration.minutes(5),
  });

import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { type LoggedMetric, type Metric as MetricName, metricNamespace } from '../../lib/telemetry/metrics.ts';
import type { Analytics } from '../constructs/analytics.ts';
import type { ArchiveRecordings } from '../constructs/archive-recordings.ts';
import type { CallbackApi } from '../constructs/callback-api.ts';
import type { ParkingQueue } from '../constructs/callback-functions.ts';
import type { ForwardDeliveries } from '../constructs/forward-deliveries.ts';
import type { PublishedTables } from '../constructs/publish-changes.ts';
import type { ReconcileCalls, ReconciliationFrequency } from '../constructs/reconcile-calls.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';

/** The parts of a deployment that are monitored. */
export interface Watched {
  readonly deployment: string;
  readonly api: CallbackApi;
  readonly parking: ParkingQueue;
  readonly receiver: ServiceFunction;
  readonly recovery: ServiceFunction;
  readonly publisher: ServiceFunction;
  /** The event source mappings of the publisher, by table. */
  readonly subscriptions: PublishedTables<EventSourceMapping>;
  /** Undefined if agents are not polled. */
  readonly poller: ServiceFunction | undefined;
  /** Undefined unless calls are reconciled with the service's report. */
  readonly reconciler: ReconcileCalls | undefined;
  /** Undefined unless deliveries are forwarded to other receivers. */
  readonly forwarder: ForwardDeliveries | undefined;
  /** Undefined unless recordings are archived. */
  readonly archiver: ArchiveRecordings | undefined;
  /** Undefined unless calls and agents are also written to S3. */
  readonly analytics: Analytics | undefined;
  /** Undefined if the bus is not encrypted with a key of the customer's, or not made here. */
  readonly busDeadLetters: IQueue | undefined;
}

/** The period of AWS's own metrics. */
export const fiveMinutes = { period: Duration.minutes(5) };

/** How a metric is aggregated and labelled. */
export interface MetricView {
  readonly statistic?: string;
  readonly minutes?: number;
  readonly label?: string;
}

/** A metric of Callfeed, by default its sum over five minutes. */
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
    period: Duration.minutes(view.minutes ?? 5),
    label: view.label ?? name,
  });

/** Changes that Lambda wrote to the failed-changes bucket because they were not published in time. */
export const failedChanges = ({ eventSourceMappingId }: EventSourceMapping, label = 'Failed changes'): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'OnFailureDestinationDeliveredEventCount',
    dimensionsMap: { EventSourceMappingUUID: eventSourceMappingId },
    statistic: 'Sum',
    ...fiveMinutes,
    label,
  });

/** How many messages wait in a queue, such as dead letters. */
export const waitingIn = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ ...fiveMinutes, statistic: 'Maximum' });

// FILL replaces missing values in a period. AWS does not document what it does for a metric that never had a value. The
// functions therefore emit all metrics of a comparison together, zeros included, and no result depends on FILL alone.

/**
 * 1 if posts arrived in the hour and none was accepted, else 0. Unrecognised posts, such as screen pops, need a higher count,
 * because the telephony service sends them in hours without calls too.
 */
export const everyCallbackRejected = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF((FILL(rejected, 0) >= 3 OR FILL(unrecognised, 0) >= 30) AND ' + 'FILL(accepted, 0) < 1, 1, 0)',
    usingMetrics: {
      rejected: callfeedMetric(watched, 'CallbacksRejected'),
      unrecognised: callfeedMetric(watched, 'CallbacksUnrecognised'),
      accepted: callfeedMetric(watched, 'CallbackRecordsAccepted'),
    },
    label: 'Every callback rejected',
    period: Duration.minutes(60),
  });

/**
 * 1 if in the hour every callback was rejected, an account's posts were, a known sender's key was unknown, or records could
 * not be read; else 0. One alarm for four reasons to look at the senders. Every post has one value of the accepted
 * records, so their number is that of the posts.
 */
export const callsNotRecorded = (watched: Watched): MathExpression =>
  new MathExpression({
    expression:
      'IF((FILL(accepted, 0) < 1 AND (FILL(posts, 0) - FILL(unrecognised, 0) >= 3 OR FILL(unrecognised, 0) >= 30)) ' +
      'OR FILL(ofAccount, 0) >= 3 OR FILL(unknownKey, 0) >= 1 OR FILL(quarantined, 0) >= 10, 1, 0)',
    usingMetrics: {
      accepted: callfeedMetric(watched, 'CallbackRecordsAccepted'),
      posts: callfeedMetric(watched, 'CallbackRecordsAccepted', { statistic: 'SampleCount', label: 'Posts' }),
      unrecognised: callfeedMetric(watched, 'CallbacksUnrecognised'),
      ofAccount: callfeedMetric(watched, 'AccountRejected'),
      unknownKey: callfeedMetric(watched, 'CallbacksWithUnknownKey'),
      quarantined: callfeedMetric(watched, 'CallbackRecordsQuarantined'),
    },
    label: 'Calls not recorded',
    period: Duration.minutes(60),
  });

/** 1 if rows were written and no event followed, else 0. Up to four writes may be deliveries that change nothing. */
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

/**
 * 1 if no event was published although rows were written, or if a row could not be read; else 0. Every run that writes rows,
 * and every run of the publisher, emits one value of the published events, even if it is zero. Fewer than ten runs may have
 * written only what makes no event.
 */
export const eventsMissing = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF((FILL(runs, 0) >= 10 AND FILL(published, 0) < 1) OR FILL(skipped, 0) >= 1, 1, 0)',
    usingMetrics: {
      published: callfeedMetric(watched, 'EventsPublished'),
      runs: callfeedMetric(watched, 'EventsPublished', {
        statistic: 'SampleCount',
        label: 'Runs that write or publish',
      }),
      skipped: callfeedMetric(watched, 'RowsSkipped'),
    },
    label: 'Events missing',
    period: Duration.minutes(30),
  });

/** 1 if polls were due and none succeeded, else 0. After a rejected key most polls are skipped rather than failed. */
export const everyPollFailed = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(failed, 0) + FILL(skipped, 0) >= 5 AND FILL(succeeded, 0) < 1, 1, 0)',
    usingMetrics: {
      failed: callfeedMetric(watched, 'PollsFailed'),
      skipped: callfeedMetric(watched, 'PollsSkipped'),
      succeeded: callfeedMetric(watched, 'PollsSucceeded'),
    },
    label: 'Every poll failed',
    period: Duration.minutes(5),
  });

/** The time over which reconciliation is judged: it reads the report several times, or once. */
export const reconciliationPeriods: Readonly<Record<ReconciliationFrequency, Duration>> = {
  hourly: Duration.hours(3),
  daily: Duration.days(1),
};

/** 1 if no callback came for at least five new calls in the report, and for more than a fifth of them; else 0. */
export const callbacksMissing = (watched: Watched, frequency: ReconciliationFrequency): MathExpression =>
  new MathExpression({
    expression: 'IF(found >= 5 AND found * 5 > reported, 1, 0)',
    usingMetrics: {
      found: callfeedMetric(watched, 'ReportCallsFound'),
      reported: callfeedMetric(watched, 'ReportCallsNew'),
    },
    label: 'Callbacks missing',
    period: reconciliationPeriods[frequency],
  });

/**
 * How often recordings were asked for in vain in an hour in which none was archived, else 0. Both metrics are emitted together.
 */
export const nothingArchived = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(archived, 0) < 1, FILL(failed, 0), 0)',
    usingMetrics: {
      failed: callfeedMetric(watched, 'RecordingsFailed'),
      archived: callfeedMetric(watched, 'RecordingsArchived'),
    },
    label: 'Nothing archived',
    period: Duration.minutes(60),
  });

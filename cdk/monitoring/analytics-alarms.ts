import { Duration } from 'aws-cdk-lib';
import type { MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Analytics } from '../constructs/analytics.ts';
import type { AlarmSpec } from './alarm.ts';
import { callfeedMetric, fiveMinutes, type Watched, waitingIn } from './metrics.ts';

/** Firehose writes every quarter of an hour. Four of them without success are no delay but a fault. */
const lateAfter = Duration.hours(1);

/** Alarms for rows that do not reach S3. Tables and events are not concerned, and a replay brings the rows again. */
export const analyticsAlarms = (watched: Watched, { service, streams, undelivered }: Analytics) => ({
  AnalyticsEventsUnreadable: {
    impact: 'Rows could not be made of some events, so questions about calls and agents leave them out.',
    runbook: 'analytics-rows-missing',
    metric: callfeedMetric(watched, 'AnalyticsEventsUnreadable'),
    threshold: 1,
  },
  AnalyticsCrashes: {
    impact: 'The function that makes rows of events crashes or times out. Questions leave out what it was given.',
    runbook: 'analytics-rows-missing',
    metric: service.function.metricErrors(fiveMinutes),
    threshold: 1,
  },
  AnalyticsThrottled: {
    impact:
      'Lambda did not run the function that makes rows. After three retries Firehose gives a batch up, and questions leave it out.',
    runbook: 'analytics-rows-missing',
    metric: service.function.metricThrottles(fiveMinutes),
    threshold: 1,
  },
  AnalyticsUndelivered: {
    impact: 'EventBridge could not send events to Firehose for a day. Questions leave them out.',
    runbook: 'analytics-rows-missing',
    metric: waitingIn(undelivered),
    threshold: 1,
  },
  ...Object.fromEntries(
    streams.flatMap(({ name, stream }) => {
      const of = (metric: string, options: MetricOptions) => stream.metric(metric, { ...fiveMinutes, ...options });
      return Object.entries({
        [`Analytics${name}NotMade`]: {
          impact:
            'Firehose may not run the function that makes rows, or it always fails. Questions leave out what comes meanwhile.',
          runbook: 'analytics-rows-missing',
          metric: of('ExecuteProcessing.Success', { statistic: 'Maximum' }),
          threshold: 1,
          below: true,
        },
        [`Analytics${name}Unconverted`]: {
          impact: 'Rows could not be converted to Parquet, so questions about calls and agents leave them out.',
          runbook: 'analytics-rows-missing',
          metric: of('FailedConversion.Records', { statistic: 'Sum' }),
          threshold: 1,
        },
        [`Analytics${name}OfTooManyDays`]: {
          impact:
            'Rows of too many days came at the same time, as of a replay over years. Questions leave out those of some days.',
          runbook: 'analytics-of-too-many-days',
          metric: of('PartitionCountExceeded', { statistic: 'Maximum' }),
          threshold: 1,
        },
        [`Analytics${name}Late`]: {
          impact:
            'For an hour no row could be written to S3. Questions are answered without the latest calls and agents.',
          runbook: 'analytics-late',
          metric: of('DeliveryToS3.DataFreshness', { statistic: 'Maximum' }),
          threshold: lateAfter.toSeconds(),
        },
      } satisfies Readonly<Record<string, AlarmSpec>>);
    }),
  ),
});

import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AlarmSpec } from './alarm.ts';
import { fiveMinutes, own } from './metrics.ts';
import type { Watched } from './watched.ts';

/**
 * Messages of a queue that nobody is done with, those among them that are being tried. Their age would not do: SQS leaves
 * out of it what was received three times, which during an outage is what has waited longest.
 */
const waitingIn = (queue: IQueue): MathExpression =>
  new MathExpression({
    expression: 'visible + tried',
    usingMetrics: {
      visible: queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
      tried: queue.metricApproximateNumberOfMessagesNotVisible({ statistic: 'Maximum' }),
    },
    label: 'Parked and not yet recovered',
    ...fiveMinutes,
  });

/** What can go wrong between what the receiver took and its row in a table. */
export const parkingAlarms = (watched: Watched) =>
  ({
    CallbacksParked: {
      impact:
        'The tables take writes slowly or not at all: calls wait in the parking queue, and their events are late.',
      runbook: 'callbacks-parked',
      metric: own(watched, 'CallbackRecordsParked'),
      threshold: 5,
    },
    ParkedWaitLong: {
      impact: 'Calls have waited in the parking queue for half an hour: readers and subscribers do not know of them.',
      runbook: 'parked-wait-long',
      metric: waitingIn(watched.parking.queue),
      threshold: 1,
      periods: 6,
    },
    ParkedSetAside: {
      impact: 'Calls could not be stored for a day, and are set aside: they are deleted 14 days after they came.',
      runbook: 'parked-set-aside',
      metric: watched.parking.deadLetters.metricApproximateNumberOfMessagesVisible({
        ...fiveMinutes,
        statistic: 'Maximum',
      }),
      threshold: 1,
    },
    RecoveryCrashes: {
      impact: 'The recovery of parked calls ends in crashes or timeouts: they stay where they are, and are late.',
      runbook: 'recovery-crashes',
      metric: watched.recovery.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

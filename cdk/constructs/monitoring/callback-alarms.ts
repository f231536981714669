import { Duration } from 'aws-cdk-lib';
import type { AlarmSpec } from './alarm.ts';
import { allRefused, own } from './metrics.ts';
import type { Watched } from './watched.ts';

const fiveMinutes = { period: Duration.minutes(5) };

/** What can go wrong between a post of the service and a row in a table. */
export const callbackAlarms = (watched: Watched) =>
  ({
    CallbacksFail: {
      impact: 'The telephony service is answered with errors: calls are lost unless it posts them again.',
      runbook: 'callbacks-fail',
      metric: watched.api.api.metricServerError({ ...fiveMinutes, statistic: 'Sum' }),
      threshold: 1,
    },
    ReceiverCrashes: {
      impact:
        'Single callbacks end in a crash or a timeout of the receiver: they are lost unless they are posted again.',
      runbook: 'receiver-crashes',
      metric: watched.receiver.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
    RepliesSlow: {
      impact:
        'One in a hundred callbacks waits for three seconds and more: the service may give up, and post it again.',
      runbook: 'replies-slow',
      metric: watched.api.api.metricLatency({ ...fiveMinutes, statistic: 'p99' }),
      threshold: 3_000,
      periods: 3,
    },
    AccountsUnreadable: {
      impact:
        'Without its accounts Callfeed believes nobody: every callback is answered with 503, and no agent is polled.',
      runbook: 'accounts-unreadable',
      metric: own(watched, 'AccountsUnreadable'),
      threshold: 1,
    },
    EveryCallbackRefused: {
      impact: 'The telephony service posts, and every post is refused: calls are not recorded.',
      runbook: 'every-callback-refused',
      metric: allRefused(watched),
      threshold: 1,
    },
    QuarantineGrows: {
      impact: 'Callbacks arrive that are not understood: calls may be missing from tables and events.',
      runbook: 'quarantine-grows',
      metric: own(watched, 'CallbackRecordsQuarantined', { minutes: 15 }),
      threshold: 10,
    },
    QuarantineDropsPosts: {
      impact: 'Strangers post more than is kept of them: a call with a misspelt key could be among what is dropped.',
      runbook: 'quarantine-drops-posts',
      metric: own(watched, 'QuarantineDropped'),
      threshold: 1,
    },
    CallbacksParked: {
      impact: 'The tables take no writes: calls wait in the parking queue, and their events are late.',
      runbook: 'callbacks-parked',
      metric: own(watched, 'CallbackRecordsParked'),
      threshold: 1,
    },
    ParkedWaitLong: {
      impact: 'Calls have waited in the parking queue for half an hour: readers and subscribers do not know of them.',
      runbook: 'parked-wait-long',
      metric: watched.parking.queue.metricApproximateAgeOfOldestMessage({ ...fiveMinutes, statistic: 'Maximum' }),
      threshold: 30 * 60,
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

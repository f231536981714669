import type { AlarmSpec } from './alarm.ts';
import { fiveMinutes, own } from './metrics.ts';
import type { Watched } from './watched.ts';

/** What can go wrong between a post of the service and its answer. */
export const callbackAlarms = (watched: Watched) =>
  ({
    CallbacksFail: {
      impact: 'The telephony service is answered with errors: calls are lost unless it posts them again.',
      runbook: 'callbacks-fail',
      metric: watched.api.api.metricServerError({ ...fiveMinutes, statistic: 'Sum' }),
      threshold: 1,
    },
    CallbacksThrottled: {
      impact: 'More requests come than are let through: calls may be among those that are refused, and are lost.',
      runbook: 'callbacks-throttled',
      metric: own(watched, 'CallbacksThrottled'),
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
  }) satisfies Readonly<Record<string, AlarmSpec>>;

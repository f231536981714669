import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { ServiceFunction } from '../constructs/service-function.ts';
import type { AlarmSpec } from './alarm.ts';
import {
  callfeedMetric,
  everyCallbackRejected,
  everyPollFailed,
  failedChanges,
  fiveMinutes,
  nothingPublished,
  type Watched,
} from './metrics.ts';

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
      metric: callfeedMetric(watched, 'CallbacksThrottled'),
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

/** What can go wrong with whom Callfeed believes, and with what it understands. */
export const senderAlarms = (watched: Watched) =>
  ({
    AccountsUnreadable: {
      impact:
        'Without its accounts Callfeed believes nobody: callbacks are answered with 503, and agents are not polled.',
      runbook: 'accounts-unreadable',
      metric: callfeedMetric(watched, 'AccountsUnreadable'),
      threshold: 1,
    },
    AccountsStale: {
      impact:
        'The accounts cannot be read again: Callfeed goes on with the last ones, and a key changed since is not known.',
      runbook: 'accounts-stale',
      metric: callfeedMetric(watched, 'AccountsStale', { minutes: 30 }),
      threshold: 3,
    },
    AccountRejected: {
      impact: 'Posts in the name of an account are refused: its calls are not recorded, though those of others may be.',
      runbook: 'account-rejected',
      metric: callfeedMetric(watched, 'AccountRejected', { minutes: 60 }),
      threshold: 3,
    },
    EveryCallbackRejected: {
      impact: 'The telephony service posts, and every post is refused: calls are not recorded.',
      runbook: 'every-callback-rejected',
      metric: everyCallbackRejected(watched),
      threshold: 1,
    },
    QuarantineGrows: {
      impact: 'Callbacks arrive that are not understood: calls may be missing from tables and events.',
      runbook: 'quarantine-grows',
      metric: callfeedMetric(watched, 'CallbackRecordsQuarantined', { minutes: 15 }),
      threshold: 10,
    },
    QuarantineDropsPosts: {
      impact: 'Strangers post more than is kept of them: a call with a misspelt key could be among what is dropped.',
      runbook: 'quarantine-drops-posts',
      metric: callfeedMetric(watched, 'QuarantineDropped'),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/**
 * Messages of a queue that nobody is done with, those among them that are being tried. Their age would not do: SQS leaves
 * out of it what was received three times, which during an outage is what has waited longest.
 */
const unfinishedMessages = (queue: IQueue): MathExpression =>
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
      metric: callfeedMetric(watched, 'CallbackRecordsParked'),
      threshold: 5,
    },
    ParkedOverdue: {
      impact: 'Calls have waited in the parking queue for half an hour: readers and subscribers do not know of them.',
      runbook: 'parked-overdue',
      metric: unfinishedMessages(watched.parking.queue),
      threshold: 1,
      periods: 6,
    },
    ParkedDeadLettered: {
      impact: 'Calls could not be stored for a day, and are set aside: they are deleted 14 days after they came.',
      runbook: 'parked-dead-lettered',
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

/** What was set aside stays where it is: an alarm that is over after minutes would be taken for mended. */
const aDay = { period: Duration.days(1) };

/** What can go wrong between a row and its event. */
export const publishingAlarms = (watched: Watched) =>
  ({
    EventsLate: {
      impact: 'Subscribers hear of calls and agents five minutes late, or not at all; the tables are right.',
      runbook: 'events-late',
      metric: watched.publisher.function.metric('IteratorAge', { ...fiveMinutes, statistic: 'Maximum' }),
      threshold: Duration.minutes(5).toMilliseconds(),
    },
    PublisherSilent: {
      impact:
        'Rows are written and no event follows: subscribers hear of nothing, and after a day the changes may be lost.',
      runbook: 'publisher-silent',
      metric: nothingPublished(watched),
      threshold: 1,
      periods: 2,
    },
    CallEventsFailed: {
      impact: 'Events of calls were not published for a day, and are set aside: subscribers have missed them.',
      runbook: 'events-failed',
      metric: failedChanges(watched.subscriptions.Calls).with(aDay),
      threshold: 1,
    },
    AgentEventsFailed: {
      impact: 'Events of agents were not published for a day, and are set aside: subscribers have missed them.',
      runbook: 'events-failed',
      metric: failedChanges(watched.subscriptions.Agents).with(aDay),
      threshold: 1,
    },
    EventsLost: {
      impact:
        'Events were neither published nor set aside: subscribers have missed them for good; the tables are right.',
      runbook: 'events-lost',
      metric: watched.publisher.function.metric('DestinationDeliveryFailures', { ...fiveMinutes, statistic: 'Sum' }),
      threshold: 1,
    },
    RowsSkipped: {
      impact: 'Rows were written that Callfeed cannot read: there is no event of them.',
      runbook: 'rows-skipped',
      metric: callfeedMetric(watched, 'RowsSkipped'),
      threshold: 1,
    },
    PublisherCrashes: {
      impact: 'The publisher ends in crashes or timeouts: the events behind are late.',
      runbook: 'publisher-crashes',
      metric: watched.publisher.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** What can go wrong between the service's list of agents and their rows. */
export const agentAlarms = (watched: Watched, poller: ServiceFunction) =>
  ({
    AgentsStale: {
      impact: 'What readers see of some account’s agents is older than a minute.',
      runbook: 'agents-stale',
      metric: callfeedMetric(watched, 'FeedAgeSeconds', { statistic: 'Maximum', minutes: 1 }),
      threshold: 60,
      periods: 2,
    },
    EveryPollFails: {
      impact: 'No poll of any account succeeds: what readers see of agents grows old, or there is nothing to see.',
      runbook: 'every-poll-fails',
      metric: everyPollFailed(watched),
      threshold: 1,
    },
    PollerSilent: {
      impact: 'Agents are not polled: what readers see of them grows old, and nobody says so.',
      runbook: 'poller-silent',
      metric: callfeedMetric(watched, 'TicksHandled'),
      threshold: 1,
      periods: 2,
      below: true,
      missingIsBad: true,
    },
    RateLimitExceeded: {
      impact: 'The telephony service refuses polls as too many: it may lock the account, and agents grow old.',
      runbook: 'rate-limit-exceeded',
      metric: callfeedMetric(watched, 'PollsRateLimited'),
      threshold: 1,
    },
    AgentsUnreadable: {
      impact: 'Some agents of the service’s list cannot be read: their rows are missing or old.',
      runbook: 'agents-unreadable',
      metric: callfeedMetric(watched, 'AgentRecordsUnreadable'),
      threshold: 1,
      periods: 3,
    },
    PollerCrashes: {
      impact: 'Polls end in crashes or timeouts: what readers see of agents grows old.',
      runbook: 'poller-crashes',
      metric: poller.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { silenceGraceSeconds } from '../../lib/agents/silence.ts';
import { agentStateMetric } from '../../lib/telemetry/metrics.ts';
import type { ArchiveRecordings } from '../constructs/archive-recordings.ts';
import type { ForwardDeliveries } from '../constructs/forward-deliveries.ts';
import type { ReconcileCalls } from '../constructs/reconcile-calls.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import type { AlarmSpec } from './alarm.ts';
import { analyticsAlarms } from './analytics-alarms.ts';
import {
  callbacksMissing,
  callfeedMetric,
  everyCallbackRejected,
  everyPollFailed,
  failedChanges,
  fiveMinutes,
  nothingArchived,
  nothingPublished,
  reconciliationPeriods,
  type Watched,
  waitingIn,
} from './metrics.ts';

/** For what stays until somebody acts: an alarm that ends after minutes would look as if somebody had. */
const aDay = { period: Duration.days(1) };

/** Alarms for what can go wrong between a post and its reply. */
export const callbackAlarms = (watched: Watched) =>
  ({
    CallbacksFail: {
      impact:
        'The API answered the telephony service with a 5xx status. The calls are lost unless it posts them again.',
      runbook: 'callbacks-fail',
      metric: watched.api.api.metricServerError({ ...fiveMinutes, statistic: 'Sum' }),
      threshold: 1,
    },
    CallbacksThrottled: {
      impact:
        'API Gateway throttled requests because too many arrived. Calls among them are lost unless they are posted again.',
      runbook: 'callbacks-throttled',
      metric: callfeedMetric(watched, 'CallbacksThrottled'),
      threshold: 1,
    },
    ReceiverCrashes: {
      impact: 'The receiver crashed or timed out on some callbacks. Their calls are lost unless they are posted again.',
      runbook: 'receiver-crashes',
      metric: watched.receiver.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
    ReceiverThrottled: {
      impact:
        'Lambda did not run the receiver, as too many runs were under way. Their calls are lost unless they are posted again.',
      runbook: 'receiver-throttled',
      metric: watched.receiver.function.metricThrottles(fiveMinutes),
      threshold: 1,
    },
    RepliesSlow: {
      impact:
        'One reply in a hundred takes three seconds or longer. The telephony service may time out and post again.',
      runbook: 'replies-slow',
      metric: watched.api.api.metricLatency({ ...fiveMinutes, statistic: 'p99' }),
      threshold: 3_000,
      periods: 3,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** Alarms for senders that cannot be authenticated, and for callbacks that cannot be read or have unknown words. */
export const senderAlarms = (watched: Watched) =>
  ({
    AccountsUnreadable: {
      impact: 'Callfeed cannot read its accounts. Callbacks are answered with 503, and agents are not polled.',
      runbook: 'accounts-unreadable',
      metric: callfeedMetric(watched, 'AccountsUnreadable'),
      threshold: 1,
    },
    AccountsStale: {
      impact:
        'Callfeed cannot reload its accounts and goes on with its last copy. It does not see keys that were changed since.',
      runbook: 'accounts-stale',
      metric: callfeedMetric(watched, 'AccountsStale', { minutes: 30 }),
      threshold: 3,
    },
    AccountRejected: {
      impact: 'Posts that name an account are not accepted. The calls of this account are not recorded.',
      runbook: 'account-rejected',
      metric: callfeedMetric(watched, 'AccountRejected', { minutes: 60 }),
      threshold: 3,
    },
    UnknownKeysQuarantined: {
      impact:
        'A sender that is known posts with a key that the accounts’ secret lacks. Its calls wait in Quarantine; none is recorded.',
      runbook: 'unknown-keys-quarantined',
      metric: callfeedMetric(watched, 'CallbacksWithUnknownKey'),
      threshold: 1,
    },
    EveryCallbackRejected: {
      impact: 'The telephony service posts callbacks, and none is understood. No call is recorded.',
      runbook: 'every-callback-rejected',
      metric: everyCallbackRejected(watched),
      threshold: 1,
    },
    QuarantineGrows: {
      impact: 'Callfeed cannot read some of the callbacks. Calls may be missing from the tables and the events.',
      runbook: 'quarantine-grows',
      metric: callfeedMetric(watched, 'CallbackRecordsQuarantined', { minutes: 15 }),
      threshold: 10,
    },
    UnknownWords: {
      impact:
        'Calls have words that Callfeed does not know. Rules and reports that select calls by these words leave them out.',
      runbook: 'unknown-words',
      // One or two may be a trial. Over a day, because nothing is lost and the calls are corrected afterwards.
      metric: callfeedMetric(watched, 'RecordsWithUnknownWords').with(aDay),
      threshold: 3,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/**
 * The messages in a queue, those in flight included. The metric for the age of the oldest message is no use: SQS excludes
 * messages that were received three times, and in an outage those have waited longest.
 */
const unfinishedMessages = (queue: IQueue): MathExpression =>
  new MathExpression({
    expression: 'visible + inFlight',
    usingMetrics: {
      visible: queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
      inFlight: queue.metricApproximateNumberOfMessagesNotVisible({ statistic: 'Maximum' }),
    },
    label: 'Calls in the parking queue',
    ...fiveMinutes,
  });

/** Alarms for what can go wrong between an accepted callback and its row. */
export const parkingAlarms = (watched: Watched) =>
  ({
    CallbacksParked: {
      impact:
        'The tables accept writes slowly or not at all. Calls wait in the parking queue, and their events are late.',
      runbook: 'callbacks-parked',
      metric: callfeedMetric(watched, 'CallbackRecordsParked'),
      threshold: 5,
    },
    ParkedOverdue: {
      impact: 'Calls have waited in the parking queue for half an hour. Readers and subscribers do not see them yet.',
      runbook: 'parked-overdue',
      metric: unfinishedMessages(watched.parking.queue),
      threshold: 1,
      periods: 6,
    },
    ParkedDeadLettered: {
      impact:
        'Calls could not be stored for a day and are dead letters now. SQS deletes them 14 days after they arrived.',
      runbook: 'parked-dead-lettered',
      metric: waitingIn(watched.parking.deadLetters),
      threshold: 1,
    },
    RecoveryCrashes: {
      impact: 'The function that recovers parked calls crashes or times out. The calls stay in the queue and are late.',
      runbook: 'recovery-crashes',
      metric: watched.recovery.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** Alarms for what can go wrong between a row and its event. */
export const publishingAlarms = (watched: Watched) =>
  ({
    EventsLate: {
      impact: 'Subscribers get events at least five minutes late, or not at all. The tables are correct.',
      runbook: 'events-late',
      metric: watched.publisher.function.metric('IteratorAge', { ...fiveMinutes, statistic: 'Maximum' }),
      threshold: Duration.minutes(5).toMilliseconds(),
    },
    PublisherSilent: {
      impact:
        'Rows are written, but no event follows. Subscribers get nothing, and after a day the changes may be lost.',
      runbook: 'publisher-silent',
      metric: nothingPublished(watched),
      threshold: 1,
      periods: 2,
    },
    CallEventsFailed: {
      impact:
        'Changes of calls could not be published for a day. Subscribers miss them; the failed-changes bucket holds them.',
      runbook: 'events-failed',
      metric: failedChanges(watched.subscriptions.Calls).with(aDay),
      threshold: 1,
    },
    AgentEventsFailed: {
      impact:
        'Changes of agents could not be published for a day. Subscribers miss them; the failed-changes bucket holds them.',
      runbook: 'events-failed',
      metric: failedChanges(watched.subscriptions.Agents).with(aDay),
      threshold: 1,
    },
    EventsLost: {
      impact:
        'Changes were neither published nor written to the failed-changes bucket. Subscribers miss them; the tables are correct.',
      runbook: 'events-lost',
      metric: watched.publisher.function.metric('DestinationDeliveryFailures', { ...fiveMinutes, statistic: 'Sum' }),
      threshold: 1,
    },
    RowsSkipped: {
      impact: 'The tables have rows that Callfeed cannot read. No event is published for them.',
      runbook: 'rows-skipped',
      metric: callfeedMetric(watched, 'RowsSkipped'),
      threshold: 1,
    },
    PublisherCrashes: {
      impact: 'The publisher crashes or times out. The events behind the failed batch are late.',
      runbook: 'publisher-crashes',
      metric: watched.publisher.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** The alarm for a bus whose key fails. EventBridge reports it only there: it has accepted the events before. */
const busAlarms = (deadLetters: IQueue) =>
  ({
    BusDeadLettered: {
      impact:
        'The event bus cannot use your key. Subscribers miss the events that are in its dead-letter queue; the tables are correct.',
      runbook: 'bus-dead-lettered',
      metric: waitingIn(deadLetters),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** The alarm for agents that are more than a minute old. How many minutes it waits depends on the other alarms. */
export const oldAgents = (watched: Watched) => ({
  impact: 'For at least one account, the agents that readers see are more than a minute old.',
  runbook: 'agents-stale',
  metric: callfeedMetric(watched, 'FeedAgeSeconds', { statistic: 'Maximum', minutes: 1 }),
  threshold: 60,
});

/** Alarms for what can go wrong between the telephony service's list of agents and their rows. */
export const agentAlarms = (watched: Watched, poller: ServiceFunction) =>
  ({
    AgentsStale: { ...oldAgents(watched), periods: 2 },
    EveryPollFails: {
      impact: 'No poll of any account succeeds. The agents that readers see are stale or missing.',
      runbook: 'every-poll-fails',
      metric: everyPollFailed(watched),
      threshold: 1,
    },
    PollerSilent: {
      impact: 'Agents are not polled. The agents that readers see grow stale, and no event reports it.',
      runbook: 'poller-silent',
      metric: callfeedMetric(watched, 'TicksHandled'),
      threshold: 1,
      periods: 2,
      below: true,
      raisedWithoutData: true,
    },
    RateLimitExceeded: {
      impact:
        'The telephony service rejects polls again and again because there are too many. Agents are stale meanwhile.',
      runbook: 'rate-limit-exceeded',
      // A query by hand costs one poll or two. Polls that are rejected for long are five minutes apart.
      metric: callfeedMetric(watched, 'PollsRateLimited', { minutes: 15 }),
      threshold: 3,
    },
    AgentsUnreadable: {
      impact: 'Callfeed cannot read some agents in the telephony service’s list. Their rows are missing or stale.',
      runbook: 'agents-unreadable',
      metric: callfeedMetric(watched, 'AgentRecordsUnreadable'),
      threshold: 1,
      periods: 3,
    },
    UnknownAgentStates: {
      impact: 'Agents are in a state that Callfeed does not know. Nobody can see whether they are free.',
      runbook: 'unknown-words',
      metric: callfeedMetric(watched, agentStateMetric('unknown'), { statistic: 'Maximum' }).with(aDay),
      threshold: 1,
    },
    PollerCrashes: {
      impact: 'The poller crashes or times out. The agents that readers see grow stale.',
      runbook: 'poller-crashes',
      metric: poller.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/**
 * The alarm for callbacks that stop while agents work: the poller sees agents end calls, and no callback comes. It is
 * quiet where nobody calls, because it counts ended calls and not the time alone.
 */
const silenceAlarms = (watched: Watched) =>
  ({
    CallbacksSilent: {
      impact:
        'Agents end calls, and for at least one account no callback comes. Its calls are not recorded: most likely the callback address is broken.',
      runbook: 'callbacks-silent',
      metric: callfeedMetric(watched, 'CallbackSilenceSeconds', { statistic: 'Maximum', minutes: 1 }),
      threshold: silenceGraceSeconds,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** Alarms for callbacks that never arrive, which only the service's report shows. */
const reconciliationAlarms = (watched: Watched, { frequency }: ReconcileCalls) =>
  ({
    CallbacksMissing: {
      impact:
        'Callbacks are not arriving. The service’s report has many calls that nobody posted; their rows and events come late.',
      runbook: 'callbacks-missing',
      metric: callbacksMissing(watched, frequency),
      threshold: 1,
    },
    ReconciliationSilent: {
      impact: 'The service’s call report is not read to its end. Calls whose callback never arrives stay missing.',
      runbook: 'reconciliation-silent',
      metric: callfeedMetric(watched, 'ReportRunsCompleted', { minutes: reconciliationPeriods[frequency].toMinutes() }),
      threshold: 1,
      periods: 2,
      below: true,
      raisedWithoutData: true,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** Whether messages wait in a queue from which none is taken. One that fails is taken at least every ten minutes. */
const idleMessages = (queue: IQueue): MathExpression =>
  new MathExpression({
    expression: 'IF(visible > 0 AND received < 1, 1, 0)',
    usingMetrics: {
      visible: queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
      received: queue.metricNumberOfMessagesReceived({ statistic: 'Sum' }),
    },
    label: 'Whether deliveries wait, and none is tried',
    period: Duration.minutes(15),
  });

/** Alarms for other receivers that do not get the deliveries. Callfeed's own tables and events are not concerned. */
const forwardingAlarms = (watched: Watched, { service, queue, deadLetters }: ForwardDeliveries) =>
  ({
    ForwardingFails: {
      impact:
        'For half an hour deliveries to an address in forwardTo have failed. The receiver behind it gets its calls late.',
      runbook: 'forwarding-fails',
      // The longest pause between two attempts is ten minutes.
      metric: callfeedMetric(watched, 'ForwardsFailed', { minutes: 15 }),
      threshold: 1,
      periods: 2,
    },
    ForwardingLate: {
      impact:
        'Deliveries are at least five minutes late for the addresses in forwardTo. The tables and events are correct.',
      runbook: 'forwarding-late',
      metric: service.function.metric('IteratorAge', { ...fiveMinutes, statistic: 'Maximum' }),
      threshold: Duration.minutes(5).toMilliseconds(),
    },
    ForwardingStalled: {
      impact:
        'For an hour deliveries have waited for the addresses in forwardTo, and none was tried. SQS deletes them after 14 days.',
      runbook: 'forwarding-stalled',
      metric: idleMessages(queue),
      threshold: 1,
      periods: 4,
    },
    ForwardingDeadLettered: {
      impact:
        'Deliveries could not be forwarded for a day and are dead letters now. SQS deletes them after another 14 days.',
      runbook: 'forwarding-dead-lettered',
      metric: waitingIn(deadLetters),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** Alarms for recordings that cannot be archived. Calls and events are not concerned. */
const recordingAlarms = (watched: Watched, { deadLetters }: ArchiveRecordings) =>
  ({
    RecordingsFail: {
      impact:
        'For an hour no recording could be archived. They are asked for for two days, but their links may expire before.',
      runbook: 'recordings-fail',
      metric: nothingArchived(watched),
      // One recording that is not there is asked for six times in its first hour.
      threshold: 10,
    },
    RecordingsGivenUp: {
      impact: 'Recordings are not archived and are not asked for any more. The service may delete them in some months.',
      runbook: 'recordings-given-up',
      metric: waitingIn(deadLetters),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** The alarms of what a deployment may have or not. */
export const optionalAlarms = (watched: Watched): Readonly<Record<string, AlarmSpec>> => ({
  ...(watched.busDeadLetters && busAlarms(watched.busDeadLetters)),
  ...(watched.poller && silenceAlarms(watched)),
  ...(watched.reconciler && reconciliationAlarms(watched, watched.reconciler)),
  ...(watched.forwarder && forwardingAlarms(watched, watched.forwarder)),
  ...(watched.archiver && recordingAlarms(watched, watched.archiver)),
  ...(watched.analytics && analyticsAlarms(watched, watched.analytics)),
});

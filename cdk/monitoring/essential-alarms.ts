import type { AlarmSpec } from './alarm.ts';
import { callbackAlarms, oldAgents, optionalAlarms, parkingAlarms, publishingAlarms } from './alarms.ts';
import { callsNotRecorded, eventsMissing, type Watched } from './metrics.ts';

/**
 * The alarms of `monitoring: essential`: for each guarantee at least one that wakes somebody, at the least cost. CloudWatch
 * charges each metric that the functions emit, and each metric under an alarm. So these alarms prefer metrics of AWS, which
 * are free, and three of them cover several of `monitoring: full`. docs/operations.md lists which, and tests cause each
 * fault under both.
 *
 * An alarm merges metrics only if they are emitted together. Otherwise it would depend on what CloudWatch's FILL does with
 * a metric that never had data.
 */
export const essentialAlarms = (watched: Watched): Readonly<Record<string, AlarmSpec>> => {
  const { CallbacksFail, CallbacksThrottled } = callbackAlarms(watched);
  const { ParkedOverdue, ParkedDeadLettered } = parkingAlarms(watched);
  const { EventsLate } = publishingAlarms(watched);

  return {
    CallbacksFail,
    CallbacksThrottled,
    CallsNotRecorded: {
      impact:
        'Posts of the telephony service are not recorded: it uses another key or address, or they cannot be read. Calls are missing.',
      runbook: 'calls-not-recorded',
      metric: callsNotRecorded(watched),
      threshold: 1,
    },
    ParkedOverdue,
    ParkedDeadLettered,
    EventsLate,
    EventsMissing: {
      impact: 'Rows were written and no event followed, or there are rows that Callfeed cannot read.',
      runbook: 'events-missing',
      metric: eventsMissing(watched),
      threshold: 1,
    },
    ...(watched.poller && { AgentsStale: agentsStale(watched) }),
    ...optionalAlarms(watched),
  };
};

/**
 * Also raised if no run of the poller ends: because it crashes, gets no ticks, or has no accounts. Then no age is emitted.
 * CloudWatch looks at more than three minutes before it takes late data for missing.
 */
const agentsStale = (watched: Watched): AlarmSpec => ({
  ...oldAgents(watched),
  impact: 'For at least one account, the agents that readers see are more than a minute old, or are not polled at all.',
  periods: 3,
  raisedWithoutData: true,
});

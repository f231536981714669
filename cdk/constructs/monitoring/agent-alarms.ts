import type { ServiceFunction } from '../service-function.ts';
import type { AlarmSpec } from './alarm.ts';
import { allPollsFailed } from './comparisons.ts';
import { fiveMinutes, own } from './metrics.ts';
import type { Watched } from './watched.ts';

/** What can go wrong between the service's list of agents and their rows. */
export const agentAlarms = (watched: Watched, poller: ServiceFunction) =>
  ({
    AgentsStale: {
      impact: 'What readers see of some account’s agents is older than a minute.',
      runbook: 'agents-stale',
      metric: own(watched, 'FeedAgeSeconds', { statistic: 'Maximum', minutes: 1 }),
      threshold: 60,
      periods: 2,
    },
    EveryPollFails: {
      impact: 'No poll of any account succeeds: what readers see of agents grows old, or there is nothing to see.',
      runbook: 'every-poll-fails',
      metric: allPollsFailed(watched),
      threshold: 1,
    },
    PollerSilent: {
      impact: 'Agents are not polled: what readers see of them grows old, and nobody says so.',
      runbook: 'poller-silent',
      metric: own(watched, 'TicksServed'),
      threshold: 1,
      periods: 2,
      below: true,
      missingIsBad: true,
    },
    LimitRefused: {
      impact: 'The telephony service refuses polls as too many: it may lock the account, and agents grow old.',
      runbook: 'limit-refused',
      metric: own(watched, 'LimitRefusals'),
      threshold: 1,
    },
    AgentsUnreadable: {
      impact: 'Some agents of the service’s list cannot be read: their rows are missing or old.',
      runbook: 'agents-unreadable',
      metric: own(watched, 'AgentRecordsUnreadable'),
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

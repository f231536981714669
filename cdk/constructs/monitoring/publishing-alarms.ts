import { Duration } from 'aws-cdk-lib';
import type { AlarmSpec } from './alarm.ts';
import { own, setAsideEvents } from './metrics.ts';
import type { Watched } from './watched.ts';

const fiveMinutes = { period: Duration.minutes(5) };

/** What can go wrong between a row and its event. */
export const publishingAlarms = (watched: Watched) =>
  ({
    EventsLate: {
      impact: 'Subscribers hear of calls and agents five minutes late, or not at all; the tables are right.',
      runbook: 'events-late',
      metric: watched.publisher.function.metric('IteratorAge', { ...fiveMinutes, statistic: 'Maximum' }),
      threshold: Duration.minutes(5).toMilliseconds(),
    },
    EventsSetAside: {
      impact: 'Events were not published for a day, and are set aside: subscribers have missed them.',
      runbook: 'events-set-aside',
      metric: setAsideEvents(watched),
      threshold: 1,
    },
    RowsPassedOver: {
      impact: 'Rows were written that Callfeed cannot read: there is no event of them.',
      runbook: 'rows-passed-over',
      metric: own(watched, 'RowsPassedOver'),
      threshold: 1,
    },
    PublisherCrashes: {
      impact: 'The publisher ends in crashes or timeouts: the events behind are late.',
      runbook: 'publisher-crashes',
      metric: watched.publisher.function.metricErrors(fiveMinutes),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

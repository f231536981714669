import { Duration } from 'aws-cdk-lib';
import type { AlarmSpec } from './alarm.ts';
import { nonePublished } from './comparisons.ts';
import { fiveMinutes, own, setAsideEvents } from './metrics.ts';
import type { Watched } from './watched.ts';

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
      metric: nonePublished(watched),
      threshold: 1,
      periods: 2,
    },
    CallEventsSetAside: {
      impact: 'Events of calls were not published for a day, and are set aside: subscribers have missed them.',
      runbook: 'events-set-aside',
      metric: setAsideEvents(watched.subscriptions.Calls).with(aDay),
      threshold: 1,
    },
    AgentEventsSetAside: {
      impact: 'Events of agents were not published for a day, and are set aside: subscribers have missed them.',
      runbook: 'events-set-aside',
      metric: setAsideEvents(watched.subscriptions.Agents).with(aDay),
      threshold: 1,
    },
    EventsLost: {
      impact:
        'Events were neither published nor set aside: subscribers have missed them for good; the tables are right.',
      runbook: 'events-lost',
      metric: watched.publisher.function.metric('DestinationDeliveryFailures', { ...fiveMinutes, statistic: 'Sum' }),
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

import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { agentStateMetrics } from '../../../lib/metrics.ts';
import { fiveMinutes, own, setAsideEvents } from './metrics.ts';
import type { Watched } from './watched.ts';

const graph = (
  title: string,
  left: IMetric[],
  more: { readonly stacked?: true; readonly label?: string } = {},
): IWidget =>
  new GraphWidget({
    title,
    left,
    stacked: more.stacked === true,
    leftYAxis: { min: 0, showUnits: false, ...(more.label !== undefined && { label: more.label }) },
    width: 8,
    height: 6,
  });

const callbacks = (watched: Watched): IWidget[] => [
  graph(
    'Callbacks by outcome',
    [
      own(watched, 'CallbackRecordsStored', { label: 'stored' }),
      own(watched, 'CallbackRecordsDuplicate', { label: 'duplicates' }),
      own(watched, 'CallbackRecordsQuarantined', { label: 'quarantined' }),
      own(watched, 'CallbackRecordsParked', { label: 'parked' }),
      own(watched, 'CallbacksRefused', { label: 'posts refused' }),
      own(watched, 'CallbacksThrottled', { label: 'requests throttled' }),
    ],
    { stacked: true },
  ),
  graph(
    'Reply time',
    ['p50', 'p90', 'p99'].map((statistic) =>
      watched.api.api.metricLatency({ ...fiveMinutes, statistic, label: statistic }),
    ),
    { label: 'milliseconds' },
  ),
  graph('Quarantine', [
    own(watched, 'CallbackRecordsQuarantined', { label: 'kept' }),
    own(watched, 'CallbacksOfOtherKinds', { label: 'posts that are no calls' }),
    own(watched, 'QuarantineDropped', { label: 'dropped, as strangers sent too much' }),
  ]),
];

const storing = (watched: Watched): IWidget[] => [
  graph('Parked', [
    own(watched, 'CallbackRecordsParked', { label: 'parked' }),
    own(watched, 'ParkedRecovered', { label: 'recovered' }),
    watched.parking.queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
  ]),
  graph(
    'Publish lag',
    ['p50', 'p99', 'Maximum'].map((statistic) => own(watched, 'PublishLagSeconds', { statistic, label: statistic })),
    { label: 'seconds' },
  ),
  graph('Dead letters', [
    watched.parking.deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'parked calls' }),
    setAsideEvents(watched.subscriptions.Calls, 'events of calls'),
    setAsideEvents(watched.subscriptions.Agents, 'events of agents'),
    own(watched, 'RowsPassedOver', { label: 'rows that make no event' }),
  ]),
];

const agents = (watched: Watched): IWidget[] => [
  graph('Feed age, worst account', [own(watched, 'FeedAgeSeconds', { statistic: 'Maximum', minutes: 1 })], {
    label: 'seconds',
  }),
  graph(
    'Agents by state',
    agentStateMetrics.map((name) =>
      own(watched, name, { statistic: 'Average', minutes: 1, label: name.replace('Agents', '').toLowerCase() }),
    ),
    { stacked: true },
  ),
  graph('Polls', [
    own(watched, 'PollsAnswered', { label: 'answered' }),
    own(watched, 'PollsFailed', { label: 'failed' }),
    own(watched, 'PollsPassedOver', { label: 'passed over' }),
    own(watched, 'LimitRefusals', { label: 'refused by the limit' }),
  ]),
];

/** Everything that an operator looks at, on one page. */
export const dashboard = (scope: Construct, id: string, watched: Watched): Dashboard =>
  new Dashboard(scope, id, {
    defaultInterval: Duration.hours(12),
    widgets: [callbacks(watched), storing(watched), ...(watched.poller ? [agents(watched)] : [])],
  });

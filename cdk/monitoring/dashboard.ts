import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { keysOf } from '../../lib/core/collections.ts';
import { agentStateMetrics, metrics, unknownWordMetric, wordFacts } from '../../lib/telemetry/metrics.ts';
import type { Analytics } from '../constructs/analytics.ts';
import type { ArchiveRecordings } from '../constructs/archive-recordings.ts';
import type { ForwardDeliveries } from '../constructs/forward-deliveries.ts';
import { callfeedMetric, failedChanges, fiveMinutes, type Watched } from './metrics.ts';

/** The dashboard: a row of graphs each for callbacks, storing, agents, the arrival of callbacks, and what is switched on. */
export const dashboard = (scope: Construct, id: string, watched: Watched): Dashboard =>
  new Dashboard(scope, id, {
    defaultInterval: Duration.hours(12),
    widgets: [
      callbacks(watched),
      storing(watched),
      ...(watched.poller ? [agents(watched), arrival(watched)] : []),
      ...(watched.reconciler ? [reconciliation(watched)] : []),
      ...(watched.forwarder ? [forwarding(watched, watched.forwarder)] : []),
      ...(watched.archiver ? [recordings(watched, watched.archiver)] : []),
      ...(watched.analytics ? [analytics(watched, watched.analytics)] : []),
    ],
  });

const callbacks = (watched: Watched): IWidget[] => [
  graph(
    'Callbacks by outcome',
    [
      callfeedMetric(watched, 'CallbackRecordsStored', { label: 'stored' }),
      callfeedMetric(watched, 'CallbackRecordsDuplicate', { label: 'duplicates' }),
      callfeedMetric(watched, 'CallbackRecordsQuarantined', { label: 'quarantined' }),
      callfeedMetric(watched, 'CallbackRecordsParked', { label: 'parked' }),
      callfeedMetric(watched, 'CallbacksRejected', { label: 'posts rejected' }),
      callfeedMetric(watched, 'CallbacksThrottled', { label: 'requests throttled' }),
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
    callfeedMetric(watched, 'CallbackRecordsQuarantined', { label: 'records stored' }),
    callfeedMetric(watched, 'CallbacksUnrecognised', { label: 'unrecognised posts' }),
    callfeedMetric(watched, 'CallbacksWithUnknownKey', { label: 'posts with an unknown key' }),
  ]),
  graph(
    'Records with unknown words',
    wordFacts.map((fact) => callfeedMetric(watched, unknownWordMetric(fact), { minutes: 60, label: fact })),
    { stacked: true },
  ),
];

const storing = (watched: Watched): IWidget[] => [
  graph('Parked', [
    callfeedMetric(watched, 'CallbackRecordsParked', { label: 'parked' }),
    callfeedMetric(watched, 'ParkedRecovered', { label: 'recovered' }),
    watched.parking.queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
  ]),
  graph(
    'Publish lag',
    ['p50', 'p99', 'Maximum'].map((statistic) =>
      callfeedMetric(watched, 'PublishLagSeconds', { statistic, label: statistic }),
    ),
    { label: 'seconds' },
  ),
  graph('Dead letters', [
    watched.parking.deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'parked calls' }),
    failedChanges(watched.subscriptions.Calls, 'failed changes of calls'),
    failedChanges(watched.subscriptions.Agents, 'failed changes of agents'),
    callfeedMetric(watched, 'RowsSkipped', { label: 'rows skipped' }),
  ]),
];

const agents = (watched: Watched): IWidget[] => [
  graph(
    'Feed age of the stalest account',
    [callfeedMetric(watched, 'FeedAgeSeconds', { statistic: 'Maximum', minutes: 1 })],
    {
      label: 'seconds',
    },
  ),
  graph(
    'Agents by state',
    agentStateMetrics.map((name) =>
      callfeedMetric(watched, name, {
        statistic: 'Average',
        minutes: 1,
        label: name.replace('Agents', '').toLowerCase(),
      }),
    ),
    { stacked: true },
  ),
  graph('Polls', [
    callfeedMetric(watched, 'PollsSucceeded', { label: 'succeeded' }),
    callfeedMetric(watched, 'PollsFailed', { label: 'failed' }),
    callfeedMetric(watched, 'PollsSkipped', { label: 'skipped' }),
    callfeedMetric(watched, 'PollsRateLimited', { label: 'rejected by the rate limit' }),
  ]),
];

const arrival = (watched: Watched): IWidget[] => [
  graph(
    'Callbacks missing while agents end calls',
    [callfeedMetric(watched, 'CallbackSilenceSeconds', { statistic: 'Maximum', minutes: 1 })],
    { label: 'seconds' },
  ),
  graph(
    'Age of the latest callback',
    [callfeedMetric(watched, 'LastCallbackAgeSeconds', { statistic: 'Maximum', minutes: 1 })],
    { label: 'seconds' },
  ),
];

const reconciliation = (watched: Watched): IWidget[] => [
  graph('Calls in the report', [
    callfeedMetric(watched, 'ReportCallsNew', { label: 'new' }),
    callfeedMetric(watched, 'ReportCallsFound', { label: 'found: no callback came' }),
    callfeedMetric(watched, 'ReportCallsCompleted', { label: 'completed' }),
  ]),
  graph('Requests of the report', [
    callfeedMetric(watched, 'ReportPagesRead', { label: 'pages read' }),
    callfeedMetric(watched, 'ReportRequestsFailed', { label: 'failed' }),
    callfeedMetric(watched, 'ReportRunsCompleted', { label: 'runs completed' }),
  ]),
];

const forwarding = (watched: Watched, { queue, deadLetters }: ForwardDeliveries): IWidget[] => [
  graph('Forwarding', [
    callfeedMetric(watched, 'DeliveriesForwarded', { label: 'forwarded' }),
    callfeedMetric(watched, 'ForwardsFailed', { label: 'failed attempts' }),
    callfeedMetric(watched, 'ForwardsGivenUp', { label: 'given up' }),
    queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
    deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'dead letters' }),
  ]),
];

const recordings = (watched: Watched, { queue, deadLetters }: ArchiveRecordings): IWidget[] => [
  graph('Recordings', [
    callfeedMetric(watched, 'RecordingsArchived', { label: 'archived' }),
    callfeedMetric(watched, 'RecordingsFailed', { label: 'failed attempts' }),
    callfeedMetric(watched, 'RecordingsGivenUp', { label: 'given up' }),
    queue.metricApproximateNumberOfMessagesNotVisible({ label: 'waiting' }),
    deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'dead letters' }),
  ]),
];

const analytics = (watched: Watched, { streams, undelivered }: Analytics): IWidget[] => [
  graph('Rows for analytics', [
    callfeedMetric(watched, 'AnalyticsRowsMade', { label: 'made' }),
    callfeedMetric(watched, 'AnalyticsEventsUnreadable', { label: 'unreadable events' }),
    ...streams.map(({ name, stream }) =>
      stream.metric('FailedConversion.Records', { ...fiveMinutes, statistic: 'Sum', label: `${name}: not converted` }),
    ),
    undelivered.metricApproximateNumberOfMessagesVisible({ label: 'events not delivered' }),
  ]),
  graph(
    'Age of what is written for analytics',
    streams.map(({ name, stream }) =>
      stream.metric('DeliveryToS3.DataFreshness', { ...fiveMinutes, statistic: 'Maximum', label: name }),
    ),
    { label: 'seconds' },
  ),
];

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

type OptionalParts = Pick<Watched, 'poller' | 'reconciler' | 'forwarder' | 'archiver' | 'analytics'>;

/**
 * The sums of all metrics that add up and that the deployed functions write, so that the runbook finds each of them where it
 * has no graph. The values of all metrics are fields of the logs, in both modes.
 */
const sumsOf = ({ poller, reconciler, forwarder, archiver, analytics }: OptionalParts): string =>
  keysOf(metrics)
    .filter((name) => metrics[name] === 'Count')
    .filter((name) => (poller || !/^(?:Agent|Poll|Tick)/.test(name)) && (reconciler || !name.startsWith('Report')))
    .filter(
      (name) =>
        (forwarder || !/Forward/.test(name)) &&
        (archiver || !name.startsWith('Recordings')) &&
        (analytics || !name.startsWith('Analytics')),
    )
    .map((name) => `sum(${name})`)
    .join(', ');

/** The queries that the runbook refers to, saved in CloudWatch Logs Insights. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { receiver, recovery, publisher, api, deployment, ...watched }: Watched) {
    super(scope, id);

    const { poller, reconciler, forwarder, archiver, analytics } = watched;
    const optional = [poller, reconciler?.service, forwarder?.service, archiver?.service, analytics?.service].filter(
      (service) => service !== undefined,
    );
    const all = [receiver, recovery, publisher, ...optional].map(({ log }) => log);
    const receivers = [receiver, recovery, ...(reconciler ? [reconciler.service] : [])].map(({ log }) => log);
    const save = (name: string, title: string, logGroups: ILogGroup[], query: QueryStringProps) =>
      new QueryDefinition(this, name, {
        queryDefinitionName: `${deployment}/${title}`,
        logGroups,
        queryString: new QueryString(query),
      });

    save('Rejected', 'Why callbacks were rejected', [receiver.log], {
      filterStatements: ['message = "Callback rejected"'],
      statsStatements: ['count(*) as posts by reason, bin(15m)'],
      sort: 'posts desc',
    });
    save('Faults', 'Failures of dependencies', all, {
      filterStatements: ['level = "error"'],
      statsStatements: ['count(*) as times, latest(@timestamp) as last by function, where, error, detail'],
      sort: 'last desc',
    });
    save('Counts', 'What was counted', all, {
      statsStatements: [`${sumsOf(watched)} by bin(1h)`],
    });
    save('UnknownWords', 'Unknown words by field', receivers, {
      filterStatements: ['ispresent(RecordsWithUnknownWords)'],
      statsStatements: [
        `${wordFacts.map((fact) => `sum(${unknownWordMetric(fact)}) as ${fact}`).join(', ')} by bin(1d)`,
      ],
    });
    save('Replies', 'Replies by status, with latency', [api.accessLog], {
      statsStatements: [
        'count(*) as posts, pct(latencyMilliseconds, 50) as median, pct(latencyMilliseconds, 99) as p99 by status, method, bin(15m)',
      ],
      sort: 'posts desc',
    });
    save('Starts', 'Cold starts, run times and memory', all, {
      filterStatements: ['type = "platform.report"'],
      statsStatements: [
        'count(*) as runs, count(record.metrics.initDurationMs) as starts, max(record.metrics.initDurationMs) as longestStart, max(record.metrics.durationMs) as longestRun, max(record.metrics.maxMemoryUsedMB) as memory by @log, bin(1h)',
      ],
    });
    save('Crashes', 'Crashes and timeouts', all, {
      filterStatements: ['(type = "platform.report" and record.status != "success") or level = "ERROR"'],
      sort: '@timestamp desc',
      limit: 50,
    });
  }
}

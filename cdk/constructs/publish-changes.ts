import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type EventSourceMapping, type EventSourceMappingOptions, MetricType } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import type { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import { receiptsKey } from '../../lib/agents/callback-receipts.ts';
import { agentsTable, callsTable, callsTableWithRecordings } from '../../lib/storage/tables.ts';
import { eventsPublished, rowsSkipped } from '../../lib/telemetry/metrics.ts';
import type { Core, DeploymentContext } from './deployment-context.ts';
import { serveStream } from './event-sources.ts';
import { type AlarmSpec, type Alarms, callfeedMetric } from './monitoring.ts';
import { allowBucket, ServiceFunction } from './service-function.ts';
import { privateBucket } from './storage.ts';

/** Publishes an event for each change of the tables. No other function may put events on the bus. */
export class PublishChanges extends Construct {
  readonly service: ServiceFunction;
  /** Changes that the stream would have dropped. Only S3 gets the records: a queue would get their place in a stream that is gone. */
  readonly failedChanges: Bucket;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, core: Core) {
    super(scope, id);

    const { deploymentContext, calls, agents, bus, settings } = core;
    this.service = new ServiceFunction(this, 'Service', {
      core,
      name: 'publish-changes',
      encryptedIn: ['dynamodb', 's3'],
      description: 'Publishes an event for every change of a row.',
      environment: {
        BUS_NAME: bus.eventBusName,
        AGENTS_TABLE: agents.tableName,
        PERSONAL_FIELDS: settings.personalFieldsInEvents,
      } satisfies VariablesOf<typeof publishChangesEnv>,
    });
    this.service.allow(bus.eventBusArn, 'Publishes events; no other function may.', 'events:PutEvents');
    this.service.allowIf(
      // Each account has one such row. The publisher may write no agent and no call.
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [receiptsKey('*').pk] } },
      agents.tableArn,
      'Dates the latest callback of each account.',
      'dynamodb:UpdateItem',
    );
    this.service.allowEverywhere('Finds the streams of the tables.', 'dynamodb:ListStreams');

    // This id must stay, though the bucket has another name elsewhere: another id would replace the bucket.
    this.failedChanges = privateBucket(this, 'Unpublished', deploymentContext, {
      // Twice as long as SQS could store a dead letter.
      retention: [{ days: 28 }],
      whyNoAccessLogs:
        'Only Lambda writes here, and only after a day of outage. CloudTrail records every person who reads it.',
    });
    // Lambda writes failed changes with the role of the function that failed to publish them.
    const why = 'Stores changes that could not be published for a day.';
    allowBucket(this.service, this.failedChanges, [why, 's3:PutObject']);
    const inOrder: EventSourceMappingOptions = {
      // Order is guaranteed per call and per agent, and Lambda processes the rows of one key in order. Four batches a shard
      // keep pace with a busy contact centre, and leave most of a small account's concurrency to the receiver.
      parallelizationFactor: 4,
      onFailure: { bind: () => ({ destination: this.failedChanges.bucketArn }) },
      // Counts the changes that Lambda wrote to the bucket.
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    };
    const { published } = settings.recordings === 'off' ? callsTable : callsTableWithRecordings;
    const consumer = 'publish-changes';
    const ofCalls = { consumer, id: 'Calls', table: calls, kinds: published } as const;
    const ofAgents = { consumer, id: 'Agents', table: agents, kinds: agentsTable.published } as const;
    const changesOfCalls = serveStream(this.service, ofCalls, inOrder);
    const changesOfAgents = serveStream(this.service, ofAgents, inOrder);

    this.alarms = {
      EventsLate: {
        impact: 'Subscribers get events at least five minutes late, or not at all. The tables are correct.',
        metric: this.service.function.metric('IteratorAge', { statistic: 'Maximum' }),
        threshold: Duration.minutes(5).toMilliseconds(),
      },
      EventsMissing: {
        impact:
          'Rows were written and no event followed, or there are rows that Callfeed cannot read. Subscribers miss the changes, ' +
          'which may be lost after a day. The tables are correct.',
        metric: eventsMissing(deploymentContext),
      },
      CallEventsFailed: eventsFailed('calls', changesOfCalls),
      AgentEventsFailed: eventsFailed('agents', changesOfAgents),
    };
  }
}

/** Every run that writes or publishes emits a value, even zero. Fewer than ten runs may have written what makes no event. */
const eventsMissing = (deploymentContext: DeploymentContext): MathExpression =>
  new MathExpression({
    expression: 'IF((FILL(runs, 0) >= 10 AND FILL(published, 0) < 1) OR FILL(skipped, 0) >= 1, 1, 0)',
    usingMetrics: {
      published: callfeedMetric(deploymentContext, eventsPublished),
      runs: callfeedMetric(deploymentContext, eventsPublished, {
        statistic: 'SampleCount',
        label: 'Runs that write or publish',
      }),
      skipped: callfeedMetric(deploymentContext, rowsSkipped),
    },
    label: 'Events missing',
    period: Duration.minutes(30),
  });

/** What Lambda wrote to the failed-changes bucket. Two alarms, as an expression over both tables needs data of both. */
const eventsFailed = (of: string, { eventSourceMappingId }: EventSourceMapping): AlarmSpec => ({
  impact: `Changes of ${of} could not be published for a day. Subscribers miss them; the failed-changes bucket holds them for 28 days.`,
  metric: new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'OnFailureDestinationDeliveredEventCount',
    dimensionsMap: { EventSourceMappingUUID: eventSourceMappingId },
    statistic: 'Sum',
    // For what stays until somebody acts: an alarm that ends after minutes would look as if somebody had.
    period: Duration.days(1),
  }),
  section: 'Events failed',
});

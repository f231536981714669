import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Metric as CallfeedMetric, type Gauge, metricNamespace } from '../../lib/telemetry/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import type { DeploymentContext } from './deployment-context.ts';

/** What an alarm watches, and its text. The construct that can fail declares it, so that a mail says who is hurt. */
export interface AlarmSpec {
  /** Who is affected and how, in one to three sentences. */
  readonly impact: string;
  /** The command of `npx callfeed` to run first, without its deployment; default `status`. */
  readonly first?: string;
  readonly metric: IMetric;
  /** The alarm is raised at this value and above, or with `below` under it; default 1. */
  readonly threshold?: number;
  readonly below?: true;
  readonly periods?: number;
  readonly raisedWithoutData?: true;
  /** The heading in the runbook where several alarms share one; by default the alarm's own. */
  readonly section?: string;
}

/** Alarms by their ids, which fix their names in AWS. */
export type Alarms = Readonly<Record<string, AlarmSpec>>;

/** A metric of Callfeed, by default its sum over five minutes. */
export const callfeedMetric = (
  { deployment }: DeploymentContext,
  { name }: CallfeedMetric,
  { statistic = 'Sum', minutes = 5, label = name }: { statistic?: string; minutes?: number; label?: string } = {},
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: name,
    dimensionsMap: { deployment },
    statistic,
    period: Duration.minutes(minutes),
    label,
  });

export const waitingIn = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' });

/** A message that waits longer for its first attempt raises an alarm. */
const longestDelay = Duration.minutes(15);

/** Messages wait too long for their first attempt: more come than are processed. Without messages there is no data, and no alarm. */
export const delayed = (
  deploymentContext: DeploymentContext,
  delay: Gauge,
): Pick<AlarmSpec, 'metric' | 'threshold'> => ({
  metric: callfeedMetric(deploymentContext, delay, { statistic: 'Maximum', minutes: longestDelay.toMinutes() }),
  threshold: longestDelay.toSeconds(),
});

/**
 * Messages wait, and none is taken, for half an hour. SQS reports both metrics while a queue is active, which it is while it holds
 * messages, so neither lacks data then. A message that pauses after a failed attempt is not visible, and does not count as waiting.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export const untaken = (queue: IQueue): Pick<AlarmSpec, 'metric' | 'periods'> => ({
  metric: new MathExpression({
    expression: 'IF(visible > 0 AND received < 1, 1, 0)',
    usingMetrics: { visible: waitingIn(queue), received: queue.metricNumberOfMessagesReceived({ statistic: 'Sum' }) },
    label: 'Messages that nothing takes',
    period: Duration.minutes(15),
  }),
  periods: 2,
});

interface MonitoringProps {
  readonly deploymentContext: DeploymentContext;
  readonly settings: Settings;
  readonly alarms: Alarms;
  readonly logs: Readonly<Record<'receiver' | 'api', ILogGroup>> & { readonly functions: readonly ILogGroup[] };
  readonly topic: ITopic | undefined;
}

export class Monitoring extends Construct {
  readonly topic: ITopic;
  readonly dashboard: Dashboard | undefined;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { deploymentContext, settings, alarms, logs, topic }: MonitoringProps) {
    super(scope, id);

    this.topic = topic ?? alarmTopic(this, 'Topic', deploymentContext, settings);
    const action = new SnsAction(this.topic);
    this.alarms = Object.entries(alarms).map(([name, spec]) => alarm(this, name, spec, action, settings));
    this.dashboard = settings.dashboard === 'on' ? dashboard(this, 'Dashboard', alarms) : undefined;
    if (!settings.leaveOut.includes('queries'))
      savedQueries(new Construct(this, 'Queries'), deploymentContext.deployment, logs);
  }
}

const alarm = (scope: Construct, id: string, spec: AlarmSpec, action: SnsAction, { runbookUrl }: Settings): Alarm => {
  const first = `First: npx callfeed ${spec.first ?? 'status'} --stack ${Stack.of(scope).stackName}`;
  const section = runbookUrl === undefined ? [] : [`${runbookUrl}#${anchorOf(id, spec)}`];
  const created = new Alarm(scope, id, {
    alarmDescription: [spec.impact, first, ...section].join('\n'),
    metric: spec.metric,
    threshold: spec.threshold ?? 1,
    evaluationPeriods: spec.periods ?? 1,
    comparisonOperator: spec.below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: spec.raisedWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  created.addAlarmAction(action);
  created.addOkAction(action);

  return created;
};

/** The anchor of an alarm's section in the runbook: `callbacks-fail` for `CallbacksFail`. */
const anchorOf = (id: string, { section = id.replaceAll(/(?<!^)[A-Z]/g, ' $&') }: AlarmSpec): string =>
  section.toLowerCase().replaceAll(' ', '-');

const alarmTopic = (
  scope: Construct,
  id: string,
  { encryptionKey }: DeploymentContext,
  { alarmEmail }: Settings,
): Topic => {
  const topic = new Topic(scope, id, {
    displayName: 'Callfeed alarms',
    enforceSSL: true,
    // Without a customer's key the topic is not encrypted: alarms hold no data, and CloudWatch cannot use SNS's own key.
    ...(encryptionKey && { masterKey: encryptionKey }),
  });
  // An explicit policy replaces the default one, by which everything in the account may publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));

  return topic;
};

const dashboard = (scope: Construct, id: string, alarms: Alarms): Dashboard =>
  new Dashboard(scope, id, {
    defaultInterval: Duration.hours(12),
    widgets: [Object.entries(alarms).map(([title, spec]) => graph(title, spec))],
  });

/** A comparison is 0 or 1, so its graph has the metrics that it compares. */
const graph = (title: string, { metric, threshold = 1 }: AlarmSpec): GraphWidget => {
  const compared = metric instanceof MathExpression ? Object.values(metric.usingMetrics) : undefined;
  return new GraphWidget({
    title,
    left: compared ?? [metric],
    leftAnnotations: compared ? [] : [{ value: threshold, label: 'alarm' }],
    leftYAxis: { min: 0, showUnits: false },
    width: 8,
    height: 6,
  });
};

const savedQueries = (
  scope: Construct,
  deployment: string,
  { receiver, functions, api }: MonitoringProps['logs'],
): void => {
  const save = (name: string, title: string, logs: readonly ILogGroup[], query: QueryStringProps) => {
    const queryDefinitionName = `${deployment}/${title}`;
    new QueryDefinition(scope, name, {
      queryDefinitionName,
      logGroups: [...logs],
      queryString: new QueryString(query),
    });
  };

  save('Rejected', 'Why callbacks were rejected', [receiver], {
    filterStatements: ['message = "Callback rejected"'],
    statsStatements: ['count(*) as posts by reason, bin(15m)'],
    sort: 'posts desc',
  });
  save('Faults', 'Failures of dependencies', functions, {
    filterStatements: ['level = "error"'],
    statsStatements: ['count(*) as times, latest(@timestamp) as last by function, where, error, detail'],
    sort: 'last desc',
  });
  save('Replies', 'Replies by status, with latency', [api], {
    statsStatements: [
      'count(*) as posts, pct(latencyMilliseconds, 50) as median, pct(latencyMilliseconds, 99) as p99 by status, method, bin(15m)',
    ],
    sort: 'posts desc',
  });
  save('Starts', 'Cold starts, run times and memory', functions, {
    filterStatements: ['type = "platform.report"'],
    statsStatements: [
      'count(*) as runs, count(record.metrics.initDurationMs) as starts, max(record.metrics.initDurationMs) as longestStart, max(record.metrics.durationMs) as longestRun, max(record.metrics.maxMemoryUsedMB) as memory by @log, bin(1h)',
    ],
  });
  save('Crashes', 'Crashes and timeouts', functions, {
    filterStatements: ['(type = "platform.report" and record.status != "success") or level = "ERROR"'],
    sort: '@timestamp desc',
    limit: 50,
  });
};

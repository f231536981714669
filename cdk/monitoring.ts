import { Duration, Stack } from 'aws-cdk-lib';
import { type Alarm, Dashboard, GraphWidget, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { DeploymentContext } from './constructs/deployment-context.ts';
import { type AlarmSpec, type Alarms, alarm } from './monitoring/alarm.ts';
import { type Logs, SavedQueries } from './monitoring/saved-queries.ts';
import type { Settings } from './settings/settings.ts';

export interface MonitoringProps {
  readonly deploymentContext: DeploymentContext;
  readonly settings: Pick<Settings, 'dashboard' | 'alarmEmail' | 'runbookUrl' | 'leaveOut'>;
  readonly alarms: Alarms;
  readonly logs: Logs;
  readonly topic: ITopic | undefined;
}

/** What watches a deployment: its alarms with their topic, saved queries and, with `dashboard: on`, a dashboard. */
export class Monitoring extends Construct {
  readonly topic: ITopic;
  readonly dashboard: Dashboard | undefined;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { deploymentContext, settings, alarms, logs, topic }: MonitoringProps) {
    super(scope, id);

    this.topic = topic ?? alarmTopic(this, 'Topic', deploymentContext, settings);
    const target = { topic: this.topic, runbookUrl: settings.runbookUrl };
    this.alarms = Object.entries(alarms).map(([name, spec]) => alarm(this, name, spec, target));
    this.dashboard = settings.dashboard === 'on' ? dashboard(this, 'Dashboard', alarms) : undefined;
    if (!settings.leaveOut.includes('queries')) new SavedQueries(this, 'Queries', deploymentContext.deployment, logs);
  }
}

/** A graph of what each alarm watches, with its threshold. */
const dashboard = (scope: Construct, id: string, alarms: Alarms): Dashboard =>
  new Dashboard(scope, id, {
    defaultInterval: Duration.hours(12),
    widgets: [Object.entries(alarms).map(([title, spec]) => graph(title, spec))],
  });

/** A comparison is 0 or 1, so its graph has the metrics that it compares. */
const graph = (title: string, { metric, threshold }: AlarmSpec): GraphWidget => {
  const left: IMetric[] = metric instanceof MathExpression ? Object.values(metric.usingMetrics) : [metric];
  return new GraphWidget({
    title,
    left,
    leftAnnotations: metric instanceof MathExpression ? [] : [{ value: threshold, label: 'alarm' }],
    leftYAxis: { min: 0, showUnits: false },
    width: 8,
    height: 6,
  });
};

const alarmTopic = (
  scope: Construct,
  id: string,
  { encryptionKey }: DeploymentContext,
  { alarmEmail }: Pick<Settings, 'alarmEmail'>,
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

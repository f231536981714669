import { Stack } from 'aws-cdk-lib';
import type { Alarm, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { DeploymentContext } from '../constructs/deployment-context.ts';
import type { Settings } from '../settings/settings.ts';
import { type AlarmSpec, alarm } from './alarm.ts';
import {
  agentAlarms,
  callbackAlarms,
  optionalAlarms,
  parkingAlarms,
  publishingAlarms,
  senderAlarms,
} from './alarms.ts';
import { dashboard, SavedQueries } from './dashboard.ts';
import { essentialAlarms } from './essential-alarms.ts';
import type { Watched } from './metrics.ts';

/** What is monitored, and who receives alarms. */
export interface MonitoringProps {
  readonly deploymentContext: DeploymentContext;
  readonly watched: Watched;
  readonly settings: Pick<Settings, 'monitoring' | 'alarmEmail' | 'runbookUrl' | 'leaveOut'>;
  /** Receives the alarms instead of a new topic. */
  readonly topic: ITopic | undefined;
}

/** The page in the package and in a checkout. Only a setting knows an address of it that others can open. */
const ownRunbook = 'docs/runbook.md';

/** Alarms and saved queries of a deployment and, with `monitoring: full`, its dashboard. */
export class Monitoring extends Construct {
  readonly topic: ITopic;
  /** Undefined with `monitoring: essential`. */
  readonly dashboard: Dashboard | undefined;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { deploymentContext, watched, settings, topic }: MonitoringProps) {
    super(scope, id);

    this.topic = topic ?? alarmTopic(this, 'Topic', { deploymentContext, settings });
    const target = { topic: this.topic, runbook: settings.runbookUrl ?? ownRunbook };
    const isFull = settings.monitoring === 'full';
    const specs = isFull ? allAlarms(watched) : essentialAlarms(watched);
    this.alarms = Object.entries(specs).map(([name, spec]) => alarm(this, name, spec, target));
    this.dashboard = isFull ? dashboard(this, 'Dashboard', watched) : undefined;
    if (!settings.leaveOut.includes('queries')) new SavedQueries(this, 'Queries', watched);
  }
}

const allAlarms = (watched: Watched): Readonly<Record<string, AlarmSpec>> => ({
  ...callbackAlarms(watched),
  ...senderAlarms(watched),
  ...parkingAlarms(watched),
  ...publishingAlarms(watched),
  ...(watched.poller && agentAlarms(watched, watched.poller)),
  ...optionalAlarms(watched),
});

/** The address that receives alarms by mail, and the key of the topic. */
interface AlarmTopicProps {
  readonly deploymentContext: DeploymentContext;
  readonly settings: Pick<Settings, 'alarmEmail'>;
}

/** The topic that receives alarms. */
const alarmTopic = (scope: Construct, id: string, { deploymentContext, settings }: AlarmTopicProps): Topic => {
  const { account } = Stack.of(scope);
  const topic = new Topic(scope, id, {
    displayName: 'Callfeed alarms',
    enforceSSL: true,
    // Without a customer's key the topic is not encrypted: alarms hold no data, and CloudWatch cannot use SNS's own key.
    ...(deploymentContext.encryptionKey && { masterKey: deploymentContext.encryptionKey }),
  });
  // An explicit policy replaces the default one, by which everything in the account may publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  );
  if (settings.alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(settings.alarmEmail));

  return topic;
};

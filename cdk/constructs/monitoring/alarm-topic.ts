import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings/settings.ts';
import type { Standards } from '../standards.ts';

/** Who hears of alarms. */
export interface AlarmTopicProps {
  readonly standards: Standards;
  readonly settings: Pick<Settings, 'alarmEmail'>;
}

/** The topic that alarms go to. */
export const alarmTopic = (scope: Construct, id: string, { standards, settings }: AlarmTopicProps): Topic => {
  const { account } = Stack.of(scope);
  const topic = new Topic(scope, id, {
    displayName: 'Callfeed alarms',
    enforceSSL: true,
    // Without a key it is not encrypted: an alarm’s text holds no data, and CloudWatch cannot use SNS’s own key.
    ...(standards.encryptionKey && { masterKey: standards.encryptionKey }),
  });
  // A policy of its own takes away the one by which a topic lets everything in its account publish.
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

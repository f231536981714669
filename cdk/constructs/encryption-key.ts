import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/**
 * The key by its ARN, as the constructs of a deployment use it. With the key itself, CDK's bus would write its own ARN
 * into the key's policy. Bus and key would then wait for each other, and neither could be deployed.
 */
export const deploymentKey = (scope: Construct, id: string, key: IKey): IKey => {
  allowServicesToUse(scope, key);

  return Key.fromKeyArn(scope, id, key.keyArn);
};

/**
 * Lets AWS services that use no role use a key: EventBridge for the bus and its archive, CloudWatch for the logs and for
 * alarms sent to the topic. CDK can change only the policy of a key of the same app. The owner of any other key must do it.
 */
const allowServicesToUse = (scope: Construct, key: IKey): void => {
  const { account, region, partition } = Stack.of(scope);
  const allow = (actions: string[], service: string, conditions: Readonly<Record<string, unknown>> = {}) =>
    key.addToResourcePolicy(
      new PolicyStatement({ principals: [new ServicePrincipal(service)], actions, resources: ['*'], conditions }),
    );

  allow(actionsOf.events, 'events.amazonaws.com', { StringEquals: { 'aws:SourceAccount': account } });
  allow(actionsOf.cloudwatch, 'cloudwatch.amazonaws.com');
  allow(actionsOf.logs, `logs.${region}.amazonaws.com`, {
    ArnLike: { 'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:log-group:*` },
  });
};

/** The actions that each service's documentation on encryption requires. An archive needs more than a bus. */
const actionsOf = {
  events: ['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
  cloudwatch: ['kms:Decrypt', 'kms:GenerateDataKey*'],
  logs: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
};

import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** What services ask for is written in their pages on encryption; there is more to an archive than to a bus. */
const actionsOf = {
  events: ['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
  cloudwatch: ['kms:Decrypt', 'kms:GenerateDataKey*'],
  logs: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
};

/**
 * Lets the services of AWS that act on no role's behalf use a key: the bus and its archive, the logs, and alarms on their
 * way to the topic. CDK can write that into the policy of a key of the same app only; any other key has to say it itself.
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

/**
 * A key as the constructs of a deployment use it: by its ARN, with the services let in here. Handed the key itself, CDK's
 * bus would write its own ARN into the policy of the key that it waits for, and neither could be deployed.
 */
export const deploymentKey = (scope: Construct, id: string, key: IKey): IKey => {
  allowServicesToUse(scope, key);

  return Key.fromKeyArn(scope, id, key.keyArn);
};

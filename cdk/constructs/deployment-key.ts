import { Stack } from 'aws-cdk-lib';
import { AccountPrincipal, type IPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';

/** The key by its ARN: else CDK would write the bus’s ARN into its policy, and each would wait for the other. */
export const deploymentKey = (scope: Construct, id: string, key: IKey, settings: Settings): IKey => {
  allowOthersToUse(scope, key, settings);

  return Key.fromKeyArn(scope, id, key.keyArn);
};

/**
 * Lets those use a key who have no role of this deployment. These are EventBridge for the bus and its archive, CloudWatch for
 * the logs and for alarms sent to the topic, and other AWS accounts. CDK can change only the policy of a key of the same app.
 * The owner of any other key must do it.
 */
const allowOthersToUse = (scope: Construct, key: IKey, { subscriberAccounts, readerAccounts }: Settings): void => {
  const { account, region, partition } = Stack.of(scope);
  const allow = (actions: string[], principals: IPrincipal[], conditions: Record<string, unknown> = {}): void => {
    if (principals.length === 0) return;
    key.addToResourcePolicy(new PolicyStatement({ principals, actions, resources: ['*'], conditions }));
  };
  const service = (name: string) => [new ServicePrincipal(name)];
  const roots = (accounts: readonly string[]) => accounts.map((id) => new AccountPrincipal(id));

  // Requests of archives do not name their account, but those of bus and archive name the bus as their encryption context:
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/encryption-archives.html
  // Every bus of the account may, since the name of this one is known only after the key.
  const ofOurBuses = {
    ArnLike: {
      'kms:EncryptionContext:aws:events:event-bus:arn': `arn:${partition}:events:${region}:${account}:event-bus/*`,
    },
  };
  allow(['kms:DescribeKey'], service('events.amazonaws.com'));
  allow(['kms:Decrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'], service('events.amazonaws.com'), ofOurBuses);
  // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
  allow(['kms:Decrypt', 'kms:GenerateDataKey*'], service('cloudwatch.amazonaws.com'), {
    StringEquals: { 'aws:SourceAccount': account },
  });
  allow(
    ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
    service(`logs.${region}.amazonaws.com`),
    { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:log-group:*` } },
  );
  // EventBridge encrypts rules too: whoever makes one or looks at it needs the key.
  allow(['kms:Decrypt'], roots(subscriberAccounts), ofOurBuses);
  allow(['kms:Decrypt'], roots(readerAccounts), {
    StringEquals: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` },
  });
};

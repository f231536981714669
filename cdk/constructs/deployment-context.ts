import { Stack, Token } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, type IPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';

export interface DeploymentContext {
  /** Separates the metrics of this deployment from others in the same AWS account. */
  readonly deployment: string;
  readonly encryptionKey: IKey | undefined;
  /** Whether resources with data are protected from deletion and outlive the stack. */
  readonly isProtected: boolean;
  readonly logRetention: RetentionDays;
  readonly isTraced: boolean;
}

/** What every deployment has: its functions and the features that settings add are made of it. */
export interface Core {
  readonly deploymentContext: DeploymentContext;
  readonly settings: Settings;
  readonly calls: TableV2;
  readonly agents: TableV2;
  readonly quarantine: TableV2;
  readonly accounts: Secret;
  readonly bus: IEventBus;
}

export type Outputs = Readonly<Record<string, readonly [value: string, description: string]>>;

const hyphenated = (path: string): string => path.replaceAll('/', '-');

/** The stack's `stackName` property, or undefined if CDK derived the name from the path in the app. */
export const givenName = ({ stackName, node }: Stack): string | undefined =>
  Token.isUnresolved(stackName) || stackName === hyphenated(node.path) ? undefined : stackName;

/** The name of a deployment, unique in its AWS account: the stack's name and the construct's path in the stack. */
export const deploymentName = (construct: Construct): string => {
  const stack = Stack.of(construct);
  const pathInStack = construct.node.path.slice(stack.node.path.length);
  const path = `${givenName(stack) ?? hyphenated(stack.node.path)}${hyphenated(pathInStack)}`;
  // The name of a log group must not have other characters, such as the blank of a construct's id.
  const deployment = path.replaceAll(/[^\w.#-]+/g, '-');
  // Leaves room for CloudWatch's limits on a dimension's value and on a query's name, which also has the title.
  if (deployment.length > 200)
    throw new Error(
      `Callfeed at ${construct.node.path}: the stack’s name and the path may have at most 200 characters together`,
    );

  return deployment;
};

/**
 * The key by its ARN. With the key itself, CDK would write the bus’s ARN into the key’s policy, and bus and key would wait for
 * each other.
 */
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
  // Every bus of the account may use the key, since the name of this one is known only after the key.
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

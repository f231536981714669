import { Stack, Token } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';

export interface DeploymentContext {
  /** Separates the metrics of this deployment from others in the same AWS account. */
  readonly deployment: string;
  /** Encrypts all stored data. If undefined, AWS's own keys do. */
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

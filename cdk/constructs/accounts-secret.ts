import { RemovalPolicy, SecretValue } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/**
 * What a new secret holds: no JSON, so every callback is refused until somebody fills it in.
 * Never reword it: CloudFormation writes a changed text over the accounts of everyone who updates.
 */
export const accountsPlaceholder = 'REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS';

/** The secret that lists the accounts, kept when the stack goes. */
export const accountsSecret = (scope: Construct, id: string): Secret =>
  new Secret(scope, id, {
    description: 'Callfeed: JSON list of contact-centre accounts with their keys.',
    secretStringValue: SecretValue.unsafePlainText(accountsPlaceholder),
    removalPolicy: RemovalPolicy.RETAIN,
  });

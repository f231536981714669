import { SecretValue, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { accountsPlaceholder } from '../../lib/accounts/accounts.ts';
import { dataRemovalPolicy, type Standards } from './standards.ts';

/** The secret that lists the accounts: until somebody fills it in, every callback is refused and nobody is polled. */
export const accountsSecret = (scope: Construct, id: string, standards: Standards): Secret => {
  const secret = new Secret(scope, id, {
    description: 'Callfeed: JSON list of contact-centre accounts with their keys.',
    secretStringValue: SecretValue.unsafePlainText(accountsPlaceholder),
    removalPolicy: dataRemovalPolicy(standards),
    ...(standards.encryptionKey && { encryptionKey: standards.encryptionKey }),
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'The keys are issued by the telephony service. They are rotated there; the secret takes several live ones.',
  });

  return secret;
};

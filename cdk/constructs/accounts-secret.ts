import { SecretValue, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { accountsPlaceholder } from '../../lib/accounts/accounts.ts';
import { callbackSecretHash } from '../../lib/accounts/redact-secrets.ts';
import type { Settings } from '../settings/settings.ts';
import { type DeploymentContext, dataRemovalPolicy } from './deployment-context.ts';

/** The secret with the list of accounts. Until somebody fills it in, callbacks get 503 and no account is polled. */
export const accountsSecret = (scope: Construct, id: string, deploymentContext: DeploymentContext): Secret => {
  const secret = new Secret(scope, id, {
    description: 'Callfeed: JSON list of contact-centre accounts with their keys.',
    secretStringValue: SecretValue.unsafePlainText(accountsPlaceholder),
    removalPolicy: dataRemovalPolicy(deploymentContext),
    ...(deploymentContext.encryptionKey && { encryptionKey: deploymentContext.encryptionKey }),
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'The telephony service issues and rotates the keys. The secret accepts several live keys of an account.',
  });

  return secret;
};

/** The hashes of the callback secrets, for a function that authenticates callbacks or redacts what somebody wrote. */
export const callbackSecretEnvironment = ({
  callbackSecret,
  formerCallbackSecret,
}: Pick<Settings, 'callbackSecret' | 'formerCallbackSecret'>): Readonly<
  Record<'CALLBACK_SECRET_SHA256', string> | Record<never, string>
> => {
  const secrets = [callbackSecret, formerCallbackSecret].filter((secret) => secret !== undefined);
  return secrets.length > 0 ? { CALLBACK_SECRET_SHA256: callbackSecretHash(...secrets) } : {};
};

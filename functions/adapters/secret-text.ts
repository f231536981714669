import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { tellable } from '../../lib/tellable.ts';

/** Reads a secret's text. */
export const secretText =
  (client: Pick<SecretsManagerClient, 'send'>, secretArn: string, deadlineMs: number) => async (): Promise<string> => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }), {
      abortSignal: AbortSignal.timeout(deadlineMs),
    });
    if (SecretString === undefined) throw tellable('The accounts’ secret holds no text');
    return SecretString;
  };

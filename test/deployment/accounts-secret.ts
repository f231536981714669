import * as z from 'zod';
import { type AwsJson, awsJson, operation, result } from '../../sandbox/http/aws-json.ts';

export const accountsSecretArn = 'arn:aws:secretsmanager:local:000000000000:secret:callfeed-accounts-test';

const secretsManager: AwsJson = {
  version: '1.1',
  service: 'secretsmanager',
  namespace: 'com.amazonaws.secretsmanager',
};

/** The secret with the accounts. Undefined is a secret without a text. */
export const accountsSecret = (text: string | undefined) => {
  let SecretString = text;
  return {
    handle: awsJson(secretsManager, {
      GetSecretValue: operation(secretsManager, z.object({ SecretId: z.literal(accountsSecretArn) }), () =>
        result(secretsManager, { ARN: accountsSecretArn, SecretString }),
      ),
    }),
    put(next: string | undefined) {
      SecretString = next;
    },
  };
};

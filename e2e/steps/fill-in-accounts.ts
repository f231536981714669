import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { account } from '../examples.ts';
import type { Stage } from '../stage.ts';

/** Puts an account into the secret, as README says. */
export const fillInAccounts = async ({ clients, outputs, simulator }: Stage): Promise<string> => {
  const { userName, apiKey } = account;
  const accounts = JSON.stringify([{ userName, apiKeys: [apiKey], timeZone: 'Asia/Kolkata', baseUrl: simulator.url }]);
  await clients.secrets.send(
    new PutSecretValueCommand({ SecretId: outputs.AccountsSecretArn, SecretString: accounts }),
  );
  return accounts;
};

import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { account } from '../examples.ts';
import { until } from '../runner/until.ts';
import type { Stage } from '../stage.ts';

/** Refused in either way, as nobody's key is in it: before there are accounts with 503, then with 401. */
const strangersCall = JSON.stringify({ monitorUCID: '1', Status: 'Answered', Apikey: 'of-nobody' });

/** Puts an account into the secret, as README says, and waits for the receiver to know it. */
export const fillInAccounts = async ({ clients, outputs, simulator, api }: Stage): Promise<string> => {
  const { userName, apiKey } = account;
  const accounts = JSON.stringify([{ userName, apiKeys: [apiKey], timeZone: 'Asia/Kolkata', baseUrl: simulator.url }]);
  await clients.secrets.send(
    new PutSecretValueCommand({ SecretId: outputs.AccountsSecretArn, SecretString: accounts }),
  );
  await until(
    'the receiver has read the accounts',
    () => api.post(strangersCall),
    ({ status }) => status === 401,
  );
  return accounts;
};

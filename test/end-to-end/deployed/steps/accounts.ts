import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { rejectionResponses } from '../../../../lib/callback/reply.ts';
import { until } from '../../../support/until.ts';
import { allRows, region } from '../clients.ts';
import { account, example } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

/** Its key belongs to no account: rejected with 503 while there are no accounts, then with 401. */
const unknownKeyCall = JSON.stringify({ monitorUCID: '1', Status: 'Answered', Apikey: 'unknown-key' });

/** Puts an account into the secret, and waits until the receiver has read it. */
export const putAccounts = async ({ clients, outputs, simulator, api }: TestContext): Promise<string> => {
  const { userName, apiKey } = account;
  const accounts = JSON.stringify([
    { userName, apiKeys: [apiKey], timeZone: 'Asia/Kolkata', baseUrl: simulator.url, token: { kind: 'none' } },
  ]);
  await clients.secrets.send(
    new PutSecretValueCommand({ SecretId: outputs.AccountsSecretArn, SecretString: accounts }),
  );
  await until(
    'the receiver has read the accounts',
    () => api.post(unknownKeyCall),
    ({ status }) => status === 401,
  );
  return accounts;
};

/** Requests without permission are rejected. Only then does a successful step show that the deployed roles suffice. */
export const expectIamEnforced = async (endpoint: string): Promise<void> => {
  const unknownKey = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'nobody' };
  const client = new SQSClient({ endpoint, region, credentials: unknownKey });

  const answer = await client.send(new ListQueuesCommand()).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.name : error),
  );
  expect(answer, 'The answer to a request with an unknown key').toStrictEqual('InvalidClientTokenId');
};

/** As deployed, the secret holds no list of accounts: senders are told to try again later. */
export const expectAccountsRequired = async ({ api, clients, outputs }: TestContext): Promise<void> => {
  for (const path of ['/', '/callDetails', '//callDetails/'])
    expect(await api.get(path), `The answer to a GET of ${path}`).toStrictEqual({
      status: 200,
      body: { service: 'callfeed' },
    });
  expect((await api.get('/nothing/here')).status, 'The status of an address that nobody was given').toStrictEqual(404);
  expect(await api.post(example('call-summary')), 'The answer to a call before there is any account').toStrictEqual({
    status: 503,
    body: {
      ...nothingStored,
      reason: 'accounts-not-set-up',
      message: rejectionResponses['accounts-not-set-up'].message,
    },
  });
  expect(await allRows(clients.dynamodb, outputs.CallsTableName), 'The rows stored for it').toStrictEqual([]);
};

const nothingStored = { stored: 0, duplicates: 0, quarantined: 0 };

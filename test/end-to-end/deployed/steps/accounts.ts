import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { rejectionResponses } from '../../../../lib/callback/rejections.ts';
import { expectEqual, until } from '../assertions.ts';
import { allRows, region } from '../clients.ts';
import { account, example } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

/** Refused in either way, as nobody's key is in it: before there are accounts with 503, then with 401. */
const unknownKeyCall = JSON.stringify({ monitorUCID: '1', Status: 'Answered', Apikey: 'of-nobody' });

/** Puts an account into the secret, as README says, and waits for the receiver to know it. */
export const putAccounts = async ({ clients, outputs, simulator, api }: TestContext): Promise<string> => {
  const { userName, apiKey } = account;
  const accounts = JSON.stringify([{ userName, apiKeys: [apiKey], timeZone: 'Asia/Kolkata', baseUrl: simulator.url }]);
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

/** Whoever has no right is refused: only so does a step that succeeds show that the deployed roles are wide enough. */
export const expectIamEnforced = async (endpoint: string): Promise<void> => {
  const stranger = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'nobody' };
  const client = new SQSClient({ endpoint, region, credentials: stranger });

  const answer = await client.send(new ListQueuesCommand()).then(
    () => 'taken',
    (error: unknown) => (error instanceof Error ? error.name : error),
  );
  expectEqual('What a request with a key that nobody has comes to', answer, 'InvalidClientTokenId');
};

/** As deployed, the secret holds a text that is no list of accounts: whoever posts is asked to try again later. */
export const expectAccountsRequired = async ({ api, clients, outputs }: TestContext): Promise<void> => {
  expectEqual('The answer to a look at the address', await api.get('/callDetails'), {
    status: 200,
    body: { service: 'callfeed' },
  });
  expectEqual('The answer to a call before there is any account', await api.post(example('call-summary')), {
    status: 503,
    body: {
      error: 'accounts-not-set-up',
      message: rejectionResponses['accounts-not-set-up'].message,
      ...nothingStored,
    },
  });
  expectEqual('What was stored of it', await allRows(clients.dynamodb, outputs.CallsTableName), []);
};

const nothingStored = { stored: 0, duplicates: 0, quarantined: 0 };

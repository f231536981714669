import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { type RejectionReason, rejectionResponses } from '../../../../lib/callback/reply.ts';
import { until } from '../../../support/process-tree.ts';
import { functionOf, logLines } from '../deployment.ts';
import {
  account,
  allRows,
  callSummary,
  example,
  region,
  rowsUnder,
  type TestContext,
  withEnvironment,
} from '../test-context.ts';

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

const storedAnswer = (stored: number, duplicates = 0) => ({
  status: 200,
  body: { stored, duplicates, quarantined: 0 },
});

const unstoredAnswer = (status: number, reason: RejectionReason, quarantined: number) => ({
  status,
  body: { stored: 0, duplicates: 0, quarantined, reason, message: rejectionResponses[reason].message },
});

interface Post {
  readonly what: string;
  readonly content: string;
  readonly path?: string;
  readonly answer: unknown;
}

/** The posts in order, and the whole answer to each. */
const posts: readonly Post[] = [
  { what: 'a new call', content: example('call-summary'), answer: storedAnswer(1) },
  { what: 'the same again', content: example('call-summary'), path: '//callDetails/', answer: storedAnswer(0, 1) },
  { what: 'the call with its disposition', content: example('with-disposition'), answer: storedAnswer(1) },
  { what: 'a poorer copy', content: example('poorer-copy'), answer: storedAnswer(1) },
  { what: 'a list of a call and a participant', content: example('advanced-callback'), answer: storedAnswer(2) },
  {
    what: 'a post that is no call',
    content: JSON.stringify({ Apikey: account.apiKey, event: 'ScreenPop', CallerID: '09000000042' }),
    answer: unstoredAnswer(200, 'not-a-call-summary', 1),
  },
  {
    what: 'a call with an unknown key',
    content: example('call-summary').replace(account.apiKey, 'wrong-key').replace('12345678901234567890', '666'),
    answer: unstoredAnswer(401, 'unknown-key', 0),
  },
];

export const postCalls = async ({ api }: TestContext): Promise<void> => {
  for (const { what, content, path, answer } of posts)
    expect(await api.post(content, path), `The answer to ${what}`).toStrictEqual(answer);
};

const callId = '12345678901234567890';
const listCallId = '41781234567890123';

/** The rows of the posts. That readers find them by every key, another team's function shows. */
export const expectRows = async ({ clients: { dynamodb }, outputs }: TestContext): Promise<void> => {
  const [call, ...others] = await rowsUnder(dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` });
  expect(call, 'The call, from which a poorer copy erased nothing').toMatchObject({
    callId,
    status: 'answered',
    startedAt: '2026-11-20T05:30:00.000Z',
    dispositions: ['Sale'],
    revision: 2,
    deliveries: { length: 3 },
  });
  expect(others, 'Further rows of the call').toStrictEqual([]);
  const list = await rowsUnder(dynamodb, outputs.CallsTableName, { pk: `demo#${listCallId}` });
  expect(list, 'The rows of a list').toMatchObject([{ kind: 'call' }, { kind: 'participant' }]);
  expect(await allRows(dynamodb, outputs.QuarantineTableName), 'The quarantine').toMatchObject([
    {
      reason: 'not-a-call-summary',
      account: account.userName,
      body: expect.stringMatching(/^(?!.*demo-key).*ScreenPop/),
    },
  ]);
};

/** A call that arrives while the receiver has the name of a table that does not exist is parked, and the recovery stores it. */
export const parkCalls = async (context: TestContext, callId: string): Promise<void> => {
  const { api, clients, outputs } = context;
  await withEnvironment(
    clients,
    await functionOf(clients, 'ReceiveCallback'),
    { CALLS_TABLE: 'no-such-table' },
    async () =>
      expect(await api.post(callSummary(callId)), 'The answer to a call while its table is missing').toStrictEqual({
        status: 200,
        body: { ...nothingStored, parked: 1 },
      }),
  );
  await until(
    `the parked call ${callId} has its row`,
    () => rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` }),
    (rows) => rows.length === 1,
  );

  // The receiver's role covers its own table only, so AWS does not reveal whether another table exists.
  const errors = (await logLines(context)).filter((line) => line.includes('"where":"call-store"'));
  expect(errors, 'The role may read no other table').toContainEqual(expect.stringContaining('AccessDenied'));
};

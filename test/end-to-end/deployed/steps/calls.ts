import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import * as z from 'zod';
import { type RejectionReason, rejectionResponses } from '../../../../lib/callback/reply.ts';
import { parkedIn } from '../../../../lib/callback/schema.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import { until } from '../../../support/process-tree.ts';
import { allRows, region, rowsUnder, whileMappingDisabled, withEnvironment } from '../clients.ts';
import { functionOf, logLines } from '../deployment.ts';
import { account, callSummary, example, type TestContext } from '../test-context.ts';

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

const idsIn = (rows: readonly Row[]): readonly unknown[] => rows.map((row) => row['callId']);

/** Reads the rows of the posts by every key that readers use. */
export const expectRows = async ({ clients: { dynamodb }, outputs }: TestContext): Promise<void> => {
  const call = await rowsUnder(dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` });
  expect(
    call.map(({ sk }) => sk),
    'The rows of the call',
  ).toStrictEqual(['call']);
  expect(call[0], 'The call, from which a poorer copy erased nothing').toMatchObject({
    callId,
    status: 'answered',
    startedAt: '2026-11-20T05:30:00.000Z',
    dispositions: ['Sale'],
    recordings: ['https://recordings.example.com/demo/12345678901234567890.mp3'],
    revision: 2,
  });
  const deliveries = call[0]?.['deliveries'];
  expect(Array.isArray(deliveries) && deliveries.length, 'The number of its deliveries').toStrictEqual(3);

  const list = await rowsUnder(dynamodb, outputs.CallsTableName, { pk: `demo#${listCallId}` });
  expect(
    list.map(({ kind }) => kind),
    'The kinds of rows of a list',
  ).toStrictEqual(['call', 'participant']);

  const under = (index: string, attribute: string, key: string) =>
    rowsUnder(dynamodb, outputs.CallsTableName, { [attribute]: key }, index);
  expect(idsIn(await under('byTime', 'accountCalls', 'demo')), 'The calls by time').toStrictEqual([callId, listCallId]);
  expect(
    idsIn(await under('byCustomer', 'customerCalls', 'demo#09000000042')),
    'The calls of a customer',
  ).toStrictEqual([callId]);
  expect(
    idsIn(await under('byAgent', 'agentCalls', 'demo#ravi')),
    'The calls of the agent who took over',
  ).toStrictEqual([listCallId]);

  const quarantined = await allRows(dynamodb, outputs.QuarantineTableName);
  expect(
    quarantined.map(({ reason }) => reason),
    'The reasons in the quarantine',
  ).toStrictEqual(['not-a-call-summary']);
  expect(quarantined[0], 'The quarantined post').toMatchObject({ account: account.userName });
  const body = String(quarantined[0]?.['body']);
  expect(body, 'It is stored whole').toContain('ScreenPop');
  expect(body, 'Its key is not in it').not.toContain(account.apiKey);
};

const parkedAnswer = { status: 200, body: { stored: 0, duplicates: 0, quarantined: 0, parked: 1 } };

/** Runs something while the receiver has the name of a table that does not exist. The recovery has the right name. */
const whileTableIsMissing = async ({ clients }: TestContext, act: () => Promise<void>): Promise<void> =>
  withEnvironment(clients, await functionOf(clients, 'ReceiveCallback'), { CALLS_TABLE: 'no-such-table' }, act);

const postToPark = async ({ api }: TestContext, callId: string): Promise<void> =>
  expect(await api.post(callSummary(callId)), 'The answer to a call while its table is missing').toStrictEqual(
    parkedAnswer,
  );

const untilStored = async ({ clients, outputs }: TestContext, callId: string): Promise<void> => {
  await until(
    `the parked call ${callId} has its row`,
    () => rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` }),
    (rows) => rows.length === 1,
  );
};

/** A call that arrives while the table is missing is parked, and the recovery stores it. */
export const parkCalls = async (context: TestContext, callId: string): Promise<void> => {
  await whileTableIsMissing(context, () => postToPark(context, callId));
  await untilStored(context, callId);

  // The receiver's role covers its own table only, so AWS does not reveal whether another table exists.
  const errors = (await logLines(context)).filter((line) => line.includes('"where":"call-store"'));
  expect(errors, 'The role may read no other table').toContainEqual(expect.stringContaining('AccessDenied'));
};

const RedrivePolicy = z.object({ maxReceiveCount: z.coerce.number().int().positive() });

/** Receives the next message of a queue without hiding it from the next receiver. */
const peek = async ({ clients: { sqs } }: TestContext, QueueUrl: string): Promise<Message | undefined> => {
  const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
  return message;
};

const maxReceiveCountOf = async ({ clients: { sqs } }: TestContext, QueueUrl: string): Promise<number> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }));
  return RedrivePolicy.parse(JSON.parse(Attributes?.['RedrivePolicy'] ?? '{}')).maxReceiveCount;
};

/** Receives a message as often as the recovery may fail, after which it becomes a dead letter. Returns its body. */
const exhaustReceives = async (context: TestContext, queueUrl: string): Promise<string | undefined> => {
  const receives = await maxReceiveCountOf(context, queueUrl);
  const bodies = new Set<string | undefined>();
  for (let receive = 0; receive < receives; receive += 1) bodies.add((await peek(context, queueUrl))?.Body);
  expect(bodies.size, 'The number of messages in the parking queue').toStrictEqual(1);
  expect(await peek(context, queueUrl), 'What is left in it after so many receives').toStrictEqual(undefined);
  return [...bodies][0];
};

/** A call that cannot be recovered becomes a dead letter, and a redrive stores it. */
export const deadLetterCall = async (context: TestContext, callId: string): Promise<void> => {
  const { ParkingQueueUrl, ParkingDeadLettersUrl } = context.outputs;

  await whileMappingDisabled(context.clients, await functionOf(context.clients, 'RecoverCallbacks'), async () => {
    await whileTableIsMissing(context, () => postToPark(context, callId));
    const parked = await exhaustReceives(context, ParkingQueueUrl);
    const { Body } = await until(
      'the call is among the dead letters',
      async () => (await peek(context, ParkingDeadLettersUrl)) ?? {},
      (letter) => letter.Body !== undefined,
    );
    expect(Body, 'The dead letter').toStrictEqual(parked);
    checkPayload(Body ?? '', callId);
  });

  await redrive(context);
  await untilStored(context, callId);
};

/** Operators use StartMessageMoveTask for this, which MiniStack does not support. */
const redrive = async ({ clients: { sqs }, outputs }: TestContext): Promise<void> => {
  const QueueUrl = outputs.ParkingDeadLettersUrl;
  const { Messages: [letter] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  await sqs.send(new SendMessageCommand({ QueueUrl: outputs.ParkingQueueUrl, MessageBody: letter?.Body }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: letter?.ReceiptHandle }));
};

const checkPayload = (body: string, callId: string): void => {
  const item = parkedIn(body);
  if (item?.kind !== 'delivery') throw new Error(`The dead letter is of kind ${item?.kind}, not delivery`);
  expect(item.key, 'The call in the dead letter').toMatchObject({ kind: 'call', account: account.userName, callId });
  expect(item.delivery.facts, 'The facts of the call').toMatchObject({
    status: 'answered',
    customerNumber: '09000000044',
    agentIds: ['asha'],
    callDurationSeconds: 120,
  });
  expect(body, 'The key is not in it').not.toContain(account.apiKey);
};

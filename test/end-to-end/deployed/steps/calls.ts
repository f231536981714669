import { expect } from 'vitest';
import { type RejectionReason, rejectionResponses } from '../../../../lib/callback/reply.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import { allRows, rowsUnder } from '../clients.ts';
import { account, example } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

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

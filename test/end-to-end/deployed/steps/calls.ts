import { type RejectionReason, rejectionResponses } from '../../../../lib/callback/rejections.ts';
import type { Facts } from '../../../../lib/core/collections.ts';
import { expectEqual, expectFields, expectThat } from '../assertions.ts';
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
    expectEqual(`The answer to ${what}`, await api.post(content, path), answer);
};

const callId = '12345678901234567890';
const listCallId = '41781234567890123';

const idsIn = (rows: readonly Facts[]): readonly unknown[] => rows.map((row) => row['callId']);

/** Reads the rows of the posts by every key that readers use. */
export const expectRows = async ({ clients: { dynamodb }, outputs }: TestContext): Promise<void> => {
  const call = await rowsUnder(dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` });
  expectEqual(
    'The rows of the call',
    call.map(({ sk }) => sk),
    ['call'],
  );
  expectFields('The call, from which a poorer copy erased nothing', call[0], {
    callId,
    status: 'answered',
    startedAt: '2026-11-20T05:30:00.000Z',
    dispositions: ['Sale'],
    recordings: ['https://recordings.example.com/demo/12345678901234567890.mp3'],
    revision: 2,
  });
  const deliveries = call[0]?.['deliveries'];
  expectEqual('The number of its deliveries', Array.isArray(deliveries) && deliveries.length, 3);

  const list = await rowsUnder(dynamodb, outputs.CallsTableName, { pk: `demo#${listCallId}` });
  expectEqual(
    'The kinds of rows of a list',
    list.map(({ kind }) => kind),
    ['call', 'participant'],
  );

  const under = (index: string, attribute: string, key: string) =>
    rowsUnder(dynamodb, outputs.CallsTableName, { [attribute]: key }, index);
  expectEqual('The calls by time', idsIn(await under('byTime', 'accountCalls', 'demo')), [callId, listCallId]);
  expectEqual('The calls of a customer', idsIn(await under('byCustomer', 'customerCalls', 'demo#09000000042')), [
    callId,
  ]);
  expectEqual('The calls of the agent who took over', idsIn(await under('byAgent', 'agentCalls', 'demo#ravi')), [
    listCallId,
  ]);

  const quarantined = await allRows(dynamodb, outputs.QuarantineTableName);
  expectEqual(
    'The reasons in the quarantine',
    quarantined.map(({ reason }) => reason),
    ['not-a-call-summary'],
  );
  expectFields('The quarantined post', quarantined[0], { account: account.userName });
  const body = String(quarantined[0]?.['body']);
  expectThat(
    'It is stored whole, but without its key',
    body.includes('ScreenPop') && !body.includes(account.apiKey),
    body,
  );
};

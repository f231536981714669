import type { Facts } from '../../lib/record/delivery.ts';
import { allRows, rowsUnder } from '../cloud/rows.ts';
import { account } from '../examples.ts';
import { has, holds, same } from '../runner/facts.ts';
import type { Stage } from '../stage.ts';

const callId = '12345678901234567890';
const listCallId = '41781234567890123';

const idsIn = (rows: readonly Facts[]): readonly unknown[] => rows.map((row) => row['callId']);

/** Reads what was posted as README says that readers do. */
export const findRows = async ({ clients: { dynamodb }, outputs }: Stage): Promise<void> => {
  const call = await rowsUnder(dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` });
  same(
    'The rows of the call',
    call.map(({ sk }) => sk),
    ['leg#main'],
  );
  has('The call, which a poorer copy did not make poorer', call[0], {
    callId,
    status: 'answered',
    startedAt: '2026-11-20T05:30:00.000Z',
    dispositions: ['Sale'],
    recordings: ['https://recordings.example.com/demo/12345678901234567890.mp3'],
    revision: 2,
  });
  const deliveries = call[0]?.['deliveries'];
  same('The number of its deliveries', Array.isArray(deliveries) && deliveries.length, 3);

  const list = await rowsUnder(dynamodb, outputs.CallsTableName, { pk: `demo#${listCallId}` });
  same(
    'The kinds of rows of a list',
    list.map(({ kind }) => kind),
    ['call', 'participant'],
  );

  const under = (index: string, attribute: string, key: string) =>
    rowsUnder(dynamodb, outputs.CallsTableName, { [attribute]: key }, index);
  same('The calls by time', idsIn(await under('byTime', 'accountCalls', 'demo')), [callId, listCallId]);
  same('The calls of a customer', idsIn(await under('byCustomer', 'customerCalls', 'demo#09000000042')), [callId]);
  same('The calls of the agent who took over', idsIn(await under('byAgent', 'agentCalls', 'demo#ravi')), [listCallId]);

  const quarantined = await allRows(dynamodb, outputs.QuarantineTableName);
  same(
    'What is in quarantine',
    quarantined.map(({ reason }) => reason),
    ['not-a-call-summary'],
  );
  has('The quarantined post', quarantined[0], { account: account.userName });
  const body = String(quarantined[0]?.['body']);
  holds('It is kept whole, but without its key', body.includes('ScreenPop') && !body.includes(account.apiKey), body);
};

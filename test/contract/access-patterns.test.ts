import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { specificationSummary as summary } from '../fixtures/call-summaries.ts';
import { formOf } from '../support/http-api-event.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

let receiver: Receiver;

/** Calls a minute apart, the last one transferred from agent1 to agent2; ids 100, 101, ... */
const calls = Array.from({ length: 8 }, (_, index) => ({
  ...summary,
  monitorUCID: String(100 + index),
  StartTime: `2026-11-20 11:0${index}:00`,
  CallerID: index % 2 === 0 ? '09000000042' : '09000000043',
  AgentID: index === 7 ? 'agent1 -> agent2' : 'agent1',
}));

beforeAll(async () => {
  receiver = await startReceiver();
  await receiver.answer({ body: formOf(calls) });
  await receiver.answer({ body: formOf({ ...calls[0], Disposition: 'Sale' }) });
  const participant = { UCID: 100, CallID: 1, ParticipantNumber: '09000000077', ExitStatus: 'x' };
  await receiver.answer({ body: formOf([{ ...calls[0], CallID: 900 }, participant]) });
});

afterAll(() => receiver.stop());

/** One query, and whether it read more than it returned. */
const query = async (input: Omit<QueryCommandInput, 'TableName'>) => {
  const {
    Items = [],
    ScannedCount,
    LastEvaluatedKey,
  } = await receiver.client.send(new QueryCommand({ TableName: receiver.callsTable, ...input }));
  expect(ScannedCount).toBe(Items.length);
  return { rows: Items.map((item) => unmarshall(item)), LastEvaluatedKey };
};

const listed = (index: string, attribute: string, key: string, more: Partial<QueryCommandInput> = {}) =>
  query({
    IndexName: index,
    KeyConditionExpression: `${attribute} = :key`,
    ExpressionAttributeValues: { ':key': { S: key } },
    ScanIndexForward: false,
    ...more,
  });

const ids = (rows: readonly Record<string, unknown>[]) => rows.map(({ callId }) => callId);

describe('a reader of the calls’ table', () => {
  it('has a call with its legs, participants and deliveries by one query', async () => {
    const { rows } = await query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'demo#100' } },
    });

    expect(rows.map(({ sk }) => String(sk).split('#')[0])).toEqual(['leg', 'leg', 'participant']);
    const main = rows.find(({ leg }) => leg === 'main');
    expect(main).toMatchObject({ revision: 2, dispositions: ['Sale'] });
    expect(main?.['deliveries']).toHaveLength(2);
  });

  it('has an account’s calls in a time range, newest first, page by page', async () => {
    const range = {
      KeyConditionExpression: 'accountCalls = :key AND listedAt BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':key': { S: 'demo' },
        ':from': { S: '2026-11-20T05:31:00.000Z' },
        ':to': { S: '2026-11-20T05:35:00.000Z' },
      },
      Limit: 3,
    };
    const first = await listed('byTime', 'accountCalls', 'demo', range);
    const second = await listed('byTime', 'accountCalls', 'demo', {
      ...range,
      ExclusiveStartKey: first.LastEvaluatedKey,
    });

    expect([ids(first.rows), ids(second.rows)]).toEqual([
      ['105', '104', '103'],
      ['102', '101'],
    ]);
  });

  it('has the calls of a customer’s number', async () => {
    const { rows } = await listed('byCustomer', 'customerCalls', 'demo#09000000043');

    expect(ids(rows)).toEqual(['107', '105', '103', '101']);
    expect(rows[0]).toMatchObject({ status: 'answered', startedAt: '2026-11-20T05:37:00.000Z' });
  });

  it('has the calls of each agent of a transferred call', async () => {
    const [first, second] = await Promise.all([
      listed('byAgent', 'agentCalls', 'demo#agent1'),
      listed('byAgent', 'agentCalls', 'demo#agent2'),
    ]);

    expect(ids(first.rows)).toEqual(['107', '106', '105', '104', '103', '102', '101', '100', '100']);
    expect(second.rows).toMatchObject([{ callId: '107', agentIds: ['agent1', 'agent2'], status: 'answered' }]);
  });
});

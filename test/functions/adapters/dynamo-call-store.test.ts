import { randomUUID } from 'node:crypto';
import {
  type DynamoDBClient,
  DynamoDBServiceException,
  QueryCommand,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoCallStore } from '../../../functions/adapters/dynamo-call-store.ts';
import { keyedDelivery, summaryWith } from '../../support/call-records.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { recordingClient, scriptedClient } from '../../support/recorded-clients.ts';

let tables: TestTables;

beforeAll(async () => {
  tables = await startTestTables();
});

afterAll(() => tables.stop());

const storeWith = (client: Pick<DynamoDBClient, 'send'>) =>
  dynamoCallStore({
    client,
    tableName: tables.tableNames.calls,
    retentionDays: 10,
    clock: () => new Date('2026-11-20T06:00:01.000Z'),
  });

const newCallId = () => BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 14)}`).toString();

const rowsOf = async (pk: string) => {
  const { Items = [] } = await tables.client.send(
    new QueryCommand({
      TableName: tables.tableNames.calls,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
      ConsistentRead: true,
    }),
  );
  return Items.map((item) => unmarshall(item));
};

/** Records the deliveries in turn and tells what came of each, and how many calls it took. */
const recordAll = async (...summaries: readonly object[]) => {
  const { client, sent } = recordingClient(tables.client);
  const store = storeWith(client);
  const outcomes: string[] = [];
  const calls: number[] = [];
  for (const [index, summary] of summaries.entries()) {
    const before = sent.length;
    const { key, delivery } = keyedDelivery(summary, `2026-11-20T06:00:00.${String(index).padStart(3, '0')}Z`);
    outcomes.push(await store.record(key, delivery, generousDeadline()));
    calls.push(sent.length - before);
  }
  return { outcomes, calls, sent };
};

describe('dynamoCallStore', () => {
  it('stores a new call with one call to AWS', async () => {
    const monitorUCID = newCallId();

    const { outcomes, calls } = await recordAll(summaryWith({ monitorUCID }));

    expect({ outcomes, calls }).toEqual({ outcomes: ['stored'], calls: [1] });
    expect(await rowsOf(`demo#${monitorUCID}`)).toMatchObject([
      { sk: 'leg#main', callId: monitorUCID, status: 'answered', revision: 1, expiresAt: 1_764_482_400 + 31_536_000 },
    ]);
  });

  it('knows a repeat from the refused write, and writes nothing', async () => {
    const monitorUCID = newCallId();

    const { outcomes, calls } = await recordAll(summaryWith({ monitorUCID }), summaryWith({ monitorUCID }));

    expect({ outcomes, calls }).toEqual({ outcomes: ['stored', 'duplicate'], calls: [1, 1] });
    expect(await rowsOf(`demo#${monitorUCID}`)).toMatchObject([{ version: 1, revision: 1 }]);
  });

  it('adds a late disposition as a revision with one write more', async () => {
    const monitorUCID = newCallId();

    const { outcomes, calls } = await recordAll(
      summaryWith({ monitorUCID }),
      summaryWith({ monitorUCID, Disposition: 'Sale' }),
    );

    expect({ outcomes, calls }).toEqual({ outcomes: ['stored', 'stored'], calls: [1, 2] });
    expect(await rowsOf(`demo#${monitorUCID}`)).toMatchObject([{ revision: 2, dispositions: ['Sale'] }]);
  });

  it('keeps a poorer copy without letting it change the record', async () => {
    const monitorUCID = newCallId();
    await recordAll(
      summaryWith({ monitorUCID, Disposition: 'Sale' }),
      summaryWith({ monitorUCID, Status: 'NotAnswered', AudioFile: '', Disposition: '' }),
    );

    const [row] = await rowsOf(`demo#${monitorUCID}`);

    expect(row).toMatchObject({ status: 'answered', dispositions: ['Sale'], revision: 1, version: 2 });
    expect(row?.['recordings']).toHaveLength(1);
    expect(row?.['deliveries'][1].differences).toMatchObject({ status: 'not-answered', recordings: null });
  });

  it('merges deliveries that come at once into the same record as in turn', async () => {
    const [atOnce, inTurn] = [newCallId(), newCallId()];
    const variants = [{}, { Disposition: 'Sale' }, { Status: 'NotAnswered' }, { Comments: 'x' }, { Skill: 'Gold' }];
    const store = storeWith(tables.client);
    const all = (monitorUCID: string) =>
      variants.map((variant, index) =>
        keyedDelivery(summaryWith({ ...variant, monitorUCID }), `2026-11-20T06:00:00.00${index}Z`),
      );

    const outcomes = await Promise.all(
      all(atOnce).map(({ key, delivery }) => store.record(key, delivery, generousDeadline())),
    );
    for (const { key, delivery } of all(inTurn)) await store.record(key, delivery, generousDeadline());

    const comparable = ({ pk: _pk, callId: _id, revision: _r, ...row }: Record<string, unknown>) => row;
    expect(outcomes).toEqual(variants.map(() => 'stored'));
    expect((await rowsOf(`demo#${atOnce}`)).map(comparable)).toEqual((await rowsOf(`demo#${inTurn}`)).map(comparable));
  });

  it('writes the same delivery once when it is posted twice at the same time', async () => {
    const { key, delivery } = keyedDelivery(summaryWith({ monitorUCID: newCallId() }));
    const store = storeWith(tables.client);

    const outcomes = await Promise.all([1, 2, 3, 4].map(() => store.record(key, delivery, generousDeadline())));

    expect(outcomes.toSorted()).toEqual(['duplicate', 'duplicate', 'duplicate', 'stored']);
  });

  it('replaces the entries of the further agents with the call, in one transaction', async () => {
    const monitorUCID = newCallId();

    const { calls, sent } = await recordAll(
      summaryWith({ monitorUCID, AgentID: 'a1 -> a2 -> a3', Status: 'NotAnswered' }),
      summaryWith({ monitorUCID, AgentID: 'a1 -> a4' }),
    );

    expect(calls).toEqual([1, 2]);
    expect(sent[0]?.name).toBe('TransactWriteItemsCommand');
    expect((await rowsOf(`demo#${monitorUCID}#agents`)).map(({ sk, agentCalls }) => [sk, agentCalls])).toEqual([
      ['main#a4', 'demo#a4'],
    ]);
  });

  it('merges transfers that come at once, though their transactions collide', async () => {
    const monitorUCID = newCallId();
    const store = storeWith(tables.client);
    const chains = ['a1 -> a2', 'a1 -> a2 -> a3', 'a2 -> a3'];

    const outcomes = await Promise.all(
      chains.map((AgentID, index) => {
        const { key, delivery } = keyedDelivery(
          summaryWith({ monitorUCID, AgentID }),
          `2026-11-20T06:00:00.00${index}Z`,
        );
        return store.record(key, delivery, generousDeadline());
      }),
    );

    expect(outcomes).toEqual(['stored', 'stored', 'stored']);
    expect(await rowsOf(`demo#${monitorUCID}`)).toMatchObject([{ agentIds: ['a2', 'a3'] }]);
    expect((await rowsOf(`demo#${monitorUCID}#agents`)).map(({ sk }) => sk)).toEqual(['main#a3']);
  });

  it('says that a record is refused which no row can hold', async () => {
    const { key, delivery } = keyedDelivery(summaryWith({ monitorUCID: newCallId(), Comments: 'x'.repeat(420_000) }));

    expect(await storeWith(tables.client).record(key, delivery, generousDeadline())).toBe('rejected');
  });

  it('stores a call of fifty agents with the longest names that a post can hold', async () => {
    const monitorUCID = newCallId();
    const chain = (text: string) => Array.from({ length: 50 }, (_, index) => `${text}${index}`).join(' -> ');

    const { outcomes } = await recordAll(
      summaryWith({ monitorUCID, AgentID: chain('a'), AgentName: chain('n'.repeat(1_800)) }),
    );

    expect(outcomes).toEqual(['stored']);
    expect(await rowsOf(`demo#${monitorUCID}#agents`)).toHaveLength(49);
  });

  it('lists a call under no customer if the number is too long for a key', async () => {
    const monitorUCID = newCallId();

    const { outcomes } = await recordAll(summaryWith({ monitorUCID, CallerID: '9'.repeat(5_000) }));

    expect(outcomes).toEqual(['stored']);
    expect((await rowsOf(`demo#${monitorUCID}`))[0]).not.toHaveProperty('customerCalls');
  });

  it('throws when the table cannot be reached', async () => {
    const { key, delivery } = keyedDelivery(summaryWith());
    const store = dynamoCallStore({
      client: tables.client,
      tableName: 'no-such-table',
      retentionDays: 1,
      clock: () => new Date(),
    });

    await expect(store.record(key, delivery, generousDeadline())).rejects.toThrow();
  });
});

const cancelled = (...codes: string[]) => {
  throw new TransactionCanceledException({
    $metadata: {},
    message: 'cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
};

const refusedAs = (name: string) => {
  throw new DynamoDBServiceException({ $metadata: {}, $fault: 'client', name, message: 'rejected' });
};

/** Records a call of one agent, or of two (a transaction), against scripted answers of DynamoDB. */
const record = async (agents: string, ...answers: (() => unknown)[]) => {
  const { client, sent } = scriptedClient<DynamoDBClient>(...answers);
  const store = dynamoCallStore({
    client,
    tableName: 't',
    retentionDays: 1,
    clock: () => new Date(),
  });
  const { key, delivery } = keyedDelivery(summaryWith({ AgentID: agents }));
  return { outcome: await store.record(key, delivery, generousDeadline()), calls: sent.length };
};

const done = () => ({});

describe('dynamoCallStore', () => {
  it.each([
    ['a transaction that collides with another', 'a1 -> a2', () => cancelled('None', 'TransactionConflict')],
    ['a write that collides with a transaction', 'a1', () => refusedAs('TransactionConflictException')],
    ['a row that was gone when its write was refused', 'a1 -> a2', () => cancelled('ConditionalCheckFailed', 'None')],
  ])('starts again after %s', async (_title, agents, collision) => {
    expect(await record(agents, collision, done)).toEqual({ outcome: 'stored', calls: 2 });
  });

  it.each([
    ['a write', 'a1', () => refusedAs('ValidationException')],
    ['a transaction', 'a1 -> a2', () => cancelled('ValidationError', 'None')],
  ])('says that a record is refused when %s can never be taken', async (_title, agents, refusal) => {
    expect(await record(agents, refusal)).toEqual({ outcome: 'rejected', calls: 1 });
  });

  it.each([
    ['throttling', 'a1', () => refusedAs('ThrottlingException')],
    ['a transaction cancelled for lack of capacity', 'a1 -> a2', () => cancelled('None', 'ThrottlingError')],
    ['a transaction cancelled for no told reason', 'a1 -> a2', () => cancelled()],
  ])('throws for %s, so that the delivery is parked', async (_title, agents, fault) => {
    await expect(record(agents, fault)).rejects.toThrow();
  });

  it('gives up after twenty rivals in a row', async () => {
    await expect(record('a1', () => refusedAs('TransactionConflictException'))).rejects.toThrow(
      'changed by others 20 times',
    );
  });
});

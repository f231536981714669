import { type DynamoDBClient, DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { dynamoCallStore } from '../../../functions/adapters/dynamo-call-store.ts';
import { deliveryFrom, summaryWith } from '../../support/deliveries.ts';
import { inTime } from '../../support/in-time.ts';
import { scriptedClient } from '../../support/recording-client.ts';

const cancelled = (...codes: string[]) => {
  throw new TransactionCanceledException({
    $metadata: {},
    message: 'cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
};

const refusedAs = (name: string) => {
  throw new DynamoDBServiceException({ $metadata: {}, $fault: 'client', name, message: 'refused' });
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
  const { key, delivery } = deliveryFrom(summaryWith({ AgentID: agents }));
  return { outcome: await store.record(key, delivery, inTime()), calls: sent.length };
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
    expect(await record(agents, refusal)).toEqual({ outcome: 'refused', calls: 1 });
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

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCallfeedClient } from '../../../client/index.ts';
import { marshalled } from '../../../functions/adapters/marshalling.ts';
import type { Facts } from '../../../lib/record/delivery.ts';
import { startTestTables, type TestTables } from '../../support/sandbox-dynamodb.ts';
import { fillTables, largeAgents } from '../support/filled-tables.ts';
import { meteredReads } from '../support/metered-reads.ts';

const older = '2026-11-21T10:00:00.000Z';
const newer = '2026-11-21T11:00:00.000Z';
const few = largeAgents(2, older);
const many = largeAgents(400, newer);

let tables: TestTables;
let parts: readonly Facts[];

beforeAll(async () => {
  tables = await startTestTables();
  await fillTables(tables).pastFloor(older, few);
  parts = await fillTables(tables).pastFloor(newer, many);
});

afterAll(() => tables.stop());

const remove = ({ pk, sk }: Facts) =>
  tables.client.send(new DeleteItemCommand({ TableName: tables.tableNames.agents, Key: marshalled({ pk, sk }) }));

/** The floors of an account of its own: `at`, how many agents, and how many rows each request read. */
const floorAt = async (moment: string, now = '2026-11-21T12:00:00.000Z') => {
  const { dynamodb, taken } = meteredReads(tables.client);
  const client = createCallfeedClient({
    dynamodb,
    tables: tables.tableNames,
    account: 'demo',
    clock: () => new Date(now),
  });
  const floor = await client.floorAt(moment);
  const agents = floor?.freshness === 'live' ? floor.agents : floor?.lastKnownAgents;
  return { floor: floor && [floor.at, agents?.length], rows: taken().map(({ count }) => count) };
};

describe('a floor in several parts', () => {
  it('is whole only with all of them; one that lacks any is just being kept, and the one before it counts', async () => {
    expect(parts).toHaveLength(3);
    expect(await floorAt(newer)).toEqual({ floor: [newer, 400], rows: [1, 2] });
    expect(await floorAt('2026-11-21T10:59:59.999Z')).toEqual({ floor: [older, 2], rows: [1] });

    for (const missing of parts) {
      await remove(missing);
      const { floor, rows } = await floorAt(newer);
      expect(floor).toEqual([older, 2]);
      expect(rows.length).toBeLessThanOrEqual(3);
      await fillTables(tables).agents([missing]);
    }
    expect((await floorAt(newer)).floor).toEqual([newer, 400]);
  });

  it('is not there once it has expired, whatever DynamoDB has not yet removed, and nor is one before it', async () => {
    const sevenDaysLater = '2026-11-28T11:00:00.000Z';

    expect((await floorAt(newer, '2026-11-28T10:59:59.999Z')).floor).toEqual([newer, 400]);
    expect((await floorAt(newer, sevenDaysLater)).floor).toBeUndefined();
    await fillTables(tables).pastFloor(older, few, 30);
    expect((await floorAt(newer, sevenDaysLater)).floor).toBeUndefined();
  });
});

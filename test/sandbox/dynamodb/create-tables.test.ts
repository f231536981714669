import { DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentsTable, callsTable, quarantineTable } from '../../../lib/contract/tables.ts';
import { createTables } from '../../../sandbox/dynamodb/create-tables.ts';
import { startTestTables, type TestTables } from '../../support/sandbox-dynamodb.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

describe('createTables', () => {
  it('gives the Calls table its keys, indexes, stream and on-demand billing', async () => {
    const { Table } = await tables.client.send(new DescribeTableCommand({ TableName: tables.tableNames.calls }));

    expect(Table).toMatchObject({
      TableStatus: 'ACTIVE',
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      KeySchema: [
        { AttributeName: callsTable.key.partition, KeyType: 'HASH' },
        { AttributeName: callsTable.key.sort, KeyType: 'RANGE' },
      ],
    });
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).toSorted()).toEqual(
      callsTable.indexes.map(({ name }) => name).toSorted(),
    );
  });

  it('gives the Quarantine table neither a sort key nor a stream', async () => {
    const { Table } = await tables.client.send(new DescribeTableCommand({ TableName: tables.tableNames.quarantine }));

    expect(Table?.KeySchema).toEqual([{ AttributeName: quarantineTable.key.partition, KeyType: 'HASH' }]);
    expect(Table?.StreamSpecification).toBeUndefined();
  });

  it('gives the Agents table its keys, its index and a stream', async () => {
    const { Table } = await tables.client.send(new DescribeTableCommand({ TableName: tables.tableNames.agents }));

    expect(Table).toMatchObject({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } });
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(
      agentsTable.indexes.map(({ name }) => name),
    );
  });

  it('has rows of all tables expire', async () => {
    for (const TableName of Object.values(tables.tableNames)) {
      const { TimeToLiveDescription } = await tables.client.send(new DescribeTimeToLiveCommand({ TableName }));

      expect(TimeToLiveDescription).toEqual({ AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLED' });
    }
  });

  it('keeps tables that exist', async () => {
    await expect(createTables(tables.client, { [tables.tableNames.calls]: callsTable })).resolves.toBeUndefined();
  });
});

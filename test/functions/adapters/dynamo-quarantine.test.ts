import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { dynamoQuarantine } from '../../../functions/adapters/dynamo-quarantine.ts';
import { quarantineEntry } from '../../../lib/callback/quarantine.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { generousDeadline } from '../../support/memory-ports.ts';

let tables: TestTables;

beforeEach(async () => {
  tables = await startTestTables();
});

afterAll(() => tables.stop());

const receivedAt = '2026-11-20T06:00:00.000Z';

const quarantine = () =>
  dynamoQuarantine({
    client: tables.client,
    tableName: tables.tableNames.quarantine,
    retentionDays: 30,
  });

const rows = async () => {
  const { Items = [] } = await tables.client.send(
    new ScanCommand({ TableName: tables.tableNames.quarantine, ConsistentRead: true }),
  );
  return Items.map((item) => unmarshall(item));
};

describe('dynamoQuarantine', () => {
  it('keeps what an account sent whole, once however often it is sent', async () => {
    const entry = { reason: 'broken-json', account: 'demo', body: `{"x": ${'y'.repeat(200_000)}`, receivedAt };

    expect(await quarantine().store(quarantineEntry(entry), generousDeadline())).toBe('stored');
    expect(await quarantine().store(quarantineEntry(entry), generousDeadline())).toBe('stored');

    expect(await rows()).toEqual([{ ...entry, id: expect.any(String), expiresAt: expect.any(Number) }]);
  });

  it('keeps only the beginning of what a stranger sent, and says so', async () => {
    await quarantine().store(
      quarantineEntry({ reason: 'broken-json', body: 'é'.repeat(100_000), receivedAt }),
      generousDeadline(),
    );

    const [row] = (await rows()).filter(({ reason }) => reason !== undefined);
    expect(row).toMatchObject({ bytes: 200_000 });
    expect(Buffer.byteLength(row?.['body'])).toBeLessThanOrEqual(16 * 1024);
  });

  it('keeps at most a hundred posts of strangers a minute and says which it dropped', async () => {
    const keepAll = (minute: string, number: number) =>
      Promise.all(
        Array.from({ length: number }, () =>
          quarantine().store(
            { reason: 'broken-json', body: '{', receivedAt: `2026-11-20T06:${minute}:00.000Z` },
            generousDeadline(),
          ),
        ),
      );

    const outcomes = [...(await keepAll('00', 130)), ...(await keepAll('01', 5))];

    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(105);
    expect((await rows()).filter(({ reason }) => reason !== undefined)).toHaveLength(105);
  });
});

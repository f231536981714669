import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { dynamoQuarantine } from '../../../functions/adapters/dynamo-stores.ts';
import { bodyOf, quarantineEntry } from '../../../lib/callback/quarantine.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { contentHash } from '../../../lib/core/encoding.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { generousDeadline } from '../../support/memory-ports.ts';

let tables: TestTables;

beforeEach(async () => {
  tables = await startTestTables();
});

afterAll(() => tables.stop());

const receivedAt = '2026-11-20T06:00:00.000Z';

const store = (entry: QuarantineEntry) => {
  const { client, tableNames } = tables;
  const quarantine = dynamoQuarantine({ client, tableName: tableNames.quarantine, retentionDays: 30 });
  return quarantine.store(quarantineEntry(entry), generousDeadline());
};

const rows = async () => {
  const { Items = [] } = await tables.client.send(
    new ScanCommand({ TableName: tables.tableNames.quarantine, ConsistentRead: true }),
  );
  return Items.map((item) => unmarshall(item));
};

describe('dynamoQuarantine', () => {
  it('stores an entry of an account whole, and leaves the row as it is when the entry is repeated', async () => {
    const entry = { reason: 'broken-json', account: 'demo', body: `{"x": ${'y'.repeat(200_000)}`, receivedAt };
    const repeated = { ...entry, receivedAt: '2026-11-21T06:00:00.000Z' };

    expect(await store(entry)).toBe('stored');
    expect(await store(repeated)).toBe('stored');

    const expiresAt = Date.parse('2026-12-20T06:00:00Z') / 1_000;
    expect(await rows()).toEqual([{ ...entry, id: expect.stringMatching(/^[0-9a-f]{32,}$/), expiresAt }]);
  });

  it('stores an entry of an account whole that no row could hold otherwise', async () => {
    const body = '{"monitorUCID":"1"},'.repeat(200_000);
    await store({ reason: 'body-too-large', account: 'demo', body, receivedAt });

    const [row] = await rows();
    expect(row).toMatchObject({ storedAs: 'gzip', bytes: 4_000_000 });
    expect(bodyOf(row as QuarantineEntry)).toBe(body);
  });

  it('stores a row of the largest size that an entry can have', async () => {
    const body = Array.from({ length: 30_000 }, (_, index) => contentHash(index)).join('');
    const keyFingerprints = Array(20).fill('c48a01f4');
    await store({ reason: 'body-too-large', account: 'a'.repeat(255), keyFingerprints, body, receivedAt });

    expect(await rows()).toMatchObject([{ bytes: 960_000 }]);
  });

  it('stores only the beginning of an entry of an unknown sender, and its size', async () => {
    await store({ reason: 'broken-json', body: 'é'.repeat(100_000), receivedAt });

    const [row] = (await rows()).filter(({ reason }) => reason !== undefined);
    expect(row).toMatchObject({ bytes: 200_000 });
    expect(Buffer.byteLength(row?.['body'])).toBeLessThanOrEqual(16 * 1024);
  });

  it('stores at most a hundred entries of unknown senders a minute, and drops the others', async () => {
    const storeMany = (number: number, minute: string) =>
      Promise.all(
        Array.from({ length: number }, () =>
          store({ reason: 'broken-json', body: '{', receivedAt: `2026-11-20T06:${minute}:00.000Z` }),
        ),
      );

    const outcomes = [...(await storeMany(130, '00')), ...(await storeMany(5, '01'))];

    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(105);
    expect((await rows()).filter(({ reason }) => reason !== undefined)).toHaveLength(105);
  });
});

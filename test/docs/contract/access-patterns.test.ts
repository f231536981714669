import { GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessPattern, accessPatterns } from '../../../docs/contract/access-patterns.ts';
import { scenario } from '../../../docs/contract/examples.ts';
import { questions } from '../../../docs/contract/questions.ts';
import { rowSchemaPath } from '../../../docs/contract/schemas.ts';
import { marshalled, unmarshalled } from '../../../lib/storage/rows.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { faultsBy } from './support/event-bridge.ts';

/** What they return for what happened is tested by the client, which sends the same requests. */
describe('access requests', () => {
  let tables: TestTables;

  beforeAll(async () => {
    tables = await startTestTables();
    const { calls, agents } = await scenario();
    const put = (TableName: string) => (row: Parameters<typeof marshalled>[0]) =>
      tables.client.send(new PutItemCommand({ TableName, Item: marshalled(row) }));
    await Promise.all([
      ...calls.rows.map(put(tables.tableNames.calls)),
      ...agents.rows.map(put(tables.tableNames.agents)),
    ]);
  });

  afterAll(() => tables.stop());

  const answer = async ({ table, request }: AccessPattern) => {
    const TableName = tables.tableNames[table];
    if (request.operation === 'get-item') {
      const { Item } = await tables.client.send(new GetItemCommand({ TableName, Key: { ...request.input.Key } }));
      return Item === undefined ? [] : [unmarshalled(Item)];
    }
    const { ExpressionAttributeValues, ...input } = request.input;
    const { Items = [], ScannedCount } = await tables.client.send(
      new QueryCommand({ TableName, ...input, ExpressionAttributeValues: { ...ExpressionAttributeValues } }),
    );
    expect(ScannedCount).toBe(Items.length);
    return Items.map(unmarshalled);
  };

  /** The kinds of row whose schema a row fits. */
  const kindOf = (row: Readonly<Record<string, unknown>>, { rows }: AccessPattern) =>
    rows.filter(
      (name) => faultsBy(rowSchemaPath(name).slice('schemas/'.length, -'.schema.json'.length), row).length === 0,
    );

  describe.each(accessPatterns.map((pattern) => [pattern.question, pattern] as const))('%s', (_title, pattern) => {
    it('answers a question of the page', () => {
      expect(questions.map(({ request }) => request)).toContain(pattern);
    });

    it('returns only rows of the declared kinds, which fit their schemas', async () => {
      const rows = await answer(pattern);

      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(kindOf(row, pattern), JSON.stringify(row)).toHaveLength(1);
      expect(new Set(rows.flatMap((row) => kindOf(row, pattern)))).toEqual(new Set(pattern.rows));
    });
  });
});

import { afterAll, beforeAll } from 'vitest';
import { dynamoAgentTable } from '../../../functions/adapters/dynamo-agent-table.ts';
import { memoryAgentTable } from '../../lib/support/memory-agent-table.ts';
import { startTestTables, type TestTables } from '../../support/sandbox-dynamodb.ts';
import { agentTableContract } from './agent-table-contract.ts';

let tables: TestTables;

beforeAll(async () => {
  tables = await startTestTables();
});

afterAll(() => tables.stop());

agentTableContract('dynamoAgentTable', () =>
  dynamoAgentTable({ client: tables.client, tableName: tables.tableNames.agents, deadlineMs: 15_000 }),
);

agentTableContract('memoryAgentTable', () => memoryAgentTable());

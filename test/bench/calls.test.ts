import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentsTable, callsTable, quarantineTable } from '../../lib/schema/tables.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { type Case, countRequests } from './calls.ts';

let started: TestTables;
let cases: readonly Case[];

beforeAll(async () => {
  started = await startTestTables();
  const { endpoint, tableNames } = started;
  const tables = {
    [tableNames.calls]: callsTable,
    [tableNames.agents]: agentsTable,
    [tableNames.quarantine]: quarantineTable,
  };
  cases = await countRequests({ endpoint, tableNames, tables }, { agents: 20, changes: [2] });
});
afterAll(() => started.stop());

it('each kind of work asks of DynamoDB what it has always asked', () => {
  const counted = cases.map(({ name, counts }) => [
    name,
    counts.dynamodbCalls,
    counts.tableWriteUnits + counts.indexWriteUnits,
    counts.readUnits,
  ]);

  expect(counted).toEqual([
    ['new call', 1, 5, 0],
    ['repeat', 1, 2, 0],
    ['revision', 2, 7, 0],
    ['new call of two agents', 1, 12, 0],
    ['participant, with its call', 1, 1, 0],
    ['list of 20 new calls', 20, 100, 0],
    ['poll of 20 agents, unchanged', 2, 2, 0],
    ['poll of 20 agents, unchanged, other process', 4, 2, 3],
    ['poll of 20 agents, 2 changed', 3, 27, 0],
  ]);
});

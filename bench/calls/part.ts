import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTables } from '../../sandbox/dynamodb/create-tables.ts';
import { localClient } from '../../sandbox/local-client.ts';
import { sandboxTables, tableNames } from '../../sandbox/tables.ts';
import { figure } from '../costs/figures.ts';
import type { Table } from '../costs/table.ts';
import type { Part } from '../part.ts';
import { withDynamodb } from '../with-dynamodb.ts';
import { type Case, countAtWire } from './count-at-wire.ts';

/** A large contact centre, in which one agent of a hundred changes, and one of ten. */
const floor = { agents: 500, changes: [5, 50] };

/** The bar: what is asked of AWS before the reply to a new call, the accounts being known. */
const callsOfANewCall = 1;

/** What each kind of work asks of DynamoDB. What follows from it in dollars is in `npm run costs`. */
export const calls: Part = {
  name: 'calls',
  what: 'requests and units of DynamoDB for each kind of callback and poll, counted on their way',
  async run({ onProgress }) {
    onProgress('starting DynamoDB Local');
    return withDynamodb(async (endpoint) => {
      const client = new DynamoDBClient(localClient(endpoint));
      await createTables(client, sandboxTables).finally(() => client.destroy());
      onProgress('counting');
      const cases = await countAtWire({ endpoint, tableNames, tables: sandboxTables }, floor);
      return {
        tables: [{ title: 'What each kind of work asks of DynamoDB', table: tableOf(cases) }],
        data: cases,
        failures: failuresIn(cases),
      };
    });
  },
};

const tableOf = (cases: readonly Case[]): Table => ({
  head: ['Work', 'requests', 'write units', 'of them of indexes', 'read units'],
  rows: cases.map(({ name, counts }) => [
    name,
    figure(counts.dynamodbCalls),
    figure(counts.tableWriteUnits + counts.indexWriteUnits),
    figure(counts.indexWriteUnits),
    figure(counts.readUnits),
  ]),
});

const failuresIn = ([first]: readonly Case[]): readonly string[] => {
  const requests = first?.counts.dynamodbCalls;
  return requests === callsOfANewCall
    ? []
    : [`A new call takes ${requests} requests before the reply; the bar is exactly ${callsOfANewCall}.`];
};

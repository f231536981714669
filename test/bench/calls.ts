import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTables } from '../../sandbox/dynamodb/create-tables.ts';
import { localClient, sandboxTables, tableNames } from '../../sandbox/local-aws.ts';
import { countAll, type EmptyTables, type PollScenario } from './costs/count-all.ts';
import type { Counts } from './costs/counts.ts';
import { listOf } from './examples.ts';
import { figure, type Part, type Table, withDynamodb } from './part.ts';

interface Case {
  readonly name: string;
  readonly counts: Counts;
}

const listLength = 20;

/** One batch takes all changes of a piece of work. */
const subscription = { batchSize: 100, parallelizationFactor: 1 };

/** Does each kind of work with empty tables in a running DynamoDB Local, and counts the requests. */
export const countRequests = async (tables: EmptyTables, scenario: PollScenario): Promise<readonly Case[]> => {
  const list = listOf(listLength);
  const { calls, polls, posted } = await countAll(tables, { deployment: 'bench', subscription }, [scenario], { list });
  const { agents } = scenario;
  return [
    { name: 'new call', counts: calls.first },
    { name: 'repeat', counts: calls.repeat },
    { name: 'revision', counts: calls.revision },
    { name: 'new call of two agents', counts: calls.transferred },
    { name: 'participant, with its call', counts: calls.participant },
    ...posted.map((counts) => ({ name: `list of ${listLength} new calls`, counts })),
    ...polls.flatMap(({ unchanged, byAnother, changed }) => [
      { name: `poll of ${agents} agents, unchanged`, counts: unchanged },
      { name: `poll of ${agents} agents, unchanged, other process`, counts: byAnother },
      ...[...changed].map(([count, counts]) => ({ name: `poll of ${agents} agents, ${count} changed`, counts })),
    ]),
  ];
};

/** A large contact centre, in which one agent of a hundred changes, and then one of ten. */
const pollScenario = { agents: 500, changes: [5, 50] };

/** The limit of requests to AWS before the reply to a new call, with cached accounts. */
const requestsPerNewCall = 1;

/** The requests and units of each kind of work. `npm run costs` turns them into dollars. */
export const calls: Part = {
  name: 'calls',
  what: 'requests and units of DynamoDB for each kind of callback and poll',
  async run({ onProgress }) {
    onProgress('starting DynamoDB Local');
    return withDynamodb(async (endpoint) => {
      const client = new DynamoDBClient(localClient(endpoint));
      await createTables(client, sandboxTables).finally(() => client.destroy());
      onProgress('counting');
      const cases = await countRequests({ endpoint, tableNames }, pollScenario);
      return {
        tables: [{ title: 'Requests to DynamoDB and units by kind of work', table: tableOf(cases) }],
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
  return requests === requestsPerNewCall
    ? []
    : [`A new call takes ${requests} requests before the reply; the limit is exactly ${requestsPerNewCall}.`];
};

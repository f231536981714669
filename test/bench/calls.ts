import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { createTables, type Tables } from '../../sandbox/dynamodb/create-tables.ts';
import { localClient, sandboxTables, tableNames } from '../../sandbox/local-aws.ts';
import { startAwsEndpoint } from './aws/aws-endpoint.ts';
import type { RecordedRequest } from './aws/services.ts';
import { countCalls, countPolls, type EmptyTables, type PollScenario } from './costs/count-all.ts';
import { type Counts, sum } from './costs/counts.ts';
import type { Metering } from './costs/meter.ts';
import { createReceiver } from './costs/metered-functions.ts';
import { polledAgents, slotClock } from './costs/poller.ts';
import { listOf } from './examples.ts';
import type { Part } from './part.ts';
import { figure, type Table, withDynamodb } from './part.ts';

/** One kind of work, and its requests and units. */
export interface Case {
  readonly name: string;
  readonly counts: Counts;
}

/** The number of calls in the posted list. */
const listLength = 20;

const countsOf = (requests: readonly RecordedRequest[]): Counts =>
  sum([requests.length, { dynamodbCalls: 1 }], ...requests.map(({ counts }) => [1, counts] as const));

/** Does each kind of work with empty tables in a running DynamoDB Local, and counts the requests. */
export const countRequests = async (
  { endpoint, tableNames, tables }: EmptyTables & { readonly tables: Tables },
  { agents, changes }: PollScenario,
): Promise<readonly Case[]> => {
  const time = slotClock();
  const aws = await startAwsEndpoint({ dynamodb: { endpoint, tables } });
  const client = new DynamoDBClient(localClient(aws.url));
  const metering: Metering = {
    client,
    telemetry: (name) => jsonTelemetry({ function: name, deployment: 'bench' }, () => undefined),
    add: () => undefined,
  };
  const counted = async (work: Promise<void>): Promise<Counts> => {
    await work;
    return countsOf(aws.takeRequests());
  };

  try {
    const receive = createReceiver(metering, time.clock, tableNames);
    const calls = await countCalls((data) => counted(receive(data)));
    const list = await counted(receive(listOf(listLength)));

    const { run, ...polled } = polledAgents(metering, { userName: 'demo', agents, tableName: tableNames.agents, time });
    const polls = await countPolls({ ...polled, serve: (process) => counted(run(process)) }, { agents, changes });
    return [
      { name: 'new call', counts: calls.first },
      { name: 'repeat', counts: calls.repeat },
      { name: 'revision', counts: calls.revision },
      { name: 'new call of two agents', counts: calls.transferred },
      { name: 'participant, with its call', counts: calls.participant },
      { name: `list of ${listLength} new calls`, counts: list },
      { name: `poll of ${agents} agents, unchanged`, counts: polls.unchanged },
      { name: `poll of ${agents} agents, unchanged, other process`, counts: polls.byAnother },
      ...[...polls.changed].map(([count, counts]) => ({ name: `poll of ${agents} agents, ${count} changed`, counts })),
    ];
  } finally {
    client.destroy();
    await aws.close();
  }
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
      const cases = await countRequests({ endpoint, tableNames, tables: sandboxTables }, pollScenario);
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

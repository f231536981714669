import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { writeInBatches } from '../../functions/adapters/dynamo-agent-table.ts';
import { marshalled, type Row } from '../../lib/storage/rows.ts';
import { agentsTable, callsTable } from '../../lib/storage/tables.ts';
import { createTableInput } from '../../sandbox/dynamodb/start-store.ts';
import { createClosers } from '../../sandbox/frame/lifecycle.ts';
import { localAccessKey, localClient, localRegion, tableNames } from '../../sandbox/frame/local-aws.ts';
import { deployment } from '../../test/deployment/index.ts';
import { virtualEnvironment } from '../../test/end-to-end/deployed/python-environment.ts';
import { specificationSummary } from '../../test/fixtures/calls.ts';
import { root } from '../../test/support/process-tree.ts';
import { median } from '../../test/support/statistics.ts';
import { type Part, withDynamodb } from '../part.ts';

const calls = 20_000;
const midnight = '2026-11-19T18:30:00.000Z';
/** Of ten calls one is missed. Two thirds of the customers have two calls, seldom both missed. */
const missedEvery = 10;
const customers = 12_001;

/** A row as the deployed functions make it of an answered call and of a missed one. */
const patterns = async (): Promise<readonly [answered: Row, missed: Row]> => {
  const d = await deployment();
  await d.post({ ...specificationSummary, monitorUCID: '1' });
  await d.post({ ...specificationSummary, monitorUCID: '2', Status: 'NotAnswered', AudioFile: '' });
  const found = [await d.row('1'), await d.row('2')];
  await d.stop();
  const [answered, missed] = found;
  if (answered === undefined || missed === undefined) throw new Error('A call has no row');
  return [answered, missed];
};

/** The calls of a day, evenly spread. */
const dayOfCalls = ([answered, missed]: readonly [Row, Row]): readonly Row[] =>
  Array.from({ length: calls }, (_, at) => {
    const national = String(9_000_000_000 + ((at * 7_919) % customers));
    const callId = String(41_781_234_500_000_000n + BigInt(at));
    const listedAt = new Date(Date.parse(midnight) + Math.floor((at * 86_400_000) / calls)).toISOString();
    return {
      ...(at % missedEvery === 0 ? missed : answered),
      pk: `demo#${callId}`,
      callId,
      listedAt,
      startedAt: listedAt,
      endedAt: new Date(Date.parse(listedAt) + 250_000).toISOString(),
      customerNumber: `0${national}`,
      customerNumberE164: `+91${national}`,
      customerCalls: `demo#0${national}`,
    };
  });

const fill = async (endpoint: string): Promise<void> => {
  const client = new DynamoDBClient(localClient(endpoint));
  await client.send(new CreateTableCommand(createTableInput(tableNames.calls, callsTable)));
  await client.send(new CreateTableCommand(createTableInput(tableNames.agents, agentsTable)));
  const requests = dayOfCalls(await patterns()).map((row) => ({ PutRequest: { Item: marshalled(row) } }));
  await writeInBatches({ client, tableName: tableNames.calls, deadlineMs: 600_000 }, requests);
  client.destroy();
};

/** What a program prints, and how long it took. */
interface Measured {
  readonly seconds: number;
  readonly callers: number;
  /** Of each operation of DynamoDB how many requests, and the seconds of all. */
  readonly requests: Readonly<Record<'Query' | 'BatchGetItem', readonly [count: number, seconds: number]>>;
}

/** A line of the table. Both programs read the list in the same way, so the two operations stand apart. */
const lineOf = ([name, runs]: readonly [string, readonly Measured[]]): readonly string[] => {
  const middle = (secondsOf: (run: Measured) => number) => median(runs.map(secondsOf)).toFixed(1);
  const operation = (which: keyof Measured['requests']) => [
    String(runs[0]?.requests[which][0]),
    middle(({ requests }) => requests[which][1]),
  ];
  return [
    name,
    middle(({ seconds }) => seconds),
    ...operation('Query'),
    ...operation('BatchGetItem'),
    String(runs[0]?.callers),
  ];
};

const programs = { 'every row': 'every_row.py', 'the module': 'module.py' } as const;

/** Who called in vain on a day of 20,000 calls, in Python: by the row of every call, and by the module. */
export const python: Part = {
  name: 'python',
  what: 'who called in vain on a day of 20,000 calls, in Python: by every row, and by the module',
  run: ({ repetitions, onProgress }) =>
    withDynamodb(async (endpoint) => {
      const closers = createClosers();
      try {
        const requirements = ['docs/examples/python-subscriber/requirements.txt', 'test/requirements.txt'];
        const program = await virtualEnvironment('callfeed-examples', requirements, closers);
        onProgress(`${calls} calls are written`);
        await fill(endpoint);
        const environment = {
          ...process.env,
          PYTHONPATH: join(root, 'python'),
          PYTHONDONTWRITEBYTECODE: '1',
          AWS_ENDPOINT_URL_DYNAMODB: endpoint,
          AWS_DEFAULT_REGION: localRegion,
          AWS_ACCESS_KEY_ID: localAccessKey,
          AWS_SECRET_ACCESS_KEY: 'any',
        };
        const last = new Date(Date.parse(midnight) + 86_399_999).toISOString();
        const runs = new Map(Object.keys(programs).map((name): [string, Measured[]] => [name, []]));
        for (let round = 1; round <= repetitions; round++)
          for (const [name, file] of Object.entries(programs)) {
            const startedAt = performance.now();
            const args = [join(root, 'bench/python', file), midnight, last];
            const { stdout } = await promisify(execFile)(program, args, { env: environment });
            runs.get(name)?.push({ ...JSON.parse(stdout), seconds: (performance.now() - startedAt) / 1_000 });
            onProgress(`round ${round}: ${name}`);
          }
        const rows = [...runs].map(lineOf);
        const callers = new Set([...runs.values()].flat().map((run) => run.callers));
        return {
          tables: [
            {
              title: `Who called in vain on a day of ${calls} calls, in Python`,
              table: { head: ['by', 'seconds', 'Query', 'seconds', 'BatchGetItem', 'seconds', 'callers'], rows },
            },
          ],
          data: rows,
          failures: callers.size === 1 ? [] : ['the two find different callers'],
        };
      } finally {
        await closers.closeAll();
      }
    }),
};

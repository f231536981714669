import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callsTable } from '../../lib/storage/tables.ts';
import { findJava, startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';
import { createTables, dynamodbFaults, forwardTo } from '../../sandbox/dynamodb/start-store.ts';
import { createFaultBoard, withFaults } from '../../sandbox/faults.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { serveForTest } from '../support/local-servers.ts';

/** A folder whose `bin/java` prints a version, as a Java runtime does, on standard error. */
const homeOf = async (version: string): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'callfeed-java-'));
  const program = join(home, 'bin', 'java');
  await mkdir(join(home, 'bin'));
  await writeFile(program, `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`);
  await chmod(program, 0o755);
  return home;
};

describe('findJava', () => {
  it.each(['17.0.15', '21', '25-ea'])('finds Java %s in JAVA_HOME', async (version) => {
    const home = await homeOf(version);

    expect(await findJava(home, 'no-such-command')).toEqual({ command: join(home, 'bin', 'java') });
  });

  it('finds Java on the path if JAVA_HOME holds an old one', async () => {
    const [old, good] = await Promise.all([homeOf('11.0.1'), homeOf('17.0.1')]);
    const command = join(good, 'bin', 'java');

    expect(await findJava(old, command)).toEqual({ command });
  });

  it.each([
    ['1.8.0_392', /only Java 8 was found[\s\S]*version 17 or newer[\s\S]*apt-get install/],
    ['16.0.2', /only Java 16 was found/],
    [undefined, /no Java was found/],
  ])('names what to install if only Java %s is found', async (version, problem) => {
    const home = version === undefined ? undefined : await homeOf(version);

    expect(await findJava(home, 'no-such-command')).toEqual({ problem: expect.stringMatching(problem) });
  });
});

describe('the tables of an earlier run', () => {
  it('get the indexes that a newer version has, with the rows that have their keys', async () => {
    // Of its own: while an index is made, DynamoDB Local may not answer others.
    const dataFolder = await mkdtemp(join(tmpdir(), 'callfeed-data-'));
    const dynamodb = await startDynamodb({ port: 0, dataFolder });
    const client = new DynamoDBClient(localClient(dynamodb.endpoint));
    onTestFinished(async () => {
      client.destroy();
      await dynamodb.stop();
      await rm(dataFolder, { recursive: true });
    });
    const [TableName, IndexName] = ['calls', 'byLateRecording'];
    const indexes = callsTable.indexes.filter(({ name }) => name !== IndexName);
    await createTables(client, { [TableName]: { ...callsTable, indexes } });
    const keys = { pk: 'demo#1', sk: 'call', lateCalls: 'demo', firstRecordedAt: '2026-11-20T06:00:00.000Z' };
    const Item = Object.fromEntries(Object.entries(keys).map(([name, S]) => [name, { S }]));
    await client.send(new PutItemCommand({ TableName, Item }));

    await createTables(client, { [TableName]: callsTable });
    const late = {
      TableName,
      IndexName,
      KeyConditionExpression: 'lateCalls = :account',
      ExpressionAttributeValues: { ':account': { S: 'demo' } },
    };
    await expect.poll(async () => (await client.send(new QueryCommand(late))).Count, { timeout: 30_000 }).toBe(1);
  }, 60_000);
});

const board = createFaultBoard();
let received = 0;
const countingBoard: typeof board = {
  ...board,
  draw(name) {
    received += 1;
    return board.draw(name);
  },
};
let tables: TestTables;
let forward: ReturnType<typeof forwardTo>;
let served: Awaited<ReturnType<typeof serveForTest>>;
let client: DynamoDBClient;

beforeAll(async () => {
  tables = await startTestTables();
  forward = forwardTo(tables.endpoint);
  served = await serveForTest(withFaults(countingBoard, 'dynamodb', dynamodbFaults, forward));
  client = new DynamoDBClient(served.client);
});
afterEach(() => board.clear());
afterAll(async () => {
  client.destroy();
  await served.close();
  forward.close();
  await tables.stop();
});

const put = (id: string, abortSignal = AbortSignal.timeout(10_000)) =>
  client.send(new PutItemCommand({ TableName: tables.tableNames.quarantine, Item: { id: { S: id } } }), {
    abortSignal,
  });
const isStored = async (id: string) => {
  const Key = { id: { S: id } };
  return (
    (await tables.client.send(new GetItemCommand({ TableName: tables.tableNames.quarantine, Key }))).Item !== undefined
  );
};

describe('the proxy of DynamoDB', () => {
  it('forwards requests and answers', async () => {
    await put('forwarded');

    expect(await isStored('forwarded')).toBe(true);
  });

  it.each([
    ['throttle', 'ProvisionedThroughputExceededException', 400],
    ['error', 'InternalServerError', 500],
  ] as const)('answers as DynamoDB under the fault %s, and executes nothing', async (mode, name, httpStatusCode) => {
    board.set('dynamodb', { mode, rate: 1 });

    await expect(put(mode)).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
    expect(await isStored(mode)).toBe(false);
  });

  it('does not answer under the fault timeout, and executes nothing', async () => {
    board.set('dynamodb', { mode: 'timeout', rate: 1 });

    await expect(put('timeout', AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'AbortError' });
    expect(await isStored('timeout')).toBe(false);
  });

  it('answers 500 to a hanging request once the fault ends', async () => {
    board.set('dynamodb', { mode: 'timeout', rate: 1 });
    const before = received;
    const hanging = expect(put('hanging')).rejects.toMatchObject({ name: 'InternalServerError' });
    await expect.poll(() => received).toBe(before + 1);
    board.set('dynamodb', { mode: 'none', rate: 1 });

    await hanging;
    await put('afterwards');
    expect(await isStored('hanging')).toBe(false);
  });
});

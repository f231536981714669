import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AttributeValue,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, ExpiredIteratorException, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { callsTable } from '../../lib/storage/tables.ts';
import { findJava, startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';
import { createTables, dynamodbFaults, forwardTo } from '../../sandbox/dynamodb/start-store.ts';
import { createFaultBoard, withFaults } from '../../sandbox/frame/faults.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { serve } from '../../sandbox/frame/serve.ts';
import { lambdaImage } from '../../sandbox/stream/shard.ts';
import { createCheckpoints, type InvokeWithRecords, startStreamReader } from '../../sandbox/stream/stream-reader.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { serveForTest } from '../support/local-servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder whose `bin/java` prints a version, as a Java runtime does, on standard error. */
const homeOf = (version: string): string => {
  const home = temporaryFolder('java').path;
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'java'), `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`, { mode: 0o755 });
  return home;
};

describe('findJava', () => {
  it.each(['17.0.15', '21', '25-ea'])('finds Java %s in JAVA_HOME', async (version) => {
    const home = homeOf(version);

    expect(await findJava(home, 'no-such-command')).toEqual({ command: join(home, 'bin', 'java') });
  });

  it('finds Java on the path if JAVA_HOME holds an old one', async () => {
    const old = homeOf('11.0.1');
    const good = homeOf('17.0.1');
    const command = join(good, 'bin', 'java');

    expect(await findJava(old, command)).toEqual({ command });
  });

  it.each([
    ['1.8.0_392', /only Java 8 was found[\s\S]*version 17 or newer[\s\S]*apt-get install/],
    ['16.0.2', /only Java 16 was found/],
    [undefined, /no Java was found/],
  ])('names what to install if only Java %s is found', async (version, problem) => {
    const found = await findJava(version && homeOf(version), 'no-such-command');

    expect(found).toEqual({ problem: expect.stringMatching(problem) });
  });
});

/** Instead of Java. It asks at an address whether its port is taken, and then ends, as DynamoDB Local does, or answers. */
const askingJava = (address: string): string => `#!${process.execPath}
const { createServer } = require('node:http');
const args = process.argv.slice(2);
const argument = (name) => args[args.indexOf(name) + 1];
const allowed = { 'access-control-allow-origin': argument('-cors') };
const start = async () => {
  const answer = await fetch('${address}/' + argument('-port'));
  if (!answer.ok) throw new Error('Address already in use');
  createServer((_, response) => response.writeHead(204, allowed).end()).listen(Number(argument('-port')), '127.0.0.1');
};
if (args[0] === '-version') console.error('openjdk version "21"');
else start();
`;

describe('a port that another program takes before DynamoDB Local listens', () => {
  /** Takes each of the first ports, and answers there as somebody else’s DynamoDB Local. */
  const takePorts = async (count: number) => {
    const taken: string[] = [];
    const asked = await serve(async ({ path }) => {
      if (taken.length === count) return { status: 200, body: '' };
      const port = path.slice(1);
      taken.push(port);
      const other = await serve(async () => ({ status: 200, body: '{"TableNames":[]}' }), {
        number: Number(port),
        flag: 'taken',
      });
      others.push(other.close);
      return { status: 409, body: '' };
    });
    const others = [asked.close];
    onTestFinished(async () => {
      await Promise.all(others.map((close) => close()));
    });
    const home = homeOf('21');
    writeFileSync(join(home, 'bin', 'java'), askingJava(asked.url), { mode: 0o755 });
    vi.stubEnv('JAVA_HOME', home);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    return taken;
  };

  it('is left to it, and another one is used', async () => {
    const taken = await takePorts(2);

    const { endpoint, stop } = await startDynamodb();
    await stop();
    expect(taken).toHaveLength(2);
    expect(taken).not.toContain(new URL(endpoint).port);
  });

  it('is told where that goes on', async () => {
    const taken = await takePorts(Number.POSITIVE_INFINITY);

    await expect(startDynamodb()).rejects.toThrow(/ended before it answered[\s\S]*Address already in use/);
    expect(taken).toHaveLength(5);
  });
});

describe('the tables of an earlier run', () => {
  it('get the indexes that a newer version has, with the rows that have their keys', async () => {
    // Of its own: while an index is made, DynamoDB Local may not answer others.
    const dynamodb = await startDynamodb(temporaryFolder('data').path);
    const client = new DynamoDBClient(localClient(dynamodb.endpoint));
    onTestFinished(async () => {
      client.destroy();
      await dynamodb.stop();
    });
    const TableName = 'calls';
    const IndexName = 'byLateRecording';
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

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

describe('the proxy of DynamoDB', () => {
  const board = createFaultBoard();
  let received = 0;
  const draw: typeof board.draw = (name) => {
    received += 1;
    return board.draw(name);
  };
  let client: DynamoDBClient;
  beforeAll(async () => {
    const forward = forwardTo(tables.endpoint);
    const served = await serveForTest(withFaults({ ...board, draw }, 'dynamodb', dynamodbFaults, forward));
    client = new DynamoDBClient(served.client);
    return async () => {
      client.destroy();
      await served.close();
      forward.close();
    };
  });
  afterEach(() => board.clear());

  const put = (id: string, abortSignal = AbortSignal.timeout(10_000)) =>
    client.send(new PutItemCommand({ TableName: tables.tableNames.quarantine, Item: { id: { S: id } } }), {
      abortSignal,
    });
  const isStored = async (id: string) => {
    const get = new GetItemCommand({ TableName: tables.tableNames.quarantine, Key: { id: { S: id } } });
    return (await tables.client.send(get)).Item !== undefined;
  };

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

it('an image has each value of a row, in Lambda’s JSON', () => {
  const texts = { text: 'a', empty: '', number: -1.5, zero: 0, yes: true, no: false, nothing: null };
  const row = {
    ...texts,
    list: [],
    lists: [texts, ['']],
    map: {},
    maps: { texts },
    set: new Set(['a']),
    sum: new Set([0]),
  };

  expect(unmarshall(lambdaImage(marshall(row)) as Record<string, AttributeValue>)).toEqual(row);
  expect(lambdaImage({ bytes: { B: Buffer.from('a') }, all: { BS: [Buffer.from('b')] } })).toEqual({
    bytes: { B: 'YQ==' },
    all: { BS: ['Yg=='] },
  });
});

describe('startStreamReader', () => {
  let client: DynamoDBStreamsClient;
  let arn = '';
  const readers: ReturnType<typeof startStreamReader>[] = [];
  beforeAll(async () => {
    client = new DynamoDBStreamsClient(localClient(tables.endpoint));
    const { Table } = await tables.client.send(new DescribeTableCommand({ TableName: tables.tableNames.calls }));
    arn = Table?.LatestStreamArn ?? '';
    return () => client.destroy();
  });
  afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.stop(0))));

  /** The tests share one stream. Each reads the changes of its own item only. */
  let pk: string;
  beforeEach(() => {
    pk = randomUUID();
  });
  const put = async (...names: string[]) => {
    for (const name of names) {
      const Item = { pk: { S: pk }, sk: { S: 'call' }, name: { S: name } };
      await tables.client.send(new PutItemCommand({ TableName: tables.tableNames.calls, Item }));
    }
  };
  const namesOf = ({ Records }: DynamoDBStreamEvent) =>
    Records.filter(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S === pk).map(
      ({ dynamodb }) => dynamodb?.NewImage?.['name']?.S ?? '',
    );

  const read = (
    invoke: InvokeWithRecords,
    checkpoints = createCheckpoints(),
    through: Pick<DynamoDBStreamsClient, 'send'> = client,
  ) => {
    const reader = startStreamReader({
      stream: { client: through, arn },
      checkpoints,
      invoke,
      onFailure: () => undefined,
      pollMilliseconds: 20,
    });
    readers.push(reader);
    return reader;
  };

  it('delivers changes in order, including those from before it started', async () => {
    const seen: string[] = [];
    await put('a');
    read(async (event) => void seen.push(...namesOf(event)));
    await put('b', 'c');

    await expect.poll(() => seen).toEqual(['a', 'b', 'c']);
  });

  it('continues where an earlier reader stopped', async () => {
    const file = join(temporaryFolder('checkpoints').path, 'checkpoints.json');
    const seen: string[] = [];
    const collect: InvokeWithRecords = async (event) => void seen.push(...namesOf(event));
    await put('a', 'b');
    const first = read(collect, createCheckpoints(file));
    await expect.poll(() => seen).toEqual(['a', 'b']);
    await first.stop(2_000);

    await put('c');
    read(collect, createCheckpoints(file));

    await expect.poll(() => seen).toEqual(['a', 'b', 'c']);
  });

  it('delivers what is in the stream before it stops', async () => {
    const [seen, others]: [string[], string[]] = [[], []];
    const invoked = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    await put('a');
    const reader = read(async (event) => {
      seen.push(...namesOf(event));
      invoked.resolve();
      await proceed.promise;
    });
    await invoked.promise;
    await put('b');
    // It takes a moment until the change is in the stream. Another reader shows when it is.
    const other = read(async (event) => void others.push(...namesOf(event)));
    await expect.poll(() => others).toEqual(['a', 'b']);
    await other.stop(1_000);
    const stopped = reader.stop(5_000);
    proceed.resolve();
    await stopped;

    expect(seen).toEqual(['a', 'b']);
  });

  it('requests a new iterator when its own has expired', async () => {
    const seen: string[] = [];
    let expired = 0;
    const expiring = {
      send(command: unknown) {
        const expires = command instanceof GetRecordsCommand && expired++ < 2;
        if (expires) throw new ExpiredIteratorException({ message: 'expired', $metadata: {} });
        return client.send(command as GetRecordsCommand);
      },
    } as Pick<DynamoDBStreamsClient, 'send'>;
    await put('a');
    read(async (event) => void seen.push(...namesOf(event)), createCheckpoints(), expiring);

    await expect.poll(() => seen).toEqual(['a']);
  });
});

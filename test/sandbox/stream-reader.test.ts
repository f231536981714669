import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, ExpiredIteratorException, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localClient } from '../../sandbox/local-aws.ts';
import { createCheckpoints, type InvokeWithRecords, startStreamReader } from '../../sandbox/stream/stream-reader.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';

let tables: TestTables;
let client: DynamoDBStreamsClient;
let arn: string;
const readers: ReturnType<typeof startStreamReader>[] = [];

beforeAll(async () => {
  tables = await startTestTables();
  client = new DynamoDBStreamsClient(localClient(tables.endpoint));
  const { Table } = await tables.client.send(new DescribeTableCommand({ TableName: tables.tableNames.calls }));
  arn = Table?.LatestStreamArn ?? '';
});
afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.stop(0))));
afterAll(async () => {
  client.destroy();
  await tables.stop();
});

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
    ...{ checkpoints, invoke, onFailure: () => undefined, pollMilliseconds: 20 },
  });
  readers.push(reader);
  return reader;
};

describe('startStreamReader', () => {
  it('delivers changes in order, including those from before it started', async () => {
    const seen: string[] = [];
    await put('a');
    read(async (event) => void seen.push(...namesOf(event)));
    await put('b', 'c');

    await expect.poll(() => seen).toEqual(['a', 'b', 'c']);
  });

  it('continues where an earlier reader stopped', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'checkpoints.json');
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
    const seen: string[] = [];
    const others: string[] = [];
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
    const other = read(async (event) => {
      others.push(...namesOf(event));
    });
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

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, ExpiredIteratorException, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localClient } from '../../../sandbox/local-aws.ts';
import type { InvokeWithRecords } from '../../../sandbox/stream/deliver.ts';
import { createCheckpoints, type StreamReader, startStreamReader } from '../../../sandbox/stream/stream-reader.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';

let tables: TestTables;
let client: DynamoDBStreamsClient;
let arn: string;
const readers: StreamReader[] = [];

beforeEach(async () => {
  tables = await startTestTables();
  client = new DynamoDBStreamsClient(localClient(tables.endpoint));
  const { Table } = await tables.client.send(new DescribeTableCommand({ TableName: tables.tableNames.calls }));
  arn = Table?.LatestStreamArn ?? '';
});
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.stop(0)));
  client.destroy();
  await tables.stop();
});

const put = async (...names: string[]) => {
  for (const name of names) {
    const Item = { pk: { S: 'call' }, sk: { S: 'leg' }, name: { S: name } };
    await tables.client.send(new PutItemCommand({ TableName: tables.tableNames.calls, Item }));
  }
};
const namesOf = ({ Records }: DynamoDBStreamEvent) =>
  Records.map(({ dynamodb }) => dynamodb?.NewImage?.['name']?.S ?? '');

const read = (
  invoke: InvokeWithRecords,
  checkpoints = createCheckpoints(),
  through: Pick<DynamoDBStreamsClient, 'send'> = client,
) => {
  const reader = startStreamReader({ stream: { client: through, arn }, checkpoints, invoke, pollMilliseconds: 20 });
  readers.push(reader);
  return reader;
};

describe('startStreamReader', () => {
  it('hands changes over in order, those from before it started as well', async () => {
    const seen: string[] = [];
    await put('a');
    read(async (event) => void seen.push(...namesOf(event)));
    await put('b', 'c');

    await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['a', 'b', 'c']);
  });

  it('tells of the images before and after', async () => {
    const events: DynamoDBStreamEvent[] = [];
    await put('a', 'b');
    read(async (event) => void events.push(event));

    await expect
      .poll(() => events.flatMap(({ Records }) => Records), { timeout: 5_000 })
      .toMatchObject([
        { eventName: 'INSERT', eventSource: 'aws:dynamodb', dynamodb: { NewImage: { name: { S: 'a' } } } },
        {
          eventName: 'MODIFY',
          eventSourceARN: arn,
          dynamodb: {
            Keys: { pk: { S: 'call' }, sk: { S: 'leg' } },
            OldImage: { name: { S: 'a' } },
            NewImage: { name: { S: 'b' } },
            ApproximateCreationDateTime: expect.any(Number),
            StreamViewType: 'NEW_AND_OLD_IMAGES',
          },
        },
      ]);
  });

  it('goes on where the one before it stopped', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'checkpoints.json');
    const seen: string[] = [];
    const take: InvokeWithRecords = async (event) => void seen.push(...namesOf(event));
    await put('a', 'b');
    const first = read(take, createCheckpoints(file));
    await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['a', 'b']);
    await first.stop(2_000);

    await put('c');
    read(take, createCheckpoints(file));

    await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['a', 'b', 'c']);
  });

  it('hands over what is left before it stops', async () => {
    const seen: string[] = [];
    const others: string[] = [];
    const started = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await put('a');
    const reader = read(async (event) => {
      seen.push(...namesOf(event));
      started.resolve();
      await goOn.promise;
    });
    await started.promise;
    await put('b');
    // Another reader tells when it is in the stream, which takes a moment.
    const other = read(async (event) => {
      others.push(...namesOf(event));
    });
    await expect.poll(() => others, { timeout: 20_000 }).toEqual(['a', 'b']);
    await other.stop(1_000);
    const stopped = reader.stop(5_000);
    goOn.resolve();
    await stopped;

    expect(seen).toEqual(['a', 'b']);
  });

  it('stops in time while the function fails', async () => {
    const failing = Promise.withResolvers<void>();
    await put('a');
    const reader = read(async () => {
      failing.resolve();
      throw new Error('no');
    });
    await failing.promise;

    await expect(reader.stop(50)).resolves.toBeUndefined();
  });

  it('asks for a new iterator when its own has expired', async () => {
    const seen: string[] = [];
    let expired = 0;
    const forgetful = {
      send(command: unknown) {
        const expires = command instanceof GetRecordsCommand && expired++ < 2;
        if (expires) throw new ExpiredIteratorException({ message: 'expired', $metadata: {} });
        return client.send(command as GetRecordsCommand);
      },
    } as Pick<DynamoDBStreamsClient, 'send'>;
    await put('a');
    read(async (event) => void seen.push(...namesOf(event)), createCheckpoints(), forgetful);

    await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['a']);
  });
});

import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbFaults, forwardTo } from '../../../sandbox/dynamodb/proxy.ts';
import { createFaultBoard, withFaults } from '../../../sandbox/faults.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { serveForTest } from '../../support/local-servers.ts';

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

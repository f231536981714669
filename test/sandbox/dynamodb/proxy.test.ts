import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbFaults, forwardTo } from '../../../sandbox/dynamodb/proxy.ts';
import { createFaultBoard, type FaultBoard, withFaults } from '../../../sandbox/faults.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { serveForTest } from '../../support/local-servers.ts';

const board = createFaultBoard();
let arrived = 0;
const counting: Pick<FaultBoard, 'draw' | 'untilLifted'> = {
  ...board,
  draw(name) {
    arrived += 1;
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
  served = await serveForTest(withFaults(counting, 'dynamodb', dynamodbFaults, forward));
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

describe('the way to DynamoDB', () => {
  it('passes requests and answers on', async () => {
    await put('passed');

    expect(await isStored('passed')).toBe(true);
  });

  it('passes on what DynamoDB refuses', async () => {
    const nowhere = new PutItemCommand({ TableName: 'nowhere', Item: { id: { S: 'a' } } });

    await expect(client.send(nowhere)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it.each([
    ['throttle', 'ProvisionedThroughputExceededException', 400],
    ['error', 'InternalServerError', 500],
  ] as const)(
    'answers under the fault %s as DynamoDB would, and executes nothing',
    async (mode, name, httpStatusCode) => {
      board.set('dynamodb', { mode, rate: 1 });

      await expect(put(mode)).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
      expect(await isStored(mode)).toBe(false);
    },
  );

  it('does not answer under the fault timeout, and executes nothing', async () => {
    board.set('dynamodb', { mode: 'timeout', rate: 1 });

    await expect(put('timeout', AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'AbortError' });
    expect(await isStored('timeout')).toBe(false);
  });

  it('answers 500 to what hangs once the fault is untilLifted', async () => {
    board.set('dynamodb', { mode: 'timeout', rate: 1 });
    const before = arrived;
    const hanging = expect(put('untilLifted')).rejects.toMatchObject({ name: 'InternalServerError' });
    await expect.poll(() => arrived).toBe(before + 1);
    board.set('dynamodb', { mode: 'none', rate: 1 });

    await hanging;
    await put('afterwards');
    expect(await isStored('untilLifted')).toBe(false);
  });
});

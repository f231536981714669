import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mapValues } from '../../lib/core/collections.ts';
import { canonicalJson } from '../../lib/core/json.ts';
import { agentsTable, quarantineTable } from '../../lib/storage/tables.ts';
import type { Handle } from '../../sandbox/frame/serve.ts';
import { lambdaImage } from '../../sandbox/stream/shard.ts';
import { dynamodbEndpoint, type LocalTables, startLocalTables } from '../support/dynamodb-local.ts';
import type { Item } from './memory-dynamodb.ts';
import { memoryDynamodb } from './memory-dynamodb.ts';

/** An operation that our functions use, and its input. */
interface DynamodbRequest {
  readonly operation: string;
  readonly input: object;
}

/** The names of the tables, and the prefix of the keys of this sequence. */
interface Names {
  readonly agents: string;
  readonly quarantine: string;
  readonly prefix: string;
}

type Request = (names: Names) => DynamodbRequest;

const value: fc.Arbitrary<AttributeValue> = fc.constantFrom<AttributeValue>(
  { S: 'text' },
  { S: '' },
  { S: 'नमस्ते' },
  { N: '0' },
  { N: '12.5' },
  { BOOL: false },
  { NULL: true },
  { L: [{ S: 'a' }, { N: '1' }] },
  { L: [] },
  { M: { inner: { L: [{ BOOL: true }] } } },
  { M: {} },
);
const version = fc.integer({ min: 1, max: 3 }).map((number) => ({ N: String(number) }));
const place = fc.record({ pk: fc.constantFrom('a', 'b'), sk: fc.constantFrom('1', '2', 'é', '\u{1F600}') });
const content = fc.record({ version, value }, { requiredKeys: ['version'] });
const shows = fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });

const keysAt = (prefix: string, { pk, sk }: { pk: string; sk: string }): Item => ({
  pk: { S: `${prefix}#${pk}` },
  sk: { S: sk },
});

const condition = fc.oneof(
  fc.constant({}),
  fc.constant({ ConditionExpression: 'attribute_not_exists(pk)' }),
  version.map((is) => ({ ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': is } })),
);

const guarded = fc
  .tuple(place, content, condition, shows)
  .map(([at, has, when, shown]) => ({ agents, prefix }: Names) => ({
    TableName: agents,
    Item: { ...keysAt(prefix, at), ...has },
    ...when,
    // DynamoDB accepts the request for the item only with a condition.
    ...('ConditionExpression' in when && shown),
  }));

const put: fc.Arbitrary<Request> = guarded.map((inputFor) => (names) => ({
  operation: 'PutItem',
  input: inputFor(names),
}));

const changes = fc.uniqueArray(fc.tuple(place, fc.option(content, { nil: undefined })), {
  minLength: 1,
  maxLength: 5,
  selector: ([{ pk, sk }]) => `${pk} ${sk}`,
});

const transaction: fc.Arbitrary<Request> = fc.tuple(guarded, changes).map(([guard, others]) => (names) => {
  const { agents: TableName, prefix } = names;
  const Put = guard(names);
  const item = JSON.stringify(Put.Item);
  // DynamoDB rejects an item that occurs twice.
  const rest = others.filter(([at]) => !item.startsWith(JSON.stringify(keysAt(prefix, at)).slice(0, -1)));
  const writes = rest.map(([at, has]) =>
    has === undefined
      ? { Delete: { TableName, Key: keysAt(prefix, at) } }
      : { Put: { TableName, Item: { ...keysAt(prefix, at), ...has } } },
  );
  return { operation: 'TransactWriteItems', input: { TransactItems: [{ Put }, ...writes] } };
});

const batch: fc.Arbitrary<Request> = changes.map((all) => ({ agents, prefix }) => ({
  operation: 'BatchWriteItem',
  input: {
    RequestItems: {
      [agents]: all.map(([at, has]) =>
        has === undefined
          ? { DeleteRequest: { Key: keysAt(prefix, at) } }
          : { PutRequest: { Item: { ...keysAt(prefix, at), ...has } } },
      ),
    },
  },
}));

const query: fc.Arbitrary<Request> = fc
  .tuple(place, fc.option(place, { nil: undefined }))
  .map(([{ pk, sk }, end]) => ({ agents, prefix }) => ({
    operation: 'Query',
    input: {
      TableName: agents,
      ConsistentRead: true,
      KeyConditionExpression: end === undefined ? 'pk = :pk' : 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': { S: `${prefix}#${pk}` }, ...(end !== undefined && between([sk, end.sk])) },
    },
  }));

/** DynamoDB rejects bounds in the wrong order. */
const between = (ends: readonly string[]) => {
  const [from = '', to = ''] = ends.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return { ':from': { S: from }, ':to': { S: to } };
};

/** As the publisher notes the latest callback. */
const advance: fc.Arbitrary<Request> = fc.tuple(place, fc.constantFrom('1', '2', '3')).map(([at, to]) => (names) => ({
  operation: 'UpdateItem',
  input: {
    TableName: names.agents,
    Key: keysAt(names.prefix, at),
    UpdateExpression: 'SET instant = :at, kind = :kind',
    ConditionExpression: 'attribute_not_exists(instant) OR instant < :at',
    ExpressionAttributeValues: { ':at': { S: to }, ':kind': { S: 'callbacks' } },
  },
}));

const keep: fc.Arbitrary<Request> = fc.tuple(fc.constantFrom('m', 'k'), value).map(([id, body]) => (names) => ({
  operation: 'PutItem',
  input: {
    TableName: names.quarantine,
    Item: { id: { S: `${names.prefix}#${id}` }, body },
    ConditionExpression: 'attribute_not_exists(id)',
  },
}));

const tooLarge: fc.Arbitrary<Request> = fc.tuple(guarded, fc.boolean()).map(([inputFor, isAlone]) => (names) => {
  const input = inputFor(names);
  const put = { ...input, Item: { ...input.Item, value: { S: 'x'.repeat(400 * 1024) } } };
  if (isAlone) return { operation: 'PutItem', input: put };
  return { operation: 'TransactWriteItems', input: { TransactItems: [{ Put: put }] } };
});

/** A request such as our functions make. */
const arbitraryRequest: fc.Arbitrary<Request> = fc.oneof(
  { weight: 6, arbitrary: put },
  { weight: 4, arbitrary: transaction },
  { weight: 2, arbitrary: batch },
  { weight: 2, arbitrary: query },
  { weight: 2, arbitrary: advance },
  { weight: 2, arbitrary: keep },
  { weight: 1, arbitrary: tooLarge },
);

let local: LocalTables;

beforeAll(async () => {
  local = await startLocalTables(await dynamodbEndpoint());
});

afterAll(() => local.stop());

/** The parts of an answer that our functions read. */
const answerOf = async (handle: Handle, { operation, input }: DynamodbRequest) => {
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}`, 'content-type': 'application/x-amz-json-1.0' };
  const { status, body = '' } = await handle({
    method: 'POST',
    path: '/',
    headers,
    body: Buffer.from(JSON.stringify(input)),
  });
  const answer = JSON.parse(String(body));
  const {
    __type: type = '',
    CancellationReasons: reasons = [],
    message: _message,
    Message: _Message,
    ...rest
  } = answer;
  return {
    status,
    type: type.split('#').at(-1),
    ...rest,
    reasons: reasons.map(({ Code, Item }: { Code: string; Item?: object }) => ({ Code, Item })),
  };
};

interface Change {
  readonly key: string;
  readonly before: object | undefined;
  readonly after: object | undefined;
}

/** DynamoDB orders the changes of one item, not those of two. */
const byKey = (changes: readonly Change[]) => Object.fromEntries([...Map.groupBy(changes, ({ key }) => key)].sort());

const tried = fc
  .sample(fc.array(arbitraryRequest, { minLength: 10, maxLength: 40 }), { seed: 20_261_121, numRuns: 12 })
  .map((requests, index) => ({ requests, index }));

describe('tables in memory', () => {
  it.each(tried)('answer, store and stream as DynamoDB Local does: sequence $index', async ({ requests, index }) => {
    const names = { agents: local.nameOf('agents'), quarantine: local.nameOf('quarantine'), prefix: `s${index}` };
    const inMemory: Change[] = [];
    const inStream: Change[] = [];
    const stop = local.follow((_table, { dynamodb: { Keys, OldImage, NewImage } = {} }) => {
      const [before, after] = [OldImage, NewImage].map((image) => image && lambdaImage(image));
      inStream.push({ key: canonicalJson(Keys), before, after });
    }, names.prefix);
    const tables = { [names.agents]: agentsTable, [names.quarantine]: quarantineTable };
    const memory = memoryDynamodb(({ table, keys, before, after }) => {
      if (table === names.agents) inMemory.push({ key: canonicalJson(keys), before, after });
    }, tables);

    for (const request of requests) {
      const each = request(names);
      const inReality = await answerOf(local.handle, each);
      expect(await answerOf(memory.handle, each), JSON.stringify(each).slice(0, 500)).toEqual(inReality);
    }
    await local.caughtUp((table) => table === 'agents', names.prefix);
    stop();

    expect(inMemory.length).toBeGreaterThan(0);
    expect(byKey(inMemory)).toEqual(byKey(inStream));
  });

  const kib = 1024;
  const row = (pk: string, sk: number, bytes = 10): Item => ({
    pk: { S: pk },
    sk: { S: String(sk).padStart(3, '0') },
    value: { S: 'x'.repeat(bytes) },
  });
  const rows = (pk: string, count: number, bytes?: number) =>
    Array.from({ length: count }, (_, index) => row(pk, index, bytes));
  const withNumber = (pk: string, N: string) => [{ ...row(pk, 1), value: { M: { list: { L: [{ N }] } } } }];
  const put = (TableName: string, Item: Item): DynamodbRequest => ({
    operation: 'PutItem',
    input: { TableName, Item },
  });
  const batch = (table: string, items: readonly Item[]): DynamodbRequest => ({
    operation: 'BatchWriteItem',
    input: { RequestItems: { [table]: items.map((Item) => ({ PutRequest: { Item } })) } },
  });
  const transaction = (TableName: string, items: readonly Item[]): DynamodbRequest => ({
    operation: 'TransactWriteItems',
    input: { TransactItems: items.map((Item) => ({ Put: { TableName, Item } })) },
  });
  const read = (table: string, items: readonly Item[]): DynamodbRequest => ({
    operation: 'BatchGetItem',
    input: { RequestItems: { [table]: { Keys: items.map(({ pk, sk }) => ({ pk, sk })) } } },
  });
  /** DynamoDB reads the items of a batch in any order, and leaves any of them unread. */
  const counted = ({ Responses, UnprocessedKeys, ...answer }: Awaited<ReturnType<typeof answerOf>>) => {
    const [found, unread] = [Responses, UnprocessedKeys].map((of) => JSON.stringify(of)?.match(/"pk"/g)?.length);
    return { ...answer, found, unread };
  };

  it.each<readonly [string, typeof transaction, (pk: string) => readonly Item[]]>([
    ['a transaction of 100 rows', transaction, (pk) => rows(pk, 100)],
    ['a transaction of 101 rows', transaction, (pk) => rows(pk, 101)],
    ['a transaction with a key twice', transaction, (pk) => [row(pk, 1), row(pk, 1, 9)]],
    ['a transaction of 4.1 MB', transaction, (pk) => rows(pk, 12, 350 * kib)],
    ['a transaction with NaN', transaction, (pk) => withNumber(pk, 'NaN')],
    ['a transaction with Infinity', transaction, (pk) => withNumber(pk, 'Infinity')],
    ['a transaction with 1e200', transaction, (pk) => withNumber(pk, '1e200')],
    ['a batch of 25 rows', batch, (pk) => rows(pk, 25)],
    ['a batch of 26 rows', batch, (pk) => rows(pk, 26)],
    ['a batch with a key twice', batch, (pk) => [row(pk, 1), row(pk, 1, 9)]],
    ['a batch with a row above 400 KB', batch, (pk) => rows(pk, 1, 400 * kib)],
    ['a read of 100 rows', read, (pk) => rows(pk, 100)],
    ['a read of 101 rows', read, (pk) => rows(pk, 101)],
    ['a read of more than 16 MB, which leaves keys unprocessed', read, (pk) => rows(pk, 60, 390 * kib)],
  ])('answer %s as DynamoDB Local does', async (what, request, items) => {
    const table = local.nameOf('agents');
    const memory = memoryDynamodb(() => undefined, { [table]: agentsTable });
    const [inMemory, inReality] = await Promise.all(
      [memory, local].map(async ({ handle }) => {
        for (const item of request === read ? items(what) : []) await answerOf(handle, put(table, item));
        return counted(await answerOf(handle, request(table, items(what))));
      }),
    );

    expect(inMemory).toEqual(inReality);
  });

  const [index] = agentsTable.indexes;
  const ofIndex = {
    IndexName: index?.name,
    KeyConditionExpression: `${index?.key.partition} = :pk`,
    ExpressionAttributeValues: { ':pk': { S: 'any' } },
  };
  it.each([
    ['a consistent read of an index', { ...ofIndex, ConsistentRead: true }],
    ['a read with a key above 2 KB', { Key: { pk: { S: 'x'.repeat(2049) }, sk: { S: 'any' } } }],
    ['a read with a sort key above 1 KB', { Key: { pk: { S: 'any' }, sk: { S: 'x'.repeat(1025) } } }],
  ])('reject %s as DynamoDB Local does', async (_what, input) => {
    const table = local.nameOf('agents');
    const memory = memoryDynamodb(() => undefined, { [table]: agentsTable });
    const request = { operation: 'Key' in input ? 'GetItem' : 'Query', input: { TableName: table, ...input } };

    const inReality = await answerOf(local.handle, request);
    expect(inReality.status).toBe(400);
    expect(await answerOf(memory.handle, request)).toEqual(inReality);
  });

  it.each([
    ['of all', undefined],
    ['by terms', 'attribute_exists(reason) AND reason <> :b AND receivedAt >= :b'],
    [
      'by alternatives in brackets',
      '(attribute_exists(account) OR attribute_exists(viaSecret)) AND attribute_not_exists(gone)',
    ],
  ])('scan a table %s as DynamoDB Local does', async (_title, filter) => {
    const table = await startLocalTables(await dynamodbEndpoint());
    onTestFinished(() => table.stop());
    const name = table.nameOf('quarantine');
    const memory = memoryDynamodb(() => undefined, { [name]: quarantineTable });
    const texts = (fields: Readonly<Record<string, string>>): Item => mapValues(fields, (text) => ({ S: text }));
    const items = [
      texts({ id: '1', reason: 'a', receivedAt: 'a', account: 'x' }),
      texts({ id: '2', reason: 'b', receivedAt: 'b', viaSecret: 'x' }),
      texts({ id: '3', reason: 'c', receivedAt: 'b', account: 'x', gone: 'x' }),
      texts({ id: '4', receivedAt: 'c' }),
    ];
    const input = {
      TableName: name,
      ...(filter !== undefined && { FilterExpression: filter }),
      ...(filter?.includes(':b') && { ExpressionAttributeValues: texts({ ':b': 'b' }) }),
    };
    const [inMemory, inReality] = await Promise.all(
      [memory, table].map(async ({ handle }) => {
        for (const item of items) await answerOf(handle, put(name, item));
        const { Items, ...counts } = await answerOf(handle, { operation: 'Scan', input });
        return { ...counts, ids: Items.map(({ id }: Item) => id?.S).sort() };
      }),
    );

    expect(inReality.ids.length).toBeGreaterThan(0);
    expect(inMemory).toEqual(inReality);
  });

  it('page at 1 MB as DynamoDB Local does', async () => {
    const table = local.nameOf('agents');
    const memory = memoryDynamodb(() => undefined, { [table]: agentsTable });
    for (const item of rows('paged', 7, 390 * kib))
      for (const { handle } of [local, memory]) await answerOf(handle, put(table, item));

    const counts: number[] = [];
    let next: Item | undefined;
    do {
      const input = {
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'paged' } },
        ...(next && { ExclusiveStartKey: next }),
      };
      const inReality = await answerOf(local.handle, { operation: 'Query', input });
      expect(await answerOf(memory.handle, { operation: 'Query', input })).toEqual(inReality);
      counts.push(inReality.Items.length);
      next = inReality.LastEvaluatedKey;
    } while (next !== undefined);
    expect(counts).toEqual([3, 3, 1]);
  });
});

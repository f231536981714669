import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import type { Item } from './requests.ts';

/** An operation that our functions use, and its input. */
export interface DynamodbRequest {
  readonly operation: string;
  readonly input: object;
}

/** The names of the tables, and the prefix of the keys of this sequence. */
export interface Names {
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

const count: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom('m', 'n'), fc.integer({ min: 1, max: 3 }))
  .map(([id, most]) => ({ quarantine, prefix }) => ({
    operation: 'UpdateItem',
    input: {
      TableName: quarantine,
      Key: { id: { S: `${prefix}#${id}` } },
      UpdateExpression: 'SET expiresAt = :expiresAt ADD entryCount :one',
      ConditionExpression: 'attribute_not_exists(entryCount) OR entryCount < :most',
      ExpressionAttributeValues: { ':expiresAt': { N: '9' }, ':one': { N: '1' }, ':most': { N: String(most) } },
      ReturnValues: 'UPDATED_NEW',
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
export const arbitraryRequest: fc.Arbitrary<Request> = fc.oneof(
  { weight: 6, arbitrary: put },
  { weight: 4, arbitrary: transaction },
  { weight: 2, arbitrary: batch },
  { weight: 2, arbitrary: query },
  { weight: 2, arbitrary: count },
  { weight: 2, arbitrary: keep },
  { weight: 1, arbitrary: tooLarge },
);

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import type { Table } from '../../lib/contract/tables.ts';
import { type AwsJson, awsJson, failure, operation, result } from '../../sandbox/http/aws-json.ts';
import type { Answer, Handle } from '../../sandbox/http/serve.ts';
import { changedBy, type Item, updated } from './dynamodb-expressions.ts';
import { Batch, Delete, Put, Query, Transaction, Update } from './dynamodb-inputs.ts';
import { byBytes, type ItemChange, memoryItems, type Write } from './memory-items.ts';

const dynamodb: AwsJson = {
  version: '1.0',
  service: 'DynamoDB_20120810',
  namespace: 'com.amazonaws.dynamodb.v20120810',
};

/** Tables in memory that answer what the functions ask, and refuse what DynamoDB refuses. */
export interface MemoryDynamodb {
  readonly handle: Handle;
  /** Every item of a table, by key. */
  readonly items: (table: string) => readonly Item[];
  /** Takes items away as time to live does. */
  readonly expire: (table: string, isOver: (item: Item) => boolean) => void;
}

/** A refusal that tells more than its type and message. */
const refused = (type: string, more: object): Answer => ({
  ...failure(dynamodb, 400, type, ''),
  body: JSON.stringify({ __type: `${dynamodb.namespace}#${type}`, message: type, ...more }),
});

/** Tables of these declarations; `onChange` is told every change in its order. */
export const memoryDynamodb = (
  tables: Readonly<Record<string, Table>>,
  onChange: (change: ItemChange) => void,
): MemoryDynamodb => {
  const { found, keyOf, holds, isStorable, apply, expire, all } = memoryItems(tables, onChange);

  const put = ({ TableName: table, Item: item, ...when }: z.infer<typeof Put>): Write => ({
    table,
    keys: keyOf(table, item),
    condition: when.ConditionExpression,
    values: when.ExpressionAttributeValues,
    showsItem: when.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    next: () => item,
  });
  const removal = ({ TableName: table, Key: keys, ...when }: z.infer<typeof Delete>): Write => ({
    table,
    keys,
    condition: when.ConditionExpression,
    values: when.ExpressionAttributeValues,
    showsItem: when.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    next: () => undefined,
  });

  const shown = (write: Write): { readonly Item?: Item } => {
    const item = write.showsItem ? found(write) : undefined;
    return item === undefined ? {} : { Item: item };
  };

  const alone = (write: Write, answer: () => unknown = () => ({})): Answer => {
    // An item that is too large is refused whatever the condition.
    if (!isStorable(write)) return refused('ValidationException', {});
    if (!holds(write)) return refused('ConditionalCheckFailedException', shown(write));
    apply(write);
    return result(dynamodb, answer());
  };

  const allOrNothing = (writes: readonly Write[]): Answer => {
    if (!writes.every(isStorable)) return refused('ValidationException', {});
    const CancellationReasons = writes.map((write) =>
      holds(write) ? { Code: 'None' } : { Code: 'ConditionalCheckFailed', ...shown(write) },
    );
    if (!writes.every(holds)) return refused('TransactionCanceledException', { CancellationReasons });
    for (const write of writes) apply(write);
    return result(dynamodb, {});
  };

  const handle = awsJson(dynamodb, {
    PutItem: operation(dynamodb, Put, (input) => alone(put(input))),
    DeleteItem: operation(dynamodb, Delete, (input) => alone(removal(input))),
    UpdateItem: operation(dynamodb, Update, ({ UpdateExpression, ...input }) => {
      const { Key: keys, ExpressionAttributeValues: values = {} } = input;
      const write = { ...removal(input), next: (item: Item = keys) => updated(UpdateExpression, item, values) };
      const { ReturnValues: isAsked } = input;
      return alone(write, () => (isAsked ? { Attributes: changedBy(UpdateExpression, found(write)) } : {}));
    }),
    TransactWriteItems: operation(dynamodb, Transaction, ({ TransactItems }) =>
      allOrNothing(
        TransactItems.flatMap(({ Put: item, Delete: key }) => [
          ...(item ? [put(item)] : []),
          ...(key ? [removal(key)] : []),
        ]),
      ),
    ),
    BatchWriteItem: operation(dynamodb, Batch, ({ RequestItems }) => {
      for (const [TableName, requests] of Object.entries(RequestItems))
        for (const { PutRequest, DeleteRequest } of requests) {
          if (PutRequest) apply(put({ TableName, ...PutRequest }));
          if (DeleteRequest) apply(removal({ TableName, ...DeleteRequest }));
        }
      return result(dynamodb, { UnprocessedItems: {} });
    }),
    Query: operation(dynamodb, Query, ({ TableName, ExpressionAttributeValues: values }) => {
      const { ':pk': pk, ':from': from, ':to': to } = values;
      const isWithin = (sk: AttributeValue | undefined) =>
        from === undefined || (byBytes(from, sk) <= 0 && byBytes(sk, to) <= 0);
      const Items = all(TableName).filter((item) => item['pk']?.S === pk?.S && isWithin(item['sk']));
      return result(dynamodb, { Items, Count: Items.length });
    }),
  });

  return { handle, items: all, expire };
};

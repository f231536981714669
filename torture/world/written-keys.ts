import type { Table } from '../../lib/contract/tables.ts';
import type { Item } from './dynamodb-expressions.ts';
import { Batch, Delete, Put, Transaction } from './dynamodb-inputs.ts';
import { keysIn } from './item-key.ts';

/** Where an item lies. */
export interface Place {
  readonly table: string;
  readonly keys: Item;
}

/** Which items a request may write, whatever becomes of it. */
export const writtenKeys = (
  tables: Readonly<Record<string, Table>>,
  operation: string,
  input: unknown,
): readonly Place[] => {
  const placeOf = (table: string, item: Item): readonly Place[] => {
    const key = tables[table]?.key;
    return key === undefined ? [] : [{ table, keys: keysIn(item, key) }];
  };
  const put = (asked: unknown) => {
    const { TableName, Item } = Put.parse(asked);
    return placeOf(TableName, Item);
  };
  const keyed = (asked: unknown) => {
    const { TableName, Key } = Delete.parse(asked);
    return placeOf(TableName, Key);
  };

  if (operation === 'PutItem') return put(input);
  if (operation === 'DeleteItem' || operation === 'UpdateItem') return keyed(input);
  if (operation === 'TransactWriteItems')
    return Transaction.parse(input).TransactItems.flatMap(({ Put, Delete }) => [
      ...(Put ? put(Put) : []),
      ...(Delete ? keyed(Delete) : []),
    ]);
  if (operation === 'BatchWriteItem')
    return Object.entries(Batch.parse(input).RequestItems).flatMap(([table, requests]) =>
      requests.flatMap(({ PutRequest, DeleteRequest }) => [
        ...(PutRequest ? placeOf(table, PutRequest.Item) : []),
        ...(DeleteRequest ? placeOf(table, DeleteRequest.Key) : []),
      ]),
    );
  return [];
};

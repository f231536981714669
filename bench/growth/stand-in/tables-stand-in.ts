import type * as z from 'zod';
import type { Table } from '../../../lib/contract/tables.ts';
import { itemBytes, maxItemBytes } from '../../../test/support/row-limits.ts';
import type { Item } from '../../costs/write-units.ts';
import { type KeptRows, keptRows, type Place } from './kept-rows.ts';
import { meets } from './meets.ts';
import { queried } from './queried.ts';
import { Batch, type Delete, Put, Query, Transaction } from './requests.ts';
import { answered, refused, type WireAnswer, type WireRequest } from './wire.ts';

/** What DynamoDB takes in one transaction and in one batch. */
const mostTogether = 100;
const mostInBatch = 25;

/** Tables in memory that answer as DynamoDB does whatever our functions ask; what they never ask throws. */
export interface TablesStandIn extends Pick<KeptRows, 'keep' | 'restore'> {
  answer(request: WireRequest): WireAnswer;
}

interface Write {
  readonly place: Place;
  readonly row: Item | undefined;
  readonly holds: boolean;
  /** What a refusal shows. */
  readonly shown: { readonly Item?: Item };
}

/** Empty tables of these declarations. */
export const tablesStandIn = (tables: Readonly<Record<string, Table>>): TablesStandIn => {
  const rows = keptRows(tables);

  const writeOf = (asked: z.infer<typeof Put> | z.infer<typeof Delete>): Write => {
    const { TableName, ConditionExpression, ExpressionAttributeValues, ReturnValuesOnConditionCheckFailure } = asked;
    const place = rows.placeOf(TableName, 'Item' in asked ? asked.Item : asked.Key);
    const before = rows.at(place);
    const isShown = before !== undefined && ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    return {
      place,
      row: 'Item' in asked ? asked.Item : undefined,
      holds: meets(ConditionExpression, before, ExpressionAttributeValues),
      shown: isShown ? { Item: before } : {},
    };
  };

  const apply = (writes: readonly Write[]): WireAnswer => {
    for (const { place, row } of writes) rows.set(place, row);
    return answered({});
  };

  const alone = (write: Write): WireAnswer => {
    if (!isStorable(write)) return refused('ValidationException');
    return write.holds ? apply([write]) : refused('ConditionalCheckFailedException', write.shown);
  };

  const together = (writes: readonly Write[]): WireAnswer => {
    const places = new Set(writes.map(({ place }) => JSON.stringify(place)));
    if (places.size < writes.length || writes.length > mostTogether || !writes.every(isStorable))
      return refused('ValidationException');
    if (writes.every(({ holds }) => holds)) return apply(writes);
    return refused('TransactionCanceledException', {
      CancellationReasons: writes.map(({ holds, shown }) =>
        holds ? { Code: 'None' } : { Code: 'ConditionalCheckFailed', ...shown },
      ),
    });
  };

  const eachAlone = ({ RequestItems }: z.infer<typeof Batch>): WireAnswer => {
    const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
      requests.map((request) =>
        writeOf({ TableName, ...('PutRequest' in request ? request.PutRequest : request.DeleteRequest) }),
      ),
    );
    const isTaken = writes.length <= mostInBatch && writes.every(isStorable);
    return isTaken ? apply(writes) : refused('ValidationException');
  };

  const operations: Readonly<Record<string, (input: unknown) => WireAnswer>> = {
    PutItem: (input) => alone(writeOf(Put.parse(input))),
    TransactWriteItems: (input) =>
      together(Transaction.parse(input).TransactItems.map((one) => writeOf('Put' in one ? one.Put : one.Delete))),
    BatchWriteItem: (input) => eachAlone(Batch.parse(input)),
    Query: (input) => answered(queried(rows, Query.parse(input))),
  };

  return {
    keep: rows.keep,
    restore: rows.restore,
    answer({ operation, body }) {
      const run = operations[operation];
      if (run === undefined) throw new Error(`The stand-in does not know ${operation}`);
      return run(JSON.parse(body));
    },
  };
};

const isStorable = ({ row = {} }: Write): boolean => itemBytes(row) <= maxItemBytes;

import * as z from 'zod';
import type { Tables } from '../../../sandbox/dynamodb/create-tables.ts';
import { forwardTo } from '../../../sandbox/dynamodb/proxy.ts';
import type { Answer, Received } from '../../../sandbox/http/serve.ts';
import { parseCommand } from '../costs/commands.ts';
import { type Item, indexUnits, type RowWrite, tableUnits } from '../costs/row-writes.ts';
import { type AwsRequest, type Consumption, nothingConsumed, type Outcome } from './services.ts';

type Units = Pick<Consumption, 'writeUnits' | 'indexWriteUnits' | 'readUnits'>;

const Part = z.object({ CapacityUnits: z.number() });
const Capacity = Part.extend({ GlobalSecondaryIndexes: z.record(z.string(), Part).default({}) });
const CapacityAnswer = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
});
const Put = z.object({ Item: z.custom<Item>().optional() });

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];

/** The units of a request as DynamoDB tells them in its answer. */
const reportedUnits = (operation: string, answer: unknown): Units => {
  const told = CapacityAnswer.parse(answer).ConsumedCapacity;
  const units = sumOf(told);
  if (!writes.includes(operation)) return { writeUnits: 0, indexWriteUnits: 0, readUnits: units };
  const ofIndexes = told.flatMap(({ GlobalSecondaryIndexes }) => Object.values(GlobalSecondaryIndexes));
  return { writeUnits: units, indexWriteUnits: sumOf(ofIndexes), readUnits: 0 };
};

const sumOf = (parts: readonly z.infer<typeof Part>[]): number =>
  parts.reduce((units, { CapacityUnits }) => units + CapacityUnits, 0);

/** The units of rows that are written all or none: twice what each would take alone. Refused, the indexes take none. */
const transactionUnits = (rows: readonly RowWrite[], isDone: boolean): Units => {
  const ofTables = rows.reduce((units, row) => units + 2 * tableUnits(row), 0);
  const ofIndexes = isDone ? rows.reduce((units, row) => units + 2 * indexUnits(row), 0) : 0;
  return { writeUnits: ofTables + ofIndexes, indexWriteUnits: ofIndexes, readUnits: 0 };
};

/** The units of one write that its condition refused, by the row that is there and the one that was not written. */
const rejectedUnits = (present: Item | undefined, input: unknown): number => {
  const { Item: after } = Put.parse(input);
  return tableUnits({ table: noTable, before: present, after });
};

const noTable: RowWrite['table'] = { key: { partition: '' }, timeToLive: 'expiresAt', published: [], indexes: [] };

const Row = z.custom<Item>((value) => typeof value === 'object' && value !== null);
const Found = z.object({ Item: Row.optional() });
const Rejection = z.object({ __type: z.string(), Item: Row.optional() });

/**
 * Passes requests on to DynamoDB Local, which tells what they took. Of a transaction it tells too little and of a refused
 * write nothing: there the rules of DynamoDB are followed, with the rows as they are.
 */
export const forwardDynamodb = ({ endpoint, tables }: { readonly endpoint: string; readonly tables: Tables }) => {
  const forward = forwardTo(endpoint);

  const ask = async (received: Received, operation: string, input: object): Promise<Answer> => {
    const headers = { ...received.headers, 'x-amz-target': `DynamoDB_20120810.${operation}` };
    return forward({ ...received, headers, body: Buffer.from(JSON.stringify(input)) });
  };

  /** The rows that a transaction is about to change, as they still are. */
  const writesIn = (received: Received, input: object): Promise<readonly RowWrite[]> =>
    Promise.all(
      parseCommand(input).targets.map(async ({ tableName, row, isRemoval: goes }) => {
        const table = tables[tableName];
        if (table === undefined) throw new Error(`Nothing is known of the table ${tableName}`);
        const names = [table.key.partition, table.key.sort ?? table.key.partition];
        const Key = Object.fromEntries(names.map((name) => [name, row[name]]));
        const answer = await ask(received, 'GetItem', { TableName: tableName, Key, ConsistentRead: true });
        return { table, before: Found.parse(contentOf(answer)).Item, after: goes ? undefined : row };
      }),
    );

  const carry = async ({ operation, input }: AwsRequest, received: Received): Promise<Outcome> => {
    const isConditional = input['ConditionExpression'] !== undefined;
    const writes = operation === 'TransactWriteItems' ? await writesIn(received, input) : undefined;
    const answer = await ask(received, operation, {
      ...input,
      ReturnConsumedCapacity: 'INDEXES',
      ...(isConditional && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    });
    const content = contentOf(answer);
    if (writes !== undefined)
      return { answer, taken: { ...nothingConsumed, ...transactionUnits(writes, isDone(answer)) } };
    if (isDone(answer)) return { answer, taken: { ...nothingConsumed, ...reportedUnits(operation, content) } };

    const refusal = Rejection.safeParse(content);
    if (!isConditional || !refusal.success || !refusal.data.__type.endsWith('#ConditionalCheckFailedException'))
      return { answer, taken: nothingConsumed };
    const taken: Consumption = { ...nothingConsumed, writeUnits: rejectedUnits(refusal.data.Item, input) };
    const asked = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD';
    return { answer: asked ? answer : { ...answer, body: withoutItem(refusal.data) }, taken };
  };

  return Object.assign(carry, { close: forward.close });
};

const isDone = ({ status }: Answer): boolean => status === 200;

const contentOf = ({ body = '' }: Answer): unknown => JSON.parse(Buffer.from(body).toString());

/** The row came only because it was asked for here. */
const withoutItem = ({ Item: _, ...refusal }: z.infer<typeof Rejection>): string => JSON.stringify(refusal);

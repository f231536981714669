import * as z from 'zod';
import type { Tables } from '../../sandbox/dynamodb/create-tables.ts';
import { forwardTo } from '../../sandbox/http/forward.ts';
import type { Answer, Received } from '../../sandbox/http/serve.ts';
import { rowsOf } from '../costs/command-rows.ts';
import type { Item, RowWrite } from '../costs/write-units.ts';
import type { Outcome } from './local-services.ts';
import { refusedUnits, toldUnits, transactionUnits } from './units.ts';
import { nothingTaken, type Taken, type WireRequest } from './wire-call.ts';

const Row = z.custom<Item>((value) => typeof value === 'object' && value !== null);
const Found = z.object({ Item: Row.optional() });
const Refusal = z.object({ __type: z.string(), Item: Row.optional() });

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
      rowsOf(input).targets.map(async ({ tableName, row, goes }) => {
        const table = tables[tableName];
        if (table === undefined) throw new Error(`Nothing is known of the table ${tableName}`);
        const names = [table.key.partition, table.key.sort ?? table.key.partition];
        const Key = Object.fromEntries(names.map((name) => [name, row[name]]));
        const answer = await ask(received, 'GetItem', { TableName: tableName, Key, ConsistentRead: true });
        return { table, before: Found.parse(contentOf(answer)).Item, after: goes ? undefined : row };
      }),
    );

  const carry = async ({ operation, input }: WireRequest, received: Received): Promise<Outcome> => {
    const isConditional = input['ConditionExpression'] !== undefined;
    const writes = operation === 'TransactWriteItems' ? await writesIn(received, input) : undefined;
    const answer = await ask(received, operation, {
      ...input,
      ReturnConsumedCapacity: 'INDEXES',
      ...(isConditional && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    });
    const content = contentOf(answer);
    if (writes !== undefined)
      return { answer, taken: { ...nothingTaken, ...transactionUnits(writes, isDone(answer)) } };
    if (isDone(answer)) return { answer, taken: { ...nothingTaken, ...toldUnits(operation, content) } };

    const refusal = Refusal.safeParse(content);
    if (!isConditional || !refusal.success || !refusal.data.__type.endsWith('#ConditionalCheckFailedException'))
      return { answer, taken: nothingTaken };
    const taken: Taken = { ...nothingTaken, writeUnits: refusedUnits(refusal.data.Item, input) };
    const asked = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD';
    return { answer: asked ? answer : { ...answer, body: withoutItem(refusal.data) }, taken };
  };

  return Object.assign(carry, { close: forward.close });
};

const isDone = ({ status }: Answer): boolean => status === 200;

const contentOf = ({ body = '' }: Answer): unknown => JSON.parse(Buffer.from(body).toString());

/** The row came only because it was asked for here. */
const withoutItem = ({ Item: _, ...refusal }: z.infer<typeof Refusal>): string => JSON.stringify(refusal);

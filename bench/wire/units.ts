import * as z from 'zod';
import { type Item, indexUnits, type RowWrite, tableUnits } from '../costs/write-units.ts';
import type { Taken } from './wire-call.ts';

type Units = Pick<Taken, 'writeUnits' | 'indexWriteUnits' | 'readUnits'>;

const Part = z.object({ CapacityUnits: z.number() });
const Capacity = Part.extend({ GlobalSecondaryIndexes: z.record(z.string(), Part).default({}) });
const Answer = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
});
const Put = z.object({ Item: z.custom<Item>().optional() });

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];

/** The units of a request as DynamoDB tells them in its answer. */
export const toldUnits = (operation: string, answer: unknown): Units => {
  const told = Answer.parse(answer).ConsumedCapacity;
  const units = sumOf(told);
  if (!writes.includes(operation)) return { writeUnits: 0, indexWriteUnits: 0, readUnits: units };
  const ofIndexes = told.flatMap(({ GlobalSecondaryIndexes }) => Object.values(GlobalSecondaryIndexes));
  return { writeUnits: units, indexWriteUnits: sumOf(ofIndexes), readUnits: 0 };
};

const sumOf = (parts: readonly z.infer<typeof Part>[]): number =>
  parts.reduce((units, { CapacityUnits }) => units + CapacityUnits, 0);

/** The units of rows that are written all or none: twice what each would take alone. Refused, the indexes take none. */
export const transactionUnits = (rows: readonly RowWrite[], isDone: boolean): Units => {
  const ofTables = rows.reduce((units, row) => units + 2 * tableUnits(row), 0);
  const ofIndexes = isDone ? rows.reduce((units, row) => units + 2 * indexUnits(row), 0) : 0;
  return { writeUnits: ofTables + ofIndexes, indexWriteUnits: ofIndexes, readUnits: 0 };
};

/** The units of one write that its condition refused, by the row that is there and the one that was not written. */
export const refusedUnits = (present: Item | undefined, input: unknown): number => {
  const { Item: after } = Put.parse(input);
  return tableUnits({ table: noTable, before: present, after });
};

const noTable: RowWrite['table'] = { key: { partition: '' }, timeToLive: 'expiresAt', published: [], indexes: [] };

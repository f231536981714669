import * as z from 'zod';
import type { Table } from '../../lib/storage/tables.ts';
import type { Answer, Handle } from '../../sandbox/frame/serve.ts';
import { type Item, keysIn, writesIn } from '../../test/deployment/memory-dynamodb.ts';
import type { Counts } from './counts.ts';
import { indexUnits, type RowWrite, tableUnits } from './row-writes.ts';

/** A request to DynamoDB. */
interface TableRequest {
  readonly operation: string;
  readonly input: object;
}

/** What a request consumed, and the rows that it wrote. */
export interface Consumption {
  readonly counts: Partial<Counts>;
  readonly writes: readonly RowWrite[];
}

export const nothingConsumed: Consumption = { counts: {}, writes: [] };

/** Of these writes the units follow from the rows. Powertools sends other writes; DynamoDB Local reports their units. */
const writesByRule = ['PutItem', 'BatchWriteItem', 'TransactWriteItems'];
const reads = ['Query', 'GetItem'];

/**
 * Passes requests on to DynamoDB Local, and says what each consumed and which rows it wrote.
 *
 * What a row was before a write is known from the requests before. So the tables have to be empty at first, and nobody else
 * may write to them.
 */
export const meteredTables = (forward: Handle, tables: Readonly<Record<string, Table>>) => {
  const remember = rememberedRows(tables);

  return async ({ operation, input }: TableRequest, received: Parameters<Handle>[0]) => {
    const written = writesByRule.includes(operation) ? remember({ operation, input }) : undefined;
    const body = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }));
    const answer = await forward({ ...received, body });
    const isDone = answer.status === 200;
    const reported = isDone ? reportedUnits(answer) : 0;

    if (written === undefined) {
      const counts = reads.includes(operation) ? { readUnits: reported } : { tableWriteUnits: reported };
      return { answer, consumed: { counts, writes: [] } };
    }
    const counts = unitsByRule(operation, written.writes);
    // A rejected write consumes what it would have consumed in the table, and nothing in the indexes.
    if (!isDone) return { answer, consumed: { counts: { tableWriteUnits: counts.tableWriteUnits }, writes: [] } };
    checkReported(operation, counts, reported);
    written.store();
    return { answer, consumed: { counts, writes: written.writes } };
  };
};

/** Remembers the rows of tables, so that each request can be compared with what its rows were before. */
const rememberedRows = (tables: Readonly<Record<string, Table>>) => {
  const rows = new Map<string, Item>();

  return ({ operation, input }: TableRequest) => {
    const written = writesIn(operation, input).map(({ table: tableName, item, next }) => {
      const table = tables[tableName];
      if (table === undefined) throw new Error(`The meter does not know the table ${tableName}`);
      const place = JSON.stringify([tableName, keysIn(item, table.key)]);
      const before = rows.get(place);
      const write: RowWrite = { table, before, after: next(before) };
      return { place, write };
    });
    return {
      writes: written.map(({ write }) => write),
      /** To be called once the request has succeeded. */
      store() {
        for (const { place, write } of written) {
          if (write.after === undefined) rows.delete(place);
          else rows.set(place, write.after);
        }
      },
    };
  };
};

/**
 * A transaction doubles the units of its rows. The units of the indexes stay as they are. AWS does not document that. Somebody measured it:
 * https://github.com/nubo-db/dynoxide/pull/188
 */
const unitsByRule = (operation: string, writes: readonly RowWrite[]) => {
  const times = operation === 'TransactWriteItems' ? 2 : 1;
  return {
    tableWriteUnits: times * writes.reduce((units, write) => units + tableUnits(write), 0),
    indexWriteUnits: writes.reduce((units, write) => units + indexUnits(write), 0),
  };
};

/** Throws where our rules and DynamoDB Local differ. Of a transaction it reports too few units, so the rules alone apply. */
const checkReported = (operation: string, counts: ReturnType<typeof unitsByRule>, reported: number): void => {
  const byRule = counts.tableWriteUnits + counts.indexWriteUnits;
  if (operation !== 'TransactWriteItems' && reported !== byRule)
    throw new Error(`DynamoDB Local reports ${reported} units for a write that takes ${byRule} by the rules`);
};

const Capacity = z.object({ CapacityUnits: z.number() });
/** A request for one table is answered with one capacity, a request for several with a list. */
const WithCapacity = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
});

/** The units that DynamoDB Local reports, as the request asked for them. */
const reportedUnits = ({ body = '' }: Answer): number =>
  WithCapacity.parse(JSON.parse(String(body))).ConsumedCapacity.reduce((units, one) => units + one.CapacityUnits, 0);

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Key, Table } from '../../lib/contract/tables.ts';
import { localClient } from '../../sandbox/local-client.ts';
import { rowsOf, type Target } from './command-rows.ts';
import { type Counts, sum } from './counts.ts';
import { type Item, indexUnits, type RowWrite, tableUnits } from './write-units.ts';

/** Tables by their physical names, in a running DynamoDB Local. */
export interface RunningTables {
  readonly endpoint: string;
  readonly tables: Readonly<Record<string, Table>>;
}

/** Who is told what commands took. */
export interface Listener {
  /** The units of a command, and the rows that it changed: none if it was refused. */
  onCommand(units: Partial<Counts>, written: readonly RowWrite[]): void;
  /** DynamoDB Local told other units than the rules give, so one of them is wrong. */
  onContradiction(message: string): void;
}

const Capacity = z.object({ CapacityUnits: z.number() });
const Answer = z.object({ ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]) });

/**
 * A client of which every command is metered, for tables that nobody else writes and that were empty: what is in them is
 * known from the commands. DynamoDB Local tells the units of reads, puts and batches, and these are held against the
 * rules by which units follow from rows. Of a transaction it tells too few, of a refused write none: these go by the
 * rules alone.
 */
export const meteredDynamodb = ({ endpoint, tables }: RunningTables, listener: Listener): DynamoDBClient => {
  const client = new DynamoDBClient(localClient(endpoint));
  const rows = new Map<string, Item>();

  const writeTo = ({ tableName, row, goes }: Target) => {
    const table = tables[tableName];
    if (table === undefined) throw new Error(`Nothing is known of the table ${tableName}`);
    const name = JSON.stringify([tableName, ...keyIn(row, table.key)]);
    const write: RowWrite = { table, before: rows.get(name), after: goes ? undefined : row };
    return { name, write };
  };

  client.middlewareStack.add(
    (next) => async (args) => {
      const { kind, targets } = rowsOf(args.input);
      const written = targets.map(writeTo);
      const units = sum(...written.map(({ write }) => [kind === 'transaction' ? 2 : 1, unitsOf(write)] as const));
      Object.assign(args.input, { ReturnConsumedCapacity: 'INDEXES' });

      const result = await next(args).catch((error: unknown) => {
        listener.onCommand({ tableWriteUnits: units.tableWriteUnits }, []);
        throw error;
      });
      for (const { name, write } of written) {
        if (write.after === undefined) rows.delete(name);
        else rows.set(name, write.after);
      }
      const told = toldIn(result.output);
      const byRule = units.tableWriteUnits + units.indexWriteUnits;
      if (kind === 'write' && told !== byRule)
        listener.onContradiction(`DynamoDB Local tells ${told} units of a write that by the rules takes ${byRule}`);
      listener.onCommand(
        kind === 'read' ? { readUnits: told } : units,
        written.map(({ write }) => write),
      );
      return result;
    },
    { step: 'initialize', name: 'meter' },
  );
  return client;
};

const unitsOf = (write: RowWrite): Partial<Counts> => ({
  tableWriteUnits: tableUnits(write),
  indexWriteUnits: indexUnits(write),
});

const toldIn = (output: object): number =>
  Answer.parse(output).ConsumedCapacity.reduce((units, { CapacityUnits }) => units + CapacityUnits, 0);

const keyIn = (row: Item, { partition, sort }: Key) => [row[partition], sort && row[sort]];

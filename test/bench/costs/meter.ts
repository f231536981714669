import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type BufferedTelemetry, jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import type { FunctionName } from '../../../functions/timeouts.ts';
import type { Key, Table } from '../../../lib/schema/tables.ts';
import type { Clock } from '../../../lib/telemetry/metrics.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { parseCommand, type Target } from './commands.ts';
import { type Counts, sum } from './counts.ts';
import { type Item, indexUnits, type RowWrite, storedBytes, tableUnits } from './row-writes.ts';

/** Tables by their physical names, in a running DynamoDB Local. */
export interface RunningTables {
  readonly endpoint: string;
  readonly tables: Readonly<Record<string, Table>>;
}

/** Who is told what commands took. */
export interface MeterListener {
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
const meteredDynamodb = ({ endpoint, tables }: RunningTables, listener: MeterListener): DynamoDBClient => {
  const client = new DynamoDBClient(localClient(endpoint));
  const rows = new Map<string, Item>();

  const writeTo = ({ tableName, row, isRemoval }: Target) => {
    const table = tables[tableName];
    if (table === undefined) throw new Error(`Nothing is known of the table ${tableName}`);
    const name = JSON.stringify([tableName, ...keyIn(row, table.key)]);
    const write: RowWrite = { table, before: rows.get(name), after: isRemoval ? undefined : row };
    return { name, write };
  };

  client.middlewareStack.add(
    (next) => async (args) => {
      const { kind, targets } = parseCommand(args.input);
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
      const told = reportedUnits(result.output);
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

const reportedUnits = (output: object): number =>
  Answer.parse(output).ConsumedCapacity.reduce((units, { CapacityUnits }) => units + CapacityUnits, 0);

const keyIn = (row: Item, { partition, sort }: Key) => [row[partition], sort && row[sort]];

/** What a function is built on that is measured. */
export interface Metering {
  readonly client: DynamoDBClient;
  /** The log and metrics of a function. */
  telemetry(name: FunctionName): BufferedTelemetry;
  add(counts: Partial<Counts>): void;
}

/** Counts what functions take that are built on it. */
export interface Meter extends Metering {
  /** The rows that were changed since the last time, in order. */
  changes(): readonly RowWrite[];
  /** What was taken since the last time. Throws if something failed on the way: then it is no usual work. */
  take(): Counts;
  stop(): void;
}

/** What a meter reads, and what it writes into logs. */
export interface MeterSettings extends RunningTables {
  readonly clock: Clock;
  readonly deployment: string;
}

/** A meter at empty tables of a running DynamoDB Local. */
export const startMeter = ({ clock, deployment, ...running }: MeterSettings): Meter => {
  const parts: Partial<Counts>[] = [];
  const changed: RowWrite[] = [];
  const troubles: string[] = [];

  const client = meteredDynamodb(running, {
    onCommand(units, written) {
      parts.push({ dynamodbCalls: 1 }, units, ...written.map((write) => storedBytes(write, clock())));
      changed.push(...written);
    },
    onContradiction: (message) => troubles.push(message),
  });

  const write = (line: string): void => {
    if (line.includes('"level":"error"')) troubles.push(line);
    parts.push({ logBytes: Buffer.byteLength(line.trimEnd()) });
  };

  return {
    client,
    stop: () => client.destroy(),
    telemetry: (name) => jsonTelemetry({ function: name, deployment }, write),
    add: (counts) => void parts.push(counts),
    changes: () => changed.splice(0),
    take() {
      if (troubles.length > 0) throw new Error(`What was counted is not what is usual:\n${troubles.join('\n')}`);
      return sum(...parts.splice(0).map((part) => [1, part] as const));
    },
  };
};

/** What a function is built on of which time and memory are measured. */
export interface CheckedMetering extends Metering {
  /** Throws unless this was in what the function wrote since the last time, and nothing of a fault. */
  check(text: string): void;
}

/** Nothing is counted; the log is looked at, so that work which failed is not taken for fast work. */
export const checkedMetering = (client: DynamoDBClient): CheckedMetering => {
  const lines: string[] = [];
  return {
    client,
    add: () => undefined,
    telemetry: (name) => jsonTelemetry({ function: name, deployment: 'bench' }, (line) => lines.push(line)),
    check(text) {
      const written = lines.splice(0).join('');
      if (!written.includes(text) || written.includes('"level":"error"'))
        throw new Error(`The function did not do what is measured; it wrote:\n${written}`);
    },
  };
};

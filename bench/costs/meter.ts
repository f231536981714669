import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type BufferedTelemetry, jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import type { Clock } from '../../lib/core/time.ts';
import type { Key, Table } from '../../lib/storage/tables.ts';
import type { MonitoringMode } from '../../lib/telemetry/metrics.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import type { RequestWrite } from '../../test/deployment/memory-dynamodb/requests.ts';
import {
  type Counts,
  type Item,
  indexUnits,
  parseCommand,
  type RowWrite,
  storedBytes,
  sum,
  tableUnits,
} from './counts.ts';

export type MeteredTables = Readonly<Record<string, Table>>;

const Capacity = z.object({ CapacityUnits: z.number() });
const Answer = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
});

/** The units that DynamoDB reports in an answer if the request asks for them. */
export const reportedUnits = (answer: unknown): number =>
  Answer.parse(answer).ConsumedCapacity.reduce((units, { CapacityUnits }) => units + CapacityUnits, 0);

/**
 * Meters commands to tables that were empty and that nobody else writes: their rows are known from the commands. DynamoDB
 * Local reports the units of reads, puts and batches, and those of writes are compared with the rules by which units
 * follow from rows. It reports too few units of a transaction and none of a rejected write, so the rules alone apply. A
 * transaction doubles the units of its rows, but not those of the indexes. AWS does not document that. Somebody measured it:
 * https://github.com/nubo-db/dynoxide/pull/188
 */
export const commandMeter = (tables: MeteredTables) => {
  const rows = new Map<string, Item>();

  const writeTo = ({ table: tableName, item: row, isRemoval }: RequestWrite) => {
    const table = tables[tableName];
    if (table === undefined) throw new Error(`The meter does not know the table ${tableName}`);
    const name = JSON.stringify([tableName, ...keyIn(row, table.key)]);
    const write: RowWrite = { table, before: rows.get(name), after: isRemoval ? undefined : row };
    return { name, write };
  };

  /** What a command would write, and the units that it consumes. */
  return (input: object) => {
    const { kind, targets } = parseCommand(input);
    const written = targets.map(writeTo);
    const times = kind === 'transaction' ? 2 : 1;
    const apply = (): void => {
      for (const { name, write } of written) {
        if (write.after === undefined) rows.delete(name);
        else rows.set(name, write.after);
      }
    };
    const units = sum(...written.map(({ write }) => [1, unitsOf(write)] as const));
    const { indexWriteUnits } = units;
    const tableWriteUnits = times * units.tableWriteUnits;
    return {
      kind,
      writes: written.map(({ write }) => write),
      /** The units where a condition rejected it: those of the table alone. */
      rejectedUnits: { tableWriteUnits },
      apply,
      /** Applies the command, and returns its units. Throws if DynamoDB Local reported other units than the rules give. */
      done(reported: number): Partial<Counts> {
        apply();
        const byRule = tableWriteUnits + indexWriteUnits;
        if (kind === 'write' && reported !== byRule)
          throw new Error(`DynamoDB Local reports ${reported} units for a write that takes ${byRule} by the rules`);
        return kind === 'read' ? { readUnits: reported } : { tableWriteUnits, indexWriteUnits };
      },
    };
  };
};

const unitsOf = (write: RowWrite): Partial<Counts> => ({
  tableWriteUnits: tableUnits(write),
  indexWriteUnits: indexUnits(write),
});

const keyIn = (row: Item, { partition, sort }: Key) => [row[partition], sort && row[sort]];

export interface Metering {
  readonly client: DynamoDBClient;
  telemetry(name: FunctionName): BufferedTelemetry;
  add(counts: Partial<Counts>): void;
}

interface MeterSettings {
  readonly endpoint: string;
  readonly tables: MeteredTables;
  readonly clock: Clock;
  readonly deployment: string;
  readonly metrics: MonitoringMode;
}

export const startMeter = ({ endpoint, tables, clock, deployment, metrics }: MeterSettings) => {
  const parts: Partial<Counts>[] = [];
  const changed: RowWrite[] = [];
  const problems: string[] = [];
  const client = new DynamoDBClient(localClient(endpoint));
  const meter = commandMeter(tables);

  client.middlewareStack.add(
    (next) => async (args) => {
      const command = meter(args.input);
      Object.assign(args.input, { ReturnConsumedCapacity: 'INDEXES' });
      const result = await next(args).catch((error: unknown) => {
        parts.push({ dynamodbCalls: 1 }, command.rejectedUnits);
        throw error;
      });
      try {
        parts.push({ dynamodbCalls: 1 }, command.done(reportedUnits(result.output)));
      } catch (error) {
        problems.push(String(error));
      }
      parts.push(...command.writes.map((write) => storedBytes(write, clock())));
      changed.push(...command.writes);
      return result;
    },
    { step: 'initialize', name: 'meter' },
  );

  const write = (line: string): void => {
    if (line.includes('"level":"error"')) problems.push(line);
    parts.push({ logBytes: Buffer.byteLength(line.trimEnd()) });
  };

  return {
    client,
    stop: () => client.destroy(),
    telemetry: (name: FunctionName) => jsonTelemetry({ function: name, deployment, metrics }, write),
    add: (counts: Partial<Counts>) => void parts.push(counts),
    /** The rows that were changed since the last time, in order. */
    changes: (): readonly RowWrite[] => changed.splice(0),
    /** What was consumed since the last time. Throws if something failed, since then the work was not the usual one. */
    take(): Counts {
      if (problems.length > 0) throw new Error(`The counted work failed:\n${problems.join('\n')}`);
      return sum(...parts.splice(0).map((part) => [1, part] as const));
    },
  };
};

export type Meter = ReturnType<typeof startMeter>;

/** Counts nothing, but checks the log: work that failed must not count as fast work. */
export const checkedMetering = (client: DynamoDBClient) => {
  const lines: string[] = [];
  return {
    client,
    add: () => undefined,
    telemetry: (name: FunctionName) =>
      jsonTelemetry({ function: name, deployment: 'bench' }, (line) => lines.push(line)),
    /** Throws unless this text was in the log since the last time, and no fault. */
    check(text: string): void {
      const log = lines.splice(0).join('');
      if (!log.includes(text) || log.includes('"level":"error"'))
        throw new Error(`The function did not do the measured work. Its log:\n${log}`);
    },
  };
};

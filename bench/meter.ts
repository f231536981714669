import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Index, Table } from '../lib/storage/tables.ts';
import type { Handle, Answer as HttpAnswer } from '../sandbox/frame/serve.ts';
import { lambdaRecord } from '../sandbox/stream/shard.ts';
import { type Item, itemBytes, keysIn, writesIn } from '../test/deployment/memory-dynamodb.ts';

const counted = [
  'apiRequests',
  // Runs of each function, and the milliseconds in which they only wait for an answer.
  ...(['receiverRuns', 'publisherRuns', 'pollerRuns', 'forwarderRuns', 'archiverRuns'] as const),
  ...(['receiverWaitMs', 'publisherWaitMs', 'pollerWaitMs', 'forwarderWaitMs', 'archiverWaitMs'] as const),
  // Calls of DynamoDB and of the telephony service.
  ...(['dynamodbCalls', 'serviceCalls'] as const),
  ...(['tableWriteUnits', 'indexWriteUnits', 'readUnits'] as const),
  // Events, the number of 64 KB chunks for which EventBridge charges, and the bytes in its archive.
  ...(['events', 'eventChunks', 'eventBytes'] as const),
  'logBytes',
  // By how much tables and indexes grew; and the same, each row times the days until it expires.
  ...(['tableBytes', 'indexBytes', 'tableByteDays', 'indexByteDays'] as const),
] as const;

export type Counts = Readonly<Record<(typeof counted)[number], number>>;

/** The sum of all parts, each the given number of times. */
export const sum = (...parts: readonly (readonly [times: number, counts: Partial<Counts>])[]): Counts =>
  Object.fromEntries(
    counted.map((name) => [name, parts.reduce((total, [times, { [name]: count = 0 }]) => total + times * count, 0)]),
  ) as Counts;

export const difference = (more: Partial<Counts>, less: Partial<Counts>): Counts => sum([1, more], [-1, less]);

/** A row before and after a write; undefined where there is none. */
export interface RowWrite {
  readonly table: Table;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

const unitsOf = (item: Item): number => Math.ceil(itemBytes(item) / 1024);

/** The units of the row itself, by the larger of its two sizes, whether it is written, replaced, removed or rejected. */
const tableUnits = ({ before = {}, after = {} }: RowWrite): number => Math.max(1, unitsOf(before), unitsOf(after));

/**
 * The units of one index: none where the entry stays the same; an old and a new entry where its key changes.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 */
const indexUnits = ({ table, before, after }: RowWrite, index: Index): number => {
  const old = entryOf(table, index, before);
  const now = entryOf(table, index, after);
  if (isDeepStrictEqual(old, now)) return 0;

  const keyOf = (entry: Item) => [entry[index.key.partition], entry[index.key.sort]];
  const isMoved = old === undefined || now === undefined || !isDeepStrictEqual(keyOf(old), keyOf(now));
  const units = [old, now].map((entry) => (entry === undefined ? 0 : unitsOf(entry)));
  return isMoved ? units.reduce((all, one) => all + one) : Math.max(...units);
};

/** The entry of a row in an index, or undefined if the row is not in it. */
const entryOf = ({ key }: Table, index: Index, row: Item | undefined): Item | undefined => {
  if (row?.[index.key.partition] === undefined || row[index.key.sort] === undefined) return undefined;
  const projected = new Set([key.partition, key.sort, index.key.partition, index.key.sort, ...index.projection]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => projected.has(name)));
};

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.StorageConsiderations, and for rows alike. */
const overheadBytes = 100;

export const storedBytes = ({ table, before, after }: RowWrite, now: Date): Counts => {
  const bytesOf = (item: Item | undefined) => (item === undefined ? 0 : itemBytes(item) + overheadBytes);
  const sizeOf = (row: Item | undefined): Partial<Counts> => {
    const tableBytes = bytesOf(row);
    const indexBytes = table.indexes.reduce((bytes, index) => bytes + bytesOf(entryOf(table, index, row)), 0);
    // Rows that never expire are one for each agent: too few to count.
    const expiresAt = row?.['expiresAt']?.N;
    const days = expiresAt === undefined ? 0 : (Number(expiresAt) - now.getTime() / 1000) / 86_400;
    return { tableBytes, indexBytes, tableByteDays: tableBytes * days, indexByteDays: indexBytes * days };
  };
  return difference(sizeOf(after), sizeOf(before));
};

const Capacity = z.object({ CapacityUnits: z.number() });
const Answer = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
});

/** The units that DynamoDB reports in an answer if the request asks for them. */
const reportedUnits = (answer: unknown): number =>
  Answer.parse(answer).ConsumedCapacity.reduce((units, { CapacityUnits }) => units + CapacityUnits, 0);

/**
 * Meters commands to tables that were empty and that nobody else writes: their rows are known from the commands. DynamoDB
 * Local reports the units of reads, puts and batches, and those of writes are compared with the rules by which units
 * follow from rows. It reports too few units of a transaction and none of a rejected write, so the rules alone apply. A
 * transaction doubles the units of its rows, but not those of the indexes. AWS does not document that. Somebody measured it:
 * https://github.com/nubo-db/dynoxide/pull/188
 */
const commandMeter = (tables: Readonly<Record<string, Table>>) => {
  const rows = new Map<string, Item>();

  /** What a command would write, and the units that it consumes. */
  return ({ operation, input }: TableRequest) => {
    const written = writesIn(operation, input).map(({ table: tableName, item, next }) => {
      const table = tables[tableName];
      if (table === undefined) throw new Error(`The meter does not know the table ${tableName}`);
      const name = JSON.stringify([tableName, keysIn(item, table.key)]);
      const before = rows.get(name);
      const write: RowWrite = { table, before, after: next(before) };
      return { name, write };
    });
    const isTransaction = operation === 'TransactWriteItems';
    const writes = written.map(({ write }) => write);
    const indexWriteUnits = writes
      .flatMap((write) => write.table.indexes.map((index) => indexUnits(write, index)))
      .reduce((all, units) => all + units, 0);
    const tableWriteUnits = (isTransaction ? 2 : 1) * writes.reduce((all, write) => all + tableUnits(write), 0);
    return {
      writes,
      /** The units where a condition rejected it: those of the table alone. */
      rejectedUnits: { tableWriteUnits },
      /** Applies the command, and returns its units. Throws if DynamoDB Local reported other units than the rules give. */
      done(reported: number): Partial<Counts> {
        for (const { name, write } of written) {
          if (write.after === undefined) rows.delete(name);
          else rows.set(name, write.after);
        }
        if (operation === 'Query') return { readUnits: reported };
        const byRule = tableWriteUnits + indexWriteUnits;
        if (!isTransaction && reported !== byRule)
          throw new Error(`DynamoDB Local reports ${reported} units for a write that takes ${byRule} by the rules`);
        return { tableWriteUnits, indexWriteUnits };
      },
    };
  };
};

/** What a request consumed, and the rows that it wrote. */
export interface Consumption {
  readonly counts: Partial<Counts>;
  readonly writes: readonly RowWrite[];
}

export const nothingConsumed: Consumption = { counts: {}, writes: [] };

/** Commands of our functions. Powertools sends others, which are as DynamoDB Local reports them. */
const metered = ['PutItem', 'BatchWriteItem', 'TransactWriteItems', 'Query'];

interface TableRequest {
  readonly operation: string;
  readonly input: object;
}

/** Passes requests on to tables of DynamoDB Local that were empty, and counts the units of each. */
export const meteredTables = (forward: Handle, tables: Readonly<Record<string, Table>>) => {
  const meter = commandMeter(tables);
  return async ({ operation, input }: TableRequest, received: Parameters<Handle>[0]) => {
    const command = metered.includes(operation) ? meter({ operation, input }) : undefined;
    const body = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }));
    const answer = await forward({ ...received, body });
    const isDone = answer.status === 200;
    const units = isDone ? reportedUnits(contentOf(answer)) : 0;
    const consumed = (): Consumption => {
      if (command === undefined)
        return { counts: operation === 'GetItem' ? { readUnits: units } : { tableWriteUnits: units }, writes: [] };
      return isDone
        ? { counts: command.done(units), writes: command.writes }
        : { counts: command.rejectedUnits, writes: [] };
    };
    return { answer, consumed: consumed() };
  };
};

const contentOf = ({ body = '' }: HttpAnswer): unknown => JSON.parse(String(body));

export const streamRecords = (writes: readonly RowWrite[]): readonly DynamoDBRecord[] =>
  writes.filter(isPublished).map(({ before, after }, index) => {
    const images = { ...(before && { OldImage: before }), ...(after && { NewImage: after }) };
    return lambdaRecord({ dynamodb: { SequenceNumber: String(index + 1).padStart(21, '0'), ...images } }, 'stream');
  });

/** A write that changes nothing is not in the stream, and the deployed filter drops rows of other kinds. */
const isPublished = ({ table, before, after }: RowWrite): boolean =>
  !isDeepStrictEqual(before, after) && table.published.includes(after?.['kind']?.S ?? '');

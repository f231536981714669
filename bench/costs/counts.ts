import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Index, Table } from '../../lib/storage/tables.ts';
import { itemBytes } from '../../test/deployment/memory-dynamodb/limits.ts';
import { type RequestWrite, writesIn } from '../../test/deployment/memory-dynamodb/requests.ts';

const counted = [
  ...(['apiRequests', 'receiverRuns', 'publisherRuns', 'pollerRuns'] as const),
  // Calls that a function waits for: of DynamoDB, of PutEvents, and of the telephony service.
  ...(['dynamodbCalls', 'busCalls', 'serviceCalls'] as const),
  ...(['tableWriteUnits', 'indexWriteUnits', 'readUnits'] as const),
  // Entries of PutEvents, the chunks of 64 KB as which they are charged, and their bytes as an archive stores them.
  ...(['events', 'eventChunks', 'eventBytes'] as const),
  'logBytes',
  // By how much tables and indexes grew; and the same, each row times the days until it expires.
  ...(['tableBytes', 'indexBytes', 'tableByteDays', 'indexByteDays'] as const),
] as const;

/** What a piece of work consumed, as far as this machine can count it. */
export type Counts = Readonly<Record<(typeof counted)[number], number>>;

/** The sum of all parts, each the given number of times. */
export const sum = (...parts: readonly (readonly [times: number, counts: Partial<Counts>])[]): Counts =>
  Object.fromEntries(
    counted.map((name) => [name, parts.reduce((total, [times, { [name]: count = 0 }]) => total + times * count, 0)]),
  ) as Counts;

export const difference = (more: Partial<Counts>, less: Partial<Counts>): Counts => sum([1, more], [-1, less]);

/** What a command does, by its input. Throws for commands that our functions do not send in usual work. */
export const parseCommand = (
  input: object,
): { readonly kind: 'read' | 'write' | 'transaction'; readonly targets: readonly RequestWrite[] } => {
  const targets = writesIn(input);
  if (targets !== undefined) return { kind: 'TransactItems' in input ? 'transaction' : 'write', targets };
  if ('KeyConditionExpression' in input) return { kind: 'read', targets: [] };
  throw new Error(`The meter does not know a command with ${Object.keys(input).join(', ')}`);
};

export type Item = Readonly<Record<string, AttributeValue>>;

/** A row before and after a write; undefined where there is none. */
export interface RowWrite {
  readonly table: Table;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The units of the row itself: those of its larger size, whether it is written, replaced, removed or rejected. */
export const tableUnits = ({ before = {}, after = {} }: RowWrite): number =>
  Math.max(1, unitsOf(before), unitsOf(after));

/**
 * The units of the table's indexes: none where the entry stays the same; two writes where its key changes.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 */
export const indexUnits = (write: RowWrite): number =>
  write.table.indexes.flatMap((index) => entryWrites(write, index)).reduce((units, entry) => units + entry.units, 0);

/** The writes to one index, and their partition keys. */
export const entryWrites = ({ table, before, after }: RowWrite, index: Index): readonly EntryWrite[] => {
  const old = entryOf(table, index, before);
  const now = entryOf(table, index, after);
  if (isDeepStrictEqual(old, now)) return [];

  const isMoved = old === undefined || now === undefined || !isDeepStrictEqual(keyOf(index, old), keyOf(index, now));
  const written = isMoved
    ? [old, now].filter((entry) => entry !== undefined)
    : [unitsOf(old) > unitsOf(now) ? old : now];
  return written.map((entry) => ({ key: entry[index.key.partition]?.S ?? '', units: unitsOf(entry) }));
};

interface EntryWrite {
  readonly key: string;
  readonly units: number;
}

/** The entry of a row in an index, or undefined if the row is not in it. */
const entryOf = ({ key }: Table, index: Index, row: Item | undefined): Item | undefined => {
  if (row?.[index.key.partition] === undefined || row[index.key.sort] === undefined) return undefined;
  const projected = new Set([key.partition, key.sort, index.key.partition, index.key.sort, ...index.projection]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => projected.has(name)));
};

const keyOf = ({ key }: Index, entry: Item) => [entry[key.partition], entry[key.sort]];

const unitsOf = (item: Item): number => Math.ceil(itemBytes(item) / 1024);

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.StorageConsiderations, and for rows alike. */
const overheadBytes = 100;

const secondsADay = 86_400;

export const storedBytes = ({ table, before, after }: RowWrite, now: Date): Counts => {
  const sizeOf = (row: Item | undefined): Partial<Counts> => {
    const tableBytes = withOverhead(row);
    const indexBytes = table.indexes.reduce((bytes, index) => bytes + withOverhead(entryOf(table, index, row)), 0);
    const days = daysLeft(row, now);
    return { tableBytes, indexBytes, tableByteDays: tableBytes * days, indexByteDays: indexBytes * days };
  };
  return difference(sizeOf(after), sizeOf(before));
};

const withOverhead = (item: Item | undefined): number => (item === undefined ? 0 : itemBytes(item) + overheadBytes);

/** Rows that never expire are one for each agent: too few to count. */
const daysLeft = (row: Item | undefined, now: Date): number =>
  row?.['expiresAt']?.N === undefined ? 0 : (Number(row['expiresAt'].N) - now.getTime() / 1000) / secondsADay;

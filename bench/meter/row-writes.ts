import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Index, Table } from '../../lib/storage/tables.ts';
import { lambdaRecord } from '../../sandbox/stream/shard.ts';
import { type Item, itemBytes } from '../../test/deployment/memory-dynamodb.ts';
import { type Counts, difference } from './counts.ts';

/** A row before and after a write; undefined where there is none. */
export interface RowWrite {
  readonly table: Table;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** A write unit is 1 KB, of which the last one begun counts whole. */
const unitsOf = (item: Item): number => Math.ceil(itemBytes(item) / 1024);

/** What a write to a table consumes, by the larger of the row's two sizes. A write that is rejected consumes as much. */
export const tableUnits = ({ before = {}, after = {} }: RowWrite): number =>
  Math.max(1, unitsOf(before), unitsOf(after));

/** What a write consumes in the indexes of its table. */
export const indexUnits = (write: RowWrite): number =>
  write.table.indexes.reduce((units, index) => units + unitsOfIndex(write, index), 0);

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes */
const unitsOfIndex = ({ table, before, after }: RowWrite, index: Index): number => {
  const oldEntry = entryOf(table, index, before);
  const newEntry = entryOf(table, index, after);
  if (isDeepStrictEqual(oldEntry, newEntry)) return 0;

  const oldUnits = oldEntry === undefined ? 0 : unitsOf(oldEntry);
  const newUnits = newEntry === undefined ? 0 : unitsOf(newEntry);
  // An entry whose key stays is replaced by one write; with another key, it is deleted by one write and put by a second.
  return hasSameKey(index, oldEntry, newEntry) ? Math.max(oldUnits, newUnits) : oldUnits + newUnits;
};

const hasSameKey = ({ key }: Index, one: Item = {}, other: Item = {}): boolean =>
  isDeepStrictEqual(one[key.partition], other[key.partition]) && isDeepStrictEqual(one[key.sort], other[key.sort]);

/** The entry of a row in an index. Undefined for a row that lacks a part of the index's key: the index leaves it out. */
const entryOf = ({ key }: Table, index: Index, row: Item | undefined): Item | undefined => {
  if (row?.[index.key.partition] === undefined || row[index.key.sort] === undefined) return undefined;
  const projected = new Set([key.partition, key.sort, index.key.partition, index.key.sort, ...index.projection]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => projected.has(name)));
};

/** By how much a write makes its table and the indexes grow. */
export const storedBytes = ({ table, before, after }: RowWrite, now: Date): Counts =>
  difference(storageOf(table, after, now), storageOf(table, before, now));

const storageOf = (table: Table, row: Item | undefined, now: Date): Partial<Counts> => {
  if (row === undefined) return {};
  const tableBytes = storedBytesOf(row);
  const indexBytes = table.indexes
    .map((index) => entryOf(table, index, row))
    .reduce((bytes, entry) => bytes + (entry === undefined ? 0 : storedBytesOf(entry)), 0);
  // Rows that never expire are one for each agent: too few to count.
  const expiresAt = row['expiresAt']?.N;
  const days = expiresAt === undefined ? 0 : (Number(expiresAt) - now.getTime() / 1000) / 86_400;
  return { tableBytes, indexBytes, tableByteDays: tableBytes * days, indexByteDays: indexBytes * days };
};

/** Each row and entry takes 100 bytes more: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.StorageConsiderations */
const storedBytesOf = (item: Item): number => itemBytes(item) + 100;

/** What the stream of a table hands to the publisher after some writes. */
export const streamRecords = (writes: readonly RowWrite[]): readonly DynamoDBRecord[] =>
  writes.filter(isPublished).map(({ before, after }, index) => {
    const images = { ...(before && { OldImage: before }), ...(after && { NewImage: after }) };
    return lambdaRecord({ dynamodb: { SequenceNumber: String(index + 1).padStart(21, '0'), ...images } }, 'stream');
  });

/** A write that changes nothing is not in the stream, and the deployed filter drops rows of other kinds. */
const isPublished = ({ table, before, after }: RowWrite): boolean =>
  !isDeepStrictEqual(before, after) && table.published.includes(after?.['kind']?.S ?? '');

import { type Facts, isObject } from '../core/collections.ts';

/** A value as DynamoDB sends and takes it: under the letter of its type. */
interface AttributeValue {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly BOOL?: boolean | undefined;
  readonly NULL?: boolean | undefined;
  readonly L?: readonly AttributeValue[] | undefined;
  readonly M?: Item | undefined;
  readonly SS?: readonly string[] | undefined;
  readonly NS?: readonly string[] | undefined;
}

/** A row as DynamoDB sends it. */
type Item = Readonly<Record<string, AttributeValue>>;

/** What a row is written as: our rows hold JSON, so no sets and nothing binary. */
type WrittenValue =
  | { S: string }
  | { N: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: WrittenValue[] }
  | { M: WrittenItem };
type WrittenItem = Record<string, WrittenValue>;

/**
 * A row as DynamoDB takes it, without undefined attributes. Numbers in our rows are counts and seconds, never ids, so a
 * JavaScript number holds them. DynamoDB rejects a row with a number that JSON cannot express.
 *
 * Own code, because `@aws-sdk/util-dynamodb`, which does the same for far more types, took 5 % of a cold poll of a hundred
 * agents. A test compares both.
 */
export const marshalled = (row: Facts): WrittenItem => {
  const item: WrittenItem = {};
  for (const name of Object.keys(row)) if (row[name] !== undefined) item[name] = written(row[name]);
  return item;
};

const written = (value: unknown): WrittenValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (Array.isArray(value)) return { L: value.map(written) };
  return isObject(value) ? { M: marshalled(value) } : { NULL: true };
};

/** A row as our code reads it. A set, which only somebody else writes, becomes a list; binary values become null. */
export const unmarshalled = (item: Item): Facts => {
  const row: Record<string, unknown> = {};
  for (const name of Object.keys(item)) row[name] = read(item[name] ?? {});
  return row;
};

const read = ({ S, N, BOOL, L, M, SS, NS }: AttributeValue): unknown => {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (M !== undefined) return unmarshalled(M);
  if (L !== undefined) return L.map(read);
  return BOOL ?? SS ?? NS?.map(Number) ?? null;
};

import { type Facts, isObject } from '../core/collections.ts';
import type { RowKey } from './versioned-rows.ts';

/** A value as DynamoDB sends it: under the letters of its type. */
interface ReadValue {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly BOOL?: boolean | undefined;
  readonly NULL?: boolean | undefined;
  readonly L?: readonly ReadValue[] | undefined;
  readonly M?: ReadItem | undefined;
  readonly SS?: readonly string[] | undefined;
  readonly NS?: readonly string[] | undefined;
}

/** A row as DynamoDB sends it. */
export type ReadItem = Readonly<Record<string, ReadValue>>;

type WrittenValue =
  | { S: string }
  | { N: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: WrittenValue[] }
  | { M: WrittenItem };

/** A row as DynamoDB takes it. Our rows hold JSON, so they have no sets and nothing binary. */
export type WrittenItem = Record<string, WrittenValue>;

/**
 * A row as DynamoDB takes it, without what is undefined. Numbers in our rows are counts and seconds, never ids, so a
 * JavaScript number holds them; DynamoDB rejects those that JSON cannot express. Throws for a value that is not JSON.
 *
 * Own code, because `@aws-sdk/util-dynamodb`, which does the same for far more types, took 5 % of a cold poll of a hundred
 * agents. A test compares both.
 */
export const marshalled = (row: Facts): WrittenItem => {
  const item: WrittenItem = {};
  for (const name of Object.keys(row)) if (row[name] !== undefined) item[name] = written(row[name]);
  return item;
};

/** The key alone, of a row or of a key. */
export const keyItem = ({ pk, sk }: RowKey): WrittenItem => marshalled({ pk, sk });

const written = (value: unknown): WrittenValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((entry) => entry !== undefined).map(written) };
  if (isObject(value) && isPlain(value)) return { M: marshalled(value) };
  throw new TypeError('A row can hold only JSON');
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * A row as our code reads it. Attributes that somebody else has added may have other types: a set becomes a list, and a
 * binary value null, so that neither can stop a function.
 */
export const unmarshalled = (item: ReadItem): Facts => {
  const row: Record<string, unknown> = {};
  for (const name of Object.keys(item)) row[name] = read(item[name] ?? {});
  return row;
};

const read = ({ S, N, BOOL, L, M, SS, NS }: ReadValue): unknown => {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (M !== undefined) return unmarshalled(M);
  if (L !== undefined) return L.map(read);
  return BOOL ?? SS ?? NS?.map(Number) ?? null;
};

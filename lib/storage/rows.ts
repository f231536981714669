import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { loggableError, wrongFields } from '../core/result.ts';

/** A row as it is stored: its attributes by name, which are texts, numbers, lists and maps of these. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowKey {
  readonly pk: string;
  readonly sk: string;
}

/** Joins the parts of a row key with `#`. Everything but letters, digits and `-_.!~*'()` is percent-encoded. */
export const joinedKey = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('#');

export type KeyedRow = Row & RowKey;

/** A row that counts its writes: its first `version` is 1, and every write adds 1. */
export type VersionedRow = KeyedRow & { readonly version: number };

/** In the same transaction as a versioned row: at most 99. */
export interface Alongside {
  readonly puts: readonly KeyedRow[];
  readonly removes: readonly RowKey[];
}

/** The result of a conditional put; `row` is the row in the table, where the table showed it. */
export type PutResult =
  | { readonly kind: 'written' }
  | { readonly kind: 'conflict'; readonly row: Row | undefined }
  | { readonly kind: 'rejected' };

/** A table whose rows are written with optimistic locking. */
export interface VersionedRows {
  /**
   * Writes the next version of a row and the rows alongside it, all or nothing. The stored row must have the version
   * before; for version 1 there must be none.
   *
   * `conflict`: another writer was first, or is writing at this moment. A put whose answer got lost conflicts with itself
   * when it is repeated. `rejected`: the table can never store these rows, for example because one is too large.
   * Throws when the table cannot be reached, or does not answer before `signal` aborts.
   */
  putNextVersion(row: VersionedRow, alongside: Alongside, signal: AbortSignal): Promise<PutResult>;
}

export type AgentsRow = KeyedRow;

/** The agents' table, row by row. Every method throws when the table cannot be reached. */
export interface AgentTable {
  /** All rows of a partition in the order of their sort keys, or those between two of them, read consistently. */
  query(pk: string, between?: { readonly from: string; readonly to: string }): Promise<readonly Row[]>;
  /** As `VersionedRows` does, but throws for rows that the table can never store: the poller made them. */
  write(row: VersionedRow, alongside?: Alongside): Promise<'written' | 'conflict'>;
  /** Each on its own and in no order; no key may occur twice. */
  put(rows: readonly AgentsRow[]): Promise<void>;
  remove(keys: readonly RowKey[]): Promise<void>;
}

/** Leaves out what a newer version added. Throws if something else wrote the row. */
export const readRow = <Schema extends z.ZodMiniType>(schema: Schema, row: Row): z.output<Schema> => {
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  throw loggableError(`Callfeed did not write this row. Wrong: ${wrongFields(read.error)}`);
};

/** Not checked to be known: after going back a release, a word of the newer one must not stop the work on the row. */
export const storedWord = <Word extends string>() => z.string() as unknown as z.ZodMiniType<Word>;

export type Item = Record<string, AttributeValue>;

/** Throws for a number that JavaScript does not hold exactly. */
export const marshalled = (row: Row): Item => marshall(row, { removeUndefinedValues: true });

export const keyItem = ({ pk, sk }: RowKey): Item => marshalled({ pk, sk });

/**
 * A row as our code reads it. Numbers in our rows are counts and seconds, never ids, so a JavaScript number holds them. One
 * that somebody else added, and that is too long for it, is rounded: as a bigint it would stop whatever makes JSON of the row.
 */
export const unmarshalled = (item: Readonly<Item>): Row => unmarshall(item, { wrapNumbers: Number });

/** What events do with personal fields: the first by default. */
export const personalFields = ['keep', 'leave-out'] as const;
export type PersonalFields = (typeof personalFields)[number];

/** What a setting may be that is checked where it is chosen, by `callfeed init`, and where it is deployed. */
export const stageName = {
  /** The stage is a part of names of resources, and of the commands that pages show. */
  pattern: /^[a-z][a-z0-9-]{0,19}$/,
  expected: 'must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter',
};

export const alarmEmailExpected = 'must be one e-mail address, such as ops@example.com';

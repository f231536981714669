import type { Facts } from '../core/collections.ts';

/** The key of a row. */
export interface RowKey {
  readonly pk: string;
  readonly sk: string;
}

/** The attributes of a row, its key among them. */
export type KeyedRow = Facts & RowKey;

/** A row that counts its writes: its first `version` is 1, and every write adds 1. */
export type VersionedRow = KeyedRow & { readonly version: number };

/** Rows that are written and removed in the same transaction as a versioned row: at most 99. */
export interface Alongside {
  readonly puts: readonly KeyedRow[];
  readonly removes: readonly RowKey[];
}

/** The result of a conditional put; `row` is the row in the table, where the table showed it. */
export type PutResult =
  | { readonly kind: 'written' }
  | { readonly kind: 'conflict'; readonly row: Facts | undefined }
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

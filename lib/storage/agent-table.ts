import type { Facts } from '../core/collections.ts';
import type { Alongside, KeyedRow, RowKey, VersionedRow } from './versioned-rows.ts';

/** A row of the agents' table. */
export type AgentsRow = KeyedRow;

/** The agents' table, row by row. Every method throws when the table cannot be reached. */
export interface AgentTable {
  /** All rows of a partition in the order of their sort keys, or those between two of them, read consistently. */
  query(pk: string, between?: { readonly from: string; readonly to: string }): Promise<readonly Facts[]>;
  /**
   * Writes the next version of a row and the rows alongside it, as `VersionedRows` does. Throws for rows that the table
   * can never store: the poller made them, so that is a fault.
   */
  write(row: VersionedRow, alongside?: Alongside): Promise<'written' | 'conflict'>;
  /** Puts rows, each on its own and in no order; no key may occur twice. */
  put(rows: readonly AgentsRow[]): Promise<void>;
  /** Removes rows likewise. */
  remove(keys: readonly RowKey[]): Promise<void>;
}

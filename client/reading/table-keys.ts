import { agentsTable, callsTable, type Key, type Table } from '../../lib/contract/tables.ts';

/** A key of both parts, and the index that it is of, if not of the table. */
export interface QueryKey {
  readonly key: Required<Key>;
  readonly index?: string;
}

const indexOf = ({ indexes }: Table, name: string): QueryKey & { readonly index: string } => {
  const found = indexes.find((index) => index.name === name);
  if (found === undefined) throw new Error(`No index ${name} is declared`);
  return { key: found.key, index: found.name };
};

/** The key of both tables. */
export const tableKey: QueryKey = { key: { partition: 'pk', sort: 'sk' } };

export const byState = indexOf(agentsTable, 'byState');
export const byTime = indexOf(callsTable, 'byTime');
export const byCustomer = indexOf(callsTable, 'byCustomer');
export const byAgent = indexOf(callsTable, 'byAgent');

import { agentsTable, callsTable, type Key, type Table } from '../lib/storage/tables.ts';

/** By which key a query reads: that of the table, or of one of its indexes. */
export interface QueryKey {
  readonly key: Required<Key>;
  readonly index?: string;
}

const indexOf = ({ indexes }: Table, name: string): Required<QueryKey> => {
  const found = indexes.find((index) => index.name === name);
  if (found === undefined) throw new Error(`No index ${name} is declared`);
  return { key: found.key, index: found.name };
};

export const tableKey: QueryKey = { key: { partition: 'pk', sort: 'sk' } };

export const byState = indexOf(agentsTable, 'byState');
export const byTime = indexOf(callsTable, 'byTime');
export const byCustomer = indexOf(callsTable, 'byCustomer');
export const byAgent = indexOf(callsTable, 'byAgent');
export const byLateRecording = indexOf(callsTable, 'byLateRecording');

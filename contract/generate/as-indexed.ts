import { agentsTable, callsTable, type Index } from '../../lib/contract/tables.ts';
import type { Facts } from '../../lib/record/delivery.ts';

/** What an index holds of a row: its keys and the table's, and what is projected. */
export const asIndexed = (row: Facts, { key, projection }: Index): Facts => {
  const carried = new Set([callsTable.key.partition, callsTable.key.sort, key.partition, key.sort, ...projection]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => carried.has(name)));
};

/** The index of a table by its name. Throws where there is none. */
export const indexNamed = (name: string): Index => {
  const found = [...callsTable.indexes, ...agentsTable.indexes].find((index) => index.name === name);
  if (found === undefined) throw new Error(`There is no index ${name}`);
  return found;
};

import { agentsTable, callsTable, quarantineTable } from '../lib/contract/tables.ts';
import type { Tables } from './dynamodb/create-tables.ts';

/** The names under which readers find the tables. */
export const tableNames = {
  calls: 'callfeed-calls',
  agents: 'callfeed-agents',
  quarantine: 'callfeed-quarantine',
} as const;

/** Every table of the sandbox. */
export const sandboxTables: Tables = {
  [tableNames.calls]: callsTable,
  [tableNames.agents]: agentsTable,
  [tableNames.quarantine]: quarantineTable,
};

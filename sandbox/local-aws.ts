import { agentsTable, callsTable, quarantineTable } from '../lib/storage/tables.ts';
import type { Tables } from './dynamodb/start-store.ts';

export const localRegion = 'local';
export const localAccount = '000000000000';

/** Settings of an AWS client for a local endpoint. The credentials are made up, as nothing checks them. */
export const localClient = (endpoint: string) => ({
  endpoint,
  region: localRegion,
  credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
});

export const tableNames = {
  calls: 'callfeed-calls',
  agents: 'callfeed-agents',
  quarantine: 'callfeed-quarantine',
} as const;

export const sandboxTables: Tables = {
  [tableNames.calls]: callsTable,
  [tableNames.agents]: agentsTable,
  [tableNames.quarantine]: quarantineTable,
};

export const busName = 'callfeed';

export const recordingsBucket = 'callfeed-recordings';

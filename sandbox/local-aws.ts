import { agentsTable, callsTable, quarantineTable, type Table } from '../lib/storage/tables.ts';

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

export type Tables = Readonly<Record<string, Table>>;

export const sandboxTables: Tables = {
  [tableNames.calls]: callsTable,
  [tableNames.agents]: agentsTable,
  [tableNames.quarantine]: quarantineTable,
};

export const busName = 'callfeed';

export const recordingsBucket = 'callfeed-recordings';

import { agentsTable, callsTable, quarantineTable, type Table } from '../../lib/storage/tables.ts';

export const localRegion = 'local';
export const localAccount = '000000000000';

/** Nothing checks it, but DynamoDB Local has other tables for each key. */
export const localAccessKey = 'sandbox';

/** Settings of an AWS client for a local endpoint. */
export const localClient = (endpoint: string, accessKeyId = localAccessKey) => ({
  endpoint,
  region: localRegion,
  credentials: { accessKeyId, secretAccessKey: 'sandbox' },
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

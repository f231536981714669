import { type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { agentsTable, callsTable, quarantineTable } from '../../lib/storage/tables.ts';
import { createEnvironment, type WorldOptions } from './environment.ts';
import { memoryDynamodb } from './memory-dynamodb/memory-dynamodb.ts';
import { createStreams } from './streams.ts';

export type { Reply, WorldOptions } from './environment.ts';

export const worldTables = { calls: callsTable, quarantine: quarantineTable, agents: agentsTable } as const;

/** The functions as deployed, with all of AWS in memory and a clock that only `advance` moves. */
export const createMemoryWorld = (options: WorldOptions) => {
  const streams = createStreams(worldTables);
  const dynamodb = memoryDynamodb(worldTables, streams.append);
  return {
    ...createEnvironment(dynamodb.handle, options),
    streams,
    /** The streams in memory have each record at once. */
    caughtUp: async () => undefined,
    close: () => undefined,
    /** Deletes rows as time to live does. */
    expire: dynamodb.expire,
    rows: (table: keyof typeof worldTables): readonly Row[] => dynamodb.items(table).map(unmarshalled),
  };
};

export type MemoryWorld = ReturnType<typeof createMemoryWorld>;

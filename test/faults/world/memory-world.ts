import { unmarshalled } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import type { Facts } from '../../../lib/core/collections.ts';
import { agentsTable, callsTable, quarantineTable } from '../../../lib/schema/tables.ts';
import { type MemoryDynamodb, memoryDynamodb } from '../../support/memory-dynamodb/memory-dynamodb.ts';
import { createEnvironment, type Environment, type WorldOptions } from './environment.ts';
import { createStreams, type Streams } from './streams.ts';

export type { Reply, WorldOptions } from './environment.ts';

export const worldTables = { calls: callsTable, quarantine: quarantineTable, agents: agentsTable } as const;

/** The functions as deployed, with all of AWS in memory and a clock that only `advance` moves. */
export interface MemoryWorld extends Environment {
  readonly streams: Streams;
  readonly rows: (table: keyof typeof worldTables) => readonly Facts[];
  /** Deletes rows as time to live does. */
  readonly expire: MemoryDynamodb['expire'];
}

export const createMemoryWorld = (options: WorldOptions): MemoryWorld => {
  const streams = createStreams(worldTables);
  const dynamodb = memoryDynamodb(worldTables, streams.append);
  return {
    ...createEnvironment(dynamodb.handle, options),
    streams,
    expire: dynamodb.expire,
    rows: (table) => dynamodb.items(table).map(unmarshalled),
  };
};

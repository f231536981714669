import type { RowChange } from '../../lib/publish/events-of-change.ts';
import { type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { agentsTable, callsTable, callsTableWithRecordings, quarantineTable } from '../../lib/storage/tables.ts';
import { createEnvironment, type WorldOptions } from './environment.ts';
import { memoryDynamodb } from './memory-dynamodb/memory-dynamodb.ts';
import type { ItemChange } from './memory-dynamodb/memory-items.ts';
import { createStreams } from './streams.ts';

export type { Reply, WorldOptions } from './environment.ts';

export const worldTables = {
  calls: callsTableWithRecordings,
  quarantine: quarantineTable,
  agents: agentsTable,
} as const;

/** The functions as deployed, with all of AWS in memory and a clock that only `advance` moves. */
export const createMemoryWorld = (options: WorldOptions) => {
  const streams = createStreams(worldTables);
  /** The second reader of the calls' stream. */
  const forwardStreams = createStreams({ calls: callsTable });
  const changes: RowChange[] = [];
  const dynamodb = memoryDynamodb(worldTables, (change) => {
    changes.push(rowChange(change, changes.length));
    streams.append(change);
    forwardStreams.append(change);
  });
  return {
    ...createEnvironment(dynamodb.handle, options),
    ...{ streams, forwardStreams },
    /** The streams in memory have each record at once. */
    caughtUp: async () => undefined,
    close: () => undefined,
    /** Every change of a row so far, in order. */
    changes: (): readonly RowChange[] => changes,
    /** Deletes rows as time to live does. */
    expire: dynamodb.expire,
    rows: (table: keyof typeof worldTables): readonly Row[] => dynamodb.items(table).map(unmarshalled),
  };
};

/** A change of an item as its row before and after. */
export const rowChange = ({ before, after }: ItemChange, index: number): RowChange => ({
  sequence: String(index).padStart(21, '0'),
  before: before && unmarshalled(before),
  after: after && unmarshalled(after),
});

export type MemoryWorld = ReturnType<typeof createMemoryWorld>;

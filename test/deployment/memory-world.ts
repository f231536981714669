import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import { type Row, unmarshalled } from '../../lib/storage/rows.ts';
import {
  agentsTable,
  callsTable,
  callsTableWithRecordings,
  quarantineTable,
  type Table,
} from '../../lib/storage/tables.ts';
import { failedItems } from '../../sandbox/lambda/runtime.ts';
import { lambdaRecord } from '../../sandbox/stream/shard.ts';
import { createEnvironment, type WorldOptions } from './environment.ts';
import type { Outcome } from './instance.ts';
import { memoryDynamodb } from './memory-dynamodb/memory-dynamodb.ts';
import type { ItemChange } from './memory-dynamodb/memory-items.ts';

const shardsPerTable = 3;

const shardOf = (table: string, partition: string, { dynamodb }: StreamRecord): string => {
  const key = dynamodb?.Keys?.[partition];
  const sum = Buffer.from(key?.S ?? '').reduce((total, byte) => (total * 31 + byte) % 1_000_003, 7);
  return `${table} ${sum % shardsPerTable}`;
};

const sequenceOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/**
 * The streams of tables as Lambda delivers them: ordered in each shard, and each partition key in one shard. Rows of
 * unpublished kinds are skipped, as by the deployed filter.
 */
export const createStreams = (tables: Readonly<Record<string, Table>>) => {
  const shards = new Map<string, DynamoDBRecord[]>();
  let count = 0;

  const take = (table: string, record: StreamRecord): void => {
    const { published = [], key } = tables[table] ?? {};
    if (!published.includes(record.dynamodb?.NewImage?.['kind']?.S ?? '')) return;
    const shard = shardOf(table, key?.partition ?? '', record);
    shards.set(shard, [...(shards.get(shard) ?? []), lambdaRecord(record, table)]);
  };

  return {
    append({ table, keys, before, after }: ItemChange) {
      count += 1;
      const images = { ...(before && { OldImage: before }), ...(after && { NewImage: after }) };
      const SequenceNumber = String(count).padStart(21, '0');
      take(table, { dynamodb: { Keys: keys, SequenceNumber, ...images } });
    },
    /** Adds a record of a table’s real stream. */
    take,
    /** The shards with undelivered records. */
    waiting: () => [...shards].filter(([, records]) => records.length > 0).map(([shard]) => shard),
    /** Delivers at most so many records of a shard. A record that fails, and all after it, are delivered again. */
    async deliver(shard: string, batchSize: number, invoke: (event: DynamoDBStreamEvent) => Promise<Outcome<unknown>>) {
      const batch = (shards.get(shard) ?? []).slice(0, batchSize);
      if (batch.length === 0) return;
      const outcome = await invoke({ Records: batch });
      if (outcome.kind === 'crashed') return;
      const sequences = batch.map(sequenceOf);
      const failed = failedItems(outcome.answer, sequences).map((item) => sequences.indexOf(item));
      const handled = Math.min(batch.length, ...failed);
      shards.set(shard, (shards.get(shard) ?? []).slice(handled));
    },
  };
};

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

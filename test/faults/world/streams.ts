import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Table } from '../../../lib/schema/tables.ts';
import { failedItems } from '../../../sandbox/lambda/runtime.ts';
import { lambdaRecord } from '../../../sandbox/stream/lambda-record.ts';
import type { ItemChange } from '../../support/memory-dynamodb/memory-dynamodb.ts';
import type { Outcome } from './instance.ts';

/** The streams of tables, as Lambda hands them to a function: ordered in each lane, in which a partition key always is. */
export interface Streams {
  readonly append: (change: ItemChange) => void;
  /** Takes a record of a table's real stream. */
  readonly take: (table: string, record: StreamRecord) => void;
  /** The lanes in which something waits. */
  readonly waiting: () => readonly string[];
  /** Hands over what waits in a lane, at most so many records. What fails, and all behind it, waits on. */
  readonly deliver: (
    lane: string,
    batchSize: number,
    invoke: (event: DynamoDBStreamEvent) => Promise<Outcome<unknown>>,
  ) => Promise<void>;
}

const shardsPerTable = 3;

const shardOf = (table: string, partition: string, { dynamodb }: StreamRecord): string => {
  const key = dynamodb?.Keys?.[partition];
  const sum = Buffer.from(key?.S ?? '').reduce((total, byte) => (total * 31 + byte) % 1_000_003, 7);
  return `${table} ${sum % shardsPerTable}`;
};

const sequenceOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/** Streams of these tables; rows of kinds that are not published pass, as the deployed filter lets them. */
export const createStreams = (tables: Readonly<Record<string, Table>>): Streams => {
  const lanes = new Map<string, DynamoDBRecord[]>();
  let count = 0;

  const take = (table: string, record: StreamRecord): void => {
    const { published = [], key } = tables[table] ?? {};
    if (!published.includes(record.dynamodb?.NewImage?.['kind']?.S ?? '')) return;
    const lane = shardOf(table, key?.partition ?? '', record);
    lanes.set(lane, [...(lanes.get(lane) ?? []), lambdaRecord(record, table)]);
  };

  return {
    append({ table, keys, before, after }) {
      count += 1;
      const images = { ...(before && { OldImage: before }), ...(after && { NewImage: after }) };
      const SequenceNumber = String(count).padStart(21, '0');
      take(table, { dynamodb: { Keys: keys, SequenceNumber, ...images } });
    },
    take,
    waiting: () => [...lanes].filter(([, records]) => records.length > 0).map(([lane]) => lane),
    async deliver(lane, batchSize, invoke) {
      const batch = (lanes.get(lane) ?? []).slice(0, batchSize);
      if (batch.length === 0) return;
      const outcome = await invoke({ Records: batch });
      if (outcome.kind === 'died') return;
      const sequences = batch.map(sequenceOf);
      const failed = failedItems(outcome.answer, sequences).map((item) => sequences.indexOf(item));
      const handled = Math.min(batch.length, ...failed);
      lanes.set(lane, (lanes.get(lane) ?? []).slice(handled));
    },
  };
};

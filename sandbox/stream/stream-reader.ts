import { ResourceNotFoundException, type Shard } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import { streamBatchSize } from '../../functions/event-sources.ts';
import { readJsonFile, writeJsonFile } from '../frame/data-folder.ts';
import { pause } from '../frame/lifecycle.ts';
import { failedItems } from '../functions/load-function.ts';
import type { PlayedRows } from './played-rows.ts';
import { iteratorAfter, lambdaRecord, recordsAt, type Stream, shardsOf } from './shard.ts';

export type InvokeWithRecords = (event: DynamoDBStreamEvent) => Promise<unknown>;

interface StreamReaderOptions {
  readonly stream: Stream;
  readonly checkpoints: ReturnType<typeof createCheckpoints>;
  readonly invoke: InvokeWithRecords;
  readonly onFailure: (records: number) => void;
  readonly pollMilliseconds?: number;
}

const lookForShardsMilliseconds = 1_000;

/** Emulates Lambda's event source mapping for a stream. It starts at the oldest record, or at the checkpoints. */
export const startStreamReader = (options: StreamReaderOptions) => {
  const stopping = new AbortController();
  const draining = new AbortController();
  const reading = { pollMilliseconds: 100, ...options, signal: stopping.signal, draining: draining.signal };
  const running = new Map<string, Promise<void>>();
  const finished = new Set<string>();

  const begin = (shardId: string): void => {
    if (running.has(shardId)) return;
    const ended = readShard(shardId, reading).then(() => {
      finished.add(shardId);
    });
    running.set(shardId, ended);
  };

  const read = async (): Promise<void> => {
    while (!draining.signal.aborted) {
      const shards = await shardsOf(options.stream).catch(() => []);
      for (const shardId of readable(shards, finished)) begin(shardId);
      await pause(lookForShardsMilliseconds, draining.signal);
    }
    await Promise.all(running.values());
  };
  const done = read();

  return {
    /** First delivers what is in the stream, for at most the given time. */
    async stop(drainMilliseconds: number) {
      const deadline = setTimeout(() => stopping.abort(), drainMilliseconds);
      draining.abort();
      await done;
      clearTimeout(deadline);
    },
  };
};

/** A shard can be read once its parent was read to its end or is deleted. This preserves the order of each key. */
const readable = (shards: readonly Shard[], finished: ReadonlySet<string>): readonly string[] => {
  const shardIds = new Set(shards.map(({ ShardId }) => ShardId));

  return shards
    .filter(({ ParentShardId: parent }) => parent === undefined || !shardIds.has(parent) || finished.has(parent))
    .flatMap(({ ShardId }) => ShardId ?? []);
};

/** Once `draining` aborts, reading ends as soon as the shard has nothing new. */
interface ShardReading extends Required<StreamReaderOptions> {
  readonly draining: AbortSignal;
  readonly signal: AbortSignal;
}

const firstRetryMilliseconds = 50;
const maxRetryMilliseconds = 1_000;

/**
 * In order: as Lambda does, it retries from the first failed record, with growing waits and without limit, and cuts a batch in halves
 * whose run crashes. So it goes on after an expired iterator or no answer, too. A deleted shard counts as read.
 */
const readShard = async (shardId: string, reading: ShardReading): Promise<void> => {
  const { pollMilliseconds, draining, signal } = reading;
  let retryMilliseconds = firstRetryMilliseconds;
  let at: string | undefined;
  let limit = streamBatchSize;

  while (!signal.aborted) {
    const { handled, isWhole, next, crashed = 0 } = await readBatch(shardId, at, limit, reading).catch(failureOf);
    if (isWhole && (next === undefined || (handled === 0 && draining.aborted))) return;
    at = next;
    limit = crashed > 0 ? Math.ceil(crashed / 2) : streamBatchSize;
    if (handled > 0) retryMilliseconds = firstRetryMilliseconds;
    if (!isWhole) {
      await pause(retryMilliseconds, signal);
      retryMilliseconds = Math.min(2 * retryMilliseconds, maxRetryMilliseconds);
    } else if (handled === 0) await pause(pollMilliseconds, draining);
  }
};

/** How many records were handled before the first that failed, whether all were, and where to go on: else at the checkpoint. */
interface Batch {
  readonly handled: number;
  readonly isWhole: boolean;
  readonly next?: string | undefined;
  /** How many records the run had that crashed. */
  readonly crashed?: number;
}

const failureOf = (error: unknown): Batch => ({ handled: 0, isWhole: error instanceof ResourceNotFoundException });

const readBatch = async (
  shardId: string,
  at: string | undefined,
  limit: number,
  { stream, checkpoints, invoke, onFailure }: ShardReading,
): Promise<Batch> => {
  const from = at ?? (await iteratorAfter(stream, shardId, checkpoints.of(shardId)));
  if (from === undefined) return { handled: 0, isWhole: true };
  const { records, next } = await recordsAt(stream, from, limit);
  if (records.length === 0) return { handled: 0, isWhole: true, next };

  const batch = records.map((record) => lambdaRecord(record, stream.arn));
  const { handled, crashed } = await countHandled(batch, invoke);
  const last = batch[handled - 1];
  if (last !== undefined) checkpoints.set(shardId, sequenceOf(last));
  if (handled === batch.length) return { handled, isWhole: true, next };
  onFailure(batch.length - handled);
  return { handled, isWhole: false, crashed };
};

const sequenceOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';

const countHandled = async (records: readonly DynamoDBRecord[], invoke: InvokeWithRecords) => {
  const sequences = records.map(sequenceOf);
  try {
    const failed = failedItems(await invoke({ Records: [...records] }), sequences);
    return { handled: Math.min(records.length, ...failed.map((item) => sequences.indexOf(item))), crashed: 0 };
  } catch {
    return { handled: 0, crashed: records.length };
  }
};

export const createCheckpoints = (file?: string) => {
  const checkpoints = new Map(Object.entries(readJsonFile(file, z.record(z.string(), z.string())) ?? {}));

  return {
    of: (shardId: string) => checkpoints.get(shardId),
    set(shardId: string, sequenceNumber: string) {
      checkpoints.set(shardId, sequenceNumber);
      writeJsonFile(file, Object.fromEntries(checkpoints));
    },
  };
};

/** What of a stream a function gets. */
interface StreamFilter {
  /** Of rows of these kinds, as the filter of the deployed event source has it. */
  readonly kinds: readonly string[];
  /** An older change is given up. */
  readonly maxAgeSeconds?: number | undefined;
  readonly onGivenUp?: (changes: number) => void;
  /** Rows whose events are published already. */
  readonly played?: Pick<PlayedRows, 'has'>;
}

/** Passes on what a function gets of a stream. */
export const filterChanges =
  (
    { kinds, maxAgeSeconds = Number.POSITIVE_INFINITY, onGivenUp = () => undefined, played }: StreamFilter,
    invoke: InvokeWithRecords,
  ): InvokeWithRecords =>
  async ({ Records }) => {
    const wanted = Records.filter(
      (record) => kinds.includes(kindOf(record)) && !played?.has(record.dynamodb?.NewImage ?? {}),
    );
    const oldest = Date.now() / 1_000 - maxAgeSeconds;
    const changes = wanted.filter(({ dynamodb }) => (dynamodb?.ApproximateCreationDateTime ?? oldest) >= oldest);
    if (changes.length < wanted.length) onGivenUp(wanted.length - changes.length);
    return changes.length === 0 ? { batchItemFailures: [] } : invoke({ Records: changes });
  };

const kindOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.NewImage?.['kind']?.S ?? '';

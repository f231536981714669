import type { Shard } from '@aws-sdk/client-dynamodb-streams';
import { pause } from '../pause.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { InvokeWithRecords } from './deliver.ts';
import { type Reading, readShard } from './read-shard.ts';
import { type Stream, shardsOf } from './shard.ts';

/** What is read, and who gets it. */
export interface StreamReaderOptions {
  readonly stream: Stream;
  readonly checkpoints: Checkpoints;
  readonly invoke: InvokeWithRecords;
  readonly onFailure?: (records: number) => void;
  readonly pollMilliseconds?: number;
}

/** A running reader. `stop` first hands over what is in the stream, for at most the given time. */
export interface StreamReader {
  stop(drainMilliseconds: number): Promise<void>;
}

const lookForShardsMilliseconds = 1_000;

/** A shard may be read once its parent, where that still exists, was read to its end: this keeps the order of a key. */
const readable = (shards: readonly Shard[], finished: ReadonlySet<string>): readonly string[] => {
  const known = new Set(shards.map(({ ShardId }) => ShardId));

  return shards
    .filter(({ ParentShardId: parent }) => parent === undefined || !known.has(parent) || finished.has(parent))
    .flatMap(({ ShardId }) => ShardId ?? []);
};

/** Plays Lambda's event source mapping for a table's stream, from its oldest record or from the checkpoints. */
export const startStreamReader = (options: StreamReaderOptions): StreamReader => {
  const { onFailure = () => undefined, pollMilliseconds = 100 } = options;
  const stopping = new AbortController();
  const draining = new AbortController();
  const reading: Reading = {
    ...options,
    onFailure,
    pollMilliseconds,
    signal: stopping.signal,
    draining: draining.signal,
  };

  const running = new Map<string, Promise<void>>();
  const finished = new Set<string>();

  const begin = (shardId: string): void => {
    if (running.has(shardId)) return;
    const ended = readShard(shardId, reading).then(() => {
      finished.add(shardId);
    });
    running.set(shardId, ended);
  };

  const look = async (): Promise<void> => {
    const shards = await shardsOf(options.stream).catch(() => []);
    for (const shardId of readable(shards, finished)) begin(shardId);
  };

  const read = async (): Promise<void> => {
    while (!draining.signal.aborted) {
      await look();
      await pause(lookForShardsMilliseconds, draining.signal);
    }
    await Promise.all(running.values());
  };
  const done = read();

  return {
    async stop(drainMilliseconds) {
      const deadline = setTimeout(() => stopping.abort(), drainMilliseconds);
      draining.abort();
      await done;
      clearTimeout(deadline);
    },
  };
};

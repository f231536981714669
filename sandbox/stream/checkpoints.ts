import * as z from 'zod';
import { readKept, writeKept } from '../disk/kept-json.ts';

/** The last sequence number handled of each shard. */
export interface Checkpoints {
  of(shardId: string): string | undefined;
  set(shardId: string, sequenceNumber: string): void;
}

/** Checkpoints in memory, and in `file` as well where one is given. */
export const createCheckpoints = (file?: string): Checkpoints => {
  const kept = new Map(Object.entries(readKept(file, z.record(z.string(), z.string())) ?? {}));

  return {
    of: (shardId) => kept.get(shardId),
    set(shardId, sequenceNumber) {
      kept.set(shardId, sequenceNumber);
      writeKept(file, Object.fromEntries(kept));
    },
  };
};

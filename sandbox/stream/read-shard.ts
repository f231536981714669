import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb-streams';
import { pause } from '../pause.ts';
import type { Checkpoints } from './checkpoints.ts';
import { type Delivery, deliver } from './deliver.ts';
import { lambdaRecord } from './lambda-record.ts';
import { iteratorAfter, recordsAt, type Stream } from './shard.ts';

/** What reading needs. Once `draining` aborts, a shard is done as soon as it has nothing new. */
export interface Reading extends Delivery {
  readonly stream: Stream;
  readonly checkpoints: Checkpoints;
  readonly pollMilliseconds: number;
  readonly draining: AbortSignal;
}

const retryMilliseconds = 200;

/** Reads on from the checkpoint until the end of the shard, or until it is drained. Throws what the client throws. */
const readOn = async (shardId: string, reading: Reading): Promise<void> => {
  const { stream, checkpoints, draining, signal } = reading;
  let at = await iteratorAfter(stream, shardId, checkpoints.of(shardId));

  while (at !== undefined && !signal.aborted) {
    const { records, next } = await recordsAt(stream, at);
    const batch = records.map((record) => lambdaRecord(record, stream.arn));
    await deliver(batch, reading, (sequenceNumber) => checkpoints.set(shardId, sequenceNumber));

    at = next;
    if (records.length > 0) continue;
    if (draining.aborted) return;
    await pause(reading.pollMilliseconds, draining);
  }
};

/**
 * Reads a shard to its end, in order. An iterator that expired, or a store that does not answer, is met by asking for
 * a new iterator at the checkpoint, which follows every call of the function. A shard that is gone is at its end.
 */
export const readShard = async (shardId: string, reading: Reading): Promise<void> => {
  while (!reading.signal.aborted) {
    try {
      await readOn(shardId, reading);
      return;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return;
      await pause(retryMilliseconds, reading.signal);
    }
  }
};

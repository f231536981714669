import { setTimeout as pause } from 'node:timers/promises';
import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { weighedBatches } from '../../lib/batches.ts';
import { jsonBytes } from '../../lib/json/json-bytes.ts';
import { tellable } from '../../lib/tellable.ts';
import type { AgentTableSettings } from './dynamo-agent-table.ts';

/** DynamoDB takes 25 rows a call, and 16 MB of them: half of that is sent sooner than the deadline. */
const maxRows = 25;
const maxBytes = 8_000_000;

/** So many calls at once write the largest floor in seconds, and leave sockets for others. */
const maxLanes = 16;

const firstPauseMs = 50;

/** No row weighs less than its share of a full batch, so that the one bound holds both. */
const weightOf = (request: WriteRequest): number => Math.max(maxBytes / maxRows, jsonBytes(request));

/**
 * Writes rows each on its own, many at a time. When it throws, it has begun nothing more and waited for what it had
 * begun: a write that came in late could undo that of a later run.
 */
export const writeEach = async (settings: AgentTableSettings, requests: readonly WriteRequest[]): Promise<void> => {
  const left = iteratorOf(weighedBatches(requests, maxBytes, weightOf));
  const lane = async () => {
    for (const batch of left) await writeBatch(settings, batch);
  };
  const results = await Promise.allSettled(Array.from({ length: maxLanes }, lane));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

/** A generator, since that ends for all lanes when one of them throws. */
function* iteratorOf<Item>(items: readonly Item[]): Generator<Item, void> {
  yield* items;
}

/** BatchWriteItem succeeds as a call while single rows are left unwritten, so those are sent again until the deadline. */
const writeBatch = async (
  { client, tableName, deadlineMs }: AgentTableSettings,
  batch: readonly WriteRequest[],
): Promise<void> => {
  const abortSignal = AbortSignal.timeout(deadlineMs);
  let left = batch;
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: [...left] } });
    const { UnprocessedItems: unwritten } = await client.send(command, { abortSignal });
    left = unwritten?.[tableName] ?? [];
    if (left.length === 0) return;

    await pause(pauseMs, undefined, { signal: abortSignal }).catch(() => undefined);
    if (abortSignal.aborted) throw tellable(`DynamoDB left ${left.length} of ${batch.length} rows unwritten`);
  }
};

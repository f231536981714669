import { setTimeout as pause } from 'node:timers/promises';
import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { batchesByWeight, inParallel } from '../../lib/core/collections.ts';
import { jsonBytes } from '../../lib/core/json.ts';
import { loggableError } from '../../lib/core/result.ts';
import { type AgentTable, keyItem, marshalled } from '../../lib/storage/rows.ts';
import { dynamoVersionedRows, queryRows, type TableSettings } from './dynamo-versioned-rows.ts';

export const dynamoAgentTable = (settings: TableSettings): AgentTable => {
  const { client, tableName, deadlineMs } = settings;
  const versionedRows = dynamoVersionedRows(client, tableName);

  return {
    query: queryRows(settings),
    async write(row, alongside = { puts: [], removes: [] }) {
      const { kind } = await versionedRows.putNextVersion(row, alongside, AbortSignal.timeout(deadlineMs));
      if (kind === 'rejected') throw loggableError('The table can never store these rows');
      return kind;
    },
    put: (rows) =>
      writeInBatches(
        settings,
        rows.map((row) => ({ PutRequest: { Item: marshalled(row) } })),
      ),
    remove: (keys) =>
      writeInBatches(
        settings,
        keys.map((key) => ({ DeleteRequest: { Key: keyItem(key) } })),
      ),
  };
};

/** BatchWriteItem takes 25 rows and 16 MB a call. Half of that arrives well before the deadline. */
const maxRows = 25;
const maxBytes = 8_000_000;

/** Enough concurrent calls to write the agents of a large account in seconds. Other work still finds a free socket. */
const maxConcurrentBatches = 16;

const firstPauseMs = 50;

/** Every row weighs at least its share of a full batch, so one limit holds for rows and bytes. */
const weightOf = (request: WriteRequest): number => Math.max(maxBytes / maxRows, jsonBytes(request));

/** Before it throws, it waits for the batches in flight: a late one could undo what a later run wrote. */
export const writeInBatches = async (settings: TableSettings, requests: readonly WriteRequest[]): Promise<void> => {
  const batches = batchesByWeight(requests, maxBytes, weightOf);
  await inParallel(batches, maxConcurrentBatches, (batch) => writeBatch(settings, batch));
};

/** BatchWriteItem succeeds as a call while single rows stay unwritten. Those are sent again until the deadline. */
const writeBatch = async (
  { client, tableName, deadlineMs }: TableSettings,
  batch: readonly WriteRequest[],
): Promise<void> => {
  const abortSignal = AbortSignal.timeout(deadlineMs);
  let unwritten = batch;
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: [...unwritten] } });
    const { UnprocessedItems } = await client.send(command, { abortSignal });
    // A table that was named may come back by its ARN.
    unwritten = Object.values(UnprocessedItems ?? {}).flat();
    if (unwritten.length === 0) return;

    await pause(pauseMs, undefined, { signal: abortSignal }).catch(() => undefined);
    if (abortSignal.aborted) throw loggableError(`DynamoDB left ${unwritten.length} of ${batch.length} rows unwritten`);
  }
};

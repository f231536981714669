import { setTimeout as pause } from 'node:timers/promises';
import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { writeInBatches } from '../../functions/adapters/dynamo-agent-table.ts';
import { eventBridgeBus } from '../../functions/publish-changes/app.ts';
import { fitsIntoCall } from '../../functions/publish-changes/publish-changes.ts';
import { agentsKey } from '../../lib/agents/rows.ts';
import { partitionKey } from '../../lib/calls/call-keys.ts';
import { batches } from '../../lib/core/collections.ts';
import type { BusEvent } from '../../lib/publish/events-of-change.ts';
import { type Item, keyItem, marshalled } from '../../lib/storage/rows.ts';
import { busName, tableNames } from '../frame/local-aws.ts';
import type { PlayedRows } from '../stream/played-rows.ts';
import type { ChangedRow } from './memory-table.ts';
import type { PlayedOutcome } from './past-deployment.ts';

export interface OutcomeStore {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly eventbridge: Pick<EventBridgeClient, 'send'>;
  readonly played: PlayedRows;
}

const deadlineMs = 60_000;

/** Rows first, as whoever gets an event may read its row. */
export const storeOutcome = async (store: OutcomeStore, outcome: PlayedOutcome, signal: AbortSignal): Promise<void> => {
  await storeRows(store, tableNames.calls, outcome.calls);
  await storeRows(store, tableNames.agents, outcome.agents);
  await publishInOrder(store, outcome.events, signal);
};

const storeRows = async (
  { dynamodb, played }: OutcomeStore,
  tableName: string,
  rows: readonly ChangedRow[],
): Promise<void> => {
  for (const { item } of rows) if (item !== undefined) played.add(item);
  await writeInBatches(
    { client: dynamodb, tableName, deadlineMs },
    rows.map(({ key, item }) =>
      item === undefined ? { DeleteRequest: { Key: keyItem(key) } } : { PutRequest: { Item: item } },
    ),
  );
};

const retryMs = 500;

/** Tries again, as a stream does, from the first event that the bus did not accept: somebody may have set a fault. */
const publishInOrder = async (
  { eventbridge }: OutcomeStore,
  events: readonly BusEvent[],
  signal: AbortSignal,
): Promise<void> => {
  const bus = eventBridgeBus(eventbridge, busName);
  for (const batch of batches(events, fitsIntoCall)) {
    let rest = batch;
    while (rest.length > 0) {
      signal.throwIfAborted();
      const refused = rest.map(() => false);
      const accepted = await bus.publish(rest).catch(() => refused);
      rest = rest.filter((_, index) => accepted[index] !== true);
      if (rest.length > 0) await pause(retryMs, undefined, { signal });
    }
  }
};

/** The rows with which polling and posting go on where a sandbox has stopped: the present agents, and calls of which more is to come. */
export const storedRows = async (
  { dynamodb }: Pick<OutcomeStore, 'dynamodb'>,
  account: string,
  callIds: readonly string[],
): Promise<{ readonly calls: readonly Item[]; readonly agents: readonly Item[] }> => {
  const partition = async (TableName: string, pk: string): Promise<readonly Item[]> => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshalled({ ':pk': pk }),
      }),
    );
    return Items;
  };
  const calls = await Promise.all(callIds.map((callId) => partition(tableNames.calls, partitionKey(account, callId))));
  return { calls: calls.flat(), agents: await partition(tableNames.agents, agentsKey(account)) };
};

import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { noteReceipts, type ReceiptStore, receiptsKey } from '../../lib/agents/callback-receipts.ts';
import type { EventBus, RowChange } from '../../lib/publish/events-of-change.ts';
import { eventSource } from '../../lib/storage/event.ts';
import { keyItem, marshalled } from '../../lib/storage/rows.ts';
import { storeDeadlineMs as deployedDeadlineMs, type PromptParts } from '../adapters/aws-clients.ts';
import type { TableSettings } from '../adapters/dynamo-versioned-rows.ts';
import { type BufferedTelemetry, runSettings } from '../adapters/json-telemetry.ts';
import { changesIn } from '../adapters/stream-changes.ts';
import type { PublishChangesEnv } from './environment.ts';
import { publishChanges } from './publish-changes.ts';

interface Services {
  readonly publish: (changes: readonly RowChange[]) => Promise<string | undefined>;
  readonly telemetry: BufferedTelemetry;
}

export const createPublishHandler = ({ publish, telemetry }: Services) =>
  middy<DynamoDBStreamEvent, DynamoDBBatchResponse>(runSettings(telemetry)).handler(async ({ Records }) => {
    const failedFrom = await publish(changesIn(Records));
    return { batchItemFailures: failedFrom === undefined ? [] : [{ itemIdentifier: failedFrom }] };
  });

export interface PublisherParts extends PromptParts<PublishChangesEnv> {
  readonly eventbridge: Pick<EventBridgeClient, 'send'>;
}

export const composePublisher = ({ env, eventbridge, dynamodb, ...ports }: PublisherParts) => {
  const { clock, telemetry, storeDeadlineMs: deadlineMs = deployedDeadlineMs } = ports;
  const publish = publishChanges({
    telemetry,
    bus: eventBridgeBus(eventbridge, env.BUS_NAME, deadlineMs),
    personalFields: env.PERSONAL_FIELDS,
  });
  const receipts = dynamoReceipts({ client: dynamodb, tableName: env.AGENTS_TABLE, deadlineMs });
  const note = noteReceipts({ receipts, clock, telemetry });

  return createPublishHandler({
    telemetry,
    async publish(changes) {
      const failedFrom = await publish(changes);
      await note(changes, { isRejected: failedFrom !== undefined });
      return failedFrom;
    },
  });
};

/**
 * PutEvents succeeds as a call while single entries fail, so the answer for each entry is checked. `deadlineMs` is for one of the
 * two attempts of the client, whose own limits do not end an answer that stops in the middle.
 */
export const eventBridgeBus = (
  client: Pick<EventBridgeClient, 'send'>,
  busName: string,
  deadlineMs: number = deployedDeadlineMs,
): EventBus => ({
  async publish(events) {
    const command = new PutEventsCommand({
      Entries: events.map(({ type, detail }) => ({
        EventBusName: busName,
        Source: eventSource,
        DetailType: type,
        Time: new Date(detail.recordedAt),
        Detail: JSON.stringify(detail),
      })),
    });
    const { Entries = [] } = await client.send(command, { abortSignal: AbortSignal.timeout(2 * deadlineMs) });
    return events.map((_, index) => Entries[index]?.EventId !== undefined && Entries[index].ErrorCode === undefined);
  },
});

export const dynamoReceipts = ({ client, tableName, deadlineMs }: TableSettings): ReceiptStore => ({
  async advance(account, instant, at) {
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: keyItem(receiptsKey(account)),
      UpdateExpression: `SET ${instant} = :at, kind = :kind, account = :account`,
      // Several processes write the row, each with the callbacks of its own shard.
      ConditionExpression: `attribute_not_exists(${instant}) OR ${instant} < :at`,
      ExpressionAttributeValues: marshalled({ ':at': at, ':kind': 'callbacks', ':account': account }),
    });
    try {
      await client.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) });
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  },
});

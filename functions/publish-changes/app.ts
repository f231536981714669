import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent, StreamRecord } from 'aws-lambda';
import { noteReceipts } from '../../lib/agents/silence.ts';
import type { Clock } from '../../lib/core/time.ts';
import { publishChanges } from '../../lib/publish/publish-changes.ts';
import type { RowChange } from '../../lib/publish/row-change.ts';
import { type Item, unmarshalled } from '../../lib/storage/rows.ts';
import { storeDeadlineMs as deployedDeadlineMs } from '../adapters/aws-clients.ts';
import { dynamoReceipts } from '../adapters/dynamo-agent-table.ts';
import { eventBridgeBus } from '../adapters/event-bridge-bus.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import type { PublishChangesEnv } from './env.ts';

interface Services {
  readonly publish: (changes: readonly RowChange[]) => Promise<string | undefined>;
  readonly telemetry: BufferedTelemetry;
}

/** Publishes a batch of a table's stream, and answers the record from which the stream must retry. */
export const createPublishHandler = ({ publish, telemetry }: Services) =>
  middy<DynamoDBStreamEvent, DynamoDBBatchResponse>({ requestEnd: telemetry.flush }).handler(async ({ Records }) => {
    const failedFrom = await publish(Records.flatMap(({ dynamodb }) => (dynamodb ? changeOf(dynamodb) : [])));
    return { batchItemFailures: failedFrom === undefined ? [] : [{ itemIdentifier: failedFrom }] };
  });

/** The types of Lambda's events differ from the SDK's only in binary values, which our rows do not have. */
const changeOf = ({ SequenceNumber = '', OldImage, NewImage }: StreamRecord): RowChange => ({
  sequence: SequenceNumber,
  before: OldImage && unmarshalled(OldImage as Item),
  after: NewImage && unmarshalled(NewImage as Item),
});

/** The parts of the publisher. */
export interface PublisherParts {
  readonly env: PublishChangesEnv;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly eventbridge: Pick<EventBridgeClient, 'send'>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  /** How long a call to the table may take, if not as long as deployed. */
  readonly storeDeadlineMs?: number;
}

/** The publisher over these clients. */
export const composePublisher = ({ env, eventbridge, dynamodb, ...ports }: PublisherParts) => {
  const { clock, telemetry, storeDeadlineMs: deadlineMs = deployedDeadlineMs } = ports;
  const publish = publishChanges({
    telemetry,
    clock,
    bus: eventBridgeBus(eventbridge, env.BUS_NAME),
    personalFields: env.PERSONAL_FIELDS,
  });
  const receipts = dynamoReceipts({ client: dynamodb, tableName: env.AGENTS_TABLE, deadlineMs });
  const note = noteReceipts({ receipts, clock, telemetry });

  return createPublishHandler({
    telemetry,
    async publish(changes) {
      const failedFrom = await publish(changes);
      await note(changes, { isHeldUp: failedFrom !== undefined });
      return failedFrom;
    },
  });
};

import { DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { expect } from 'vitest';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { createPublishHandler } from '../../functions/publish-changes/app.ts';
import { publishChanges } from '../../lib/publish/publish-changes.ts';
import { agentsTable } from '../../lib/schema/tables.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { filterPublished } from '../../sandbox/stream/deliver.ts';
import { lambdaRecord } from '../../sandbox/stream/lambda-record.ts';
import { iteratorAfter, recordsAt, shardsOf } from '../../sandbox/stream/shard.ts';
import type { TestTables } from './dynamodb-local.ts';
import { recordingBus } from './memory-ports.ts';

/** The events that the deployed publisher makes of the changes in the agents' table. */
export const publishedAgentEvents = async ({
  client,
  endpoint,
  tableNames,
}: Pick<TestTables, 'client' | 'endpoint' | 'tableNames'>) => {
  const TableName = tableNames.agents;
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const stream = { client: new DynamoDBStreamsClient(localClient(endpoint)), arn: Table?.LatestStreamArn ?? '' };
  const bus = recordingBus();
  const telemetry = jsonTelemetry({ function: 'publish-changes', deployment: 'test' }, () => undefined);
  const handler = createPublishHandler({
    telemetry,
    publish: publishChanges({ bus, telemetry, clock: () => new Date() }),
  });
  const publish = filterPublished(agentsTable.published, async (event) => handler(event, {} as never));
  const positions = new Map<string, string | undefined>();
  const read: DynamoDBRecord[] = [];
  let marks = 0;

  /** Reads the rest of a shard. */
  const readShard = async (shardId: string): Promise<void> => {
    let at = positions.has(shardId) ? positions.get(shardId) : await iteratorAfter(stream, shardId, undefined);
    while (at !== undefined) {
      const { records, next } = await recordsAt(stream, at);
      const batch = records.map((record) => lambdaRecord(record, stream.arn));
      expect(await publish({ Records: batch })).toEqual({ batchItemFailures: [] });
      read.push(...batch);
      at = next;
      positions.set(shardId, at);
      if (records.length === 0) return;
    }
  };

  const readOn = async (): Promise<readonly DynamoDBRecord[]> => {
    for (const { ShardId = '' } of await shardsOf(stream)) await readShard(ShardId);
    return read;
  };

  return {
    /** The events of an account so far, in order. A marker row, written last, shows when everything before it was read. */
    async events(account: string) {
      const mark = `mark-${marks++}`;
      await client.send(new PutItemCommand({ TableName, Item: { pk: { S: mark }, sk: { S: mark } } }));
      const isRead = async () => (await readOn()).some(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S === mark);
      await expect.poll(isRead, { timeout: 60_000 }).toBe(true);
      return bus.sent().filter(({ detail }) => detail['account'] === account);
    },
    /** Every change that was read, with its old and new image. */
    changes: (): readonly DynamoDBRecord[] => read,
    stop: () => stream.client.destroy(),
  };
};

export type PublishedAgentEvents = Awaited<ReturnType<typeof publishedAgentEvents>>;

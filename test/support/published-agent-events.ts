import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { expect } from 'vitest';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { createPublishHandler } from '../../functions/publish-changes/app.ts';
import { publishChanges } from '../../lib/publish/publish-changes.ts';
import { agentsTable, callsTable } from '../../lib/storage/tables.ts';
import { filterPublished } from '../../sandbox/stream/deliver.ts';
import { lambdaRecord } from '../../sandbox/stream/shard.ts';
import { followStream } from '../deployment/local-dynamodb.ts';
import type { TestTables } from './dynamodb-local.ts';
import { recordingBus } from './memory-ports.ts';

type Tables = Pick<TestTables, 'client' | 'endpoint' | 'tableNames'>;

/** The events that the deployed publisher makes of the changes in the agents' table. */
export const publishedAgentEvents = (tables: Tables) => publishedEvents(tables, 'agents');

/** The events that the deployed publisher makes of the changes in a table. */
export const publishedEvents = async ({ client, endpoint, tableNames }: Tables, name: 'agents' | 'calls') => {
  const TableName = tableNames[name];
  const bus = recordingBus();
  const telemetry = jsonTelemetry({ function: 'publish-changes', deployment: 'test' }, () => undefined);
  const handler = createPublishHandler({
    telemetry,
    publish: publishChanges({ bus, telemetry, clock: () => new Date() }),
  });
  const publish = filterPublished({ agents: agentsTable, calls: callsTable }[name].published, async (event) =>
    handler(event, {} as never),
  );
  const read: DynamoDBRecord[] = [];
  const marked = new Set<string>();
  const stream = await followStream(client, { endpoint, table: TableName }, (record) => {
    read.push(lambdaRecord(record, 'stream'));
    marked.add(record.dynamodb?.Keys?.['pk']?.S ?? '');
  });
  let published = 0;
  let marks = 0;

  return {
    /** The events of an account so far, in order. A marker row, written last, shows when everything before it was read. */
    async events(account: string) {
      const mark = `mark-${marks++}`;
      await client.send(new PutItemCommand({ TableName, Item: { pk: { S: mark }, sk: { S: mark } } }));
      await stream.until(() => marked.has(mark));
      const Records = read.slice(published);
      published = read.length;
      expect(await publish({ Records })).toEqual({ batchItemFailures: [] });
      return bus.sent().filter(({ detail }) => detail['account'] === account);
    },
    /** Every change that was read, with its old and new image. */
    changes: (): readonly DynamoDBRecord[] => read,
    stop: stream.close,
  };
};

export type PublishedAgentEvents = Awaited<ReturnType<typeof publishedAgentEvents>>;

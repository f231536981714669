import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchGetItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBStreamsClient,
  type _Record as StreamRecord,
  type AttributeValue as StreamValue,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import * as z from 'zod';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import { marshalled, type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { callsTable } from '../../lib/storage/tables.ts';
import { startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';
import { createTableInput, forwardTo } from '../../sandbox/dynamodb/start-store.ts';
import type { Answer, Handle } from '../../sandbox/http/serve.ts';
import { pause } from '../../sandbox/lifecycle.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { iteratorAfter, lambdaImage, recordsAt, shardsOf } from '../../sandbox/stream/shard.ts';
import { type Item, keysIn, type Place, writtenKeys } from './items.ts';
import { createEnvironment, createStreams, type WorldOptions, worldTables } from './world.ts';

/** Polling without a pause would slow DynamoDB Local down. */
const idleMilliseconds = 15;
const never = new AbortController().signal;

/** Follows the stream of a table of DynamoDB Local, which has one shard and so one order of records. */
const followStream = async (
  client: DynamoDBClient,
  { endpoint, table }: { readonly endpoint: string; readonly table: string },
  onRecord: (record: StreamRecord) => void,
) => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  const streams = new DynamoDBStreamsClient(localClient(endpoint));
  const stream = { client: streams, arn: Table?.LatestStreamArn ?? '' };
  const [shard, ...others] = await shardsOf(stream);
  if (shard?.ShardId === undefined || others.length > 0)
    throw new Error(`The stream of ${table} has more or less than one shard`);
  const { ShardId } = shard;
  let last: string | undefined;
  let at: string | undefined;

  const readOn = async (): Promise<void> => {
    at ??= await iteratorAfter(stream, ShardId, last);
    if (at === undefined) throw new Error(`The stream of ${table} is at its end`);
    const { records, next } = await recordsAt(stream, at);
    at = next;
    last = records.at(-1)?.dynamodb?.SequenceNumber ?? last;
    records.forEach(onRecord);
    if (records.length === 0) await pause(idleMilliseconds, never);
  };
  /** An iterator of an empty shard becomes invalid once there are records. */
  const restartAfter = (error: unknown): void => {
    if (!(error instanceof TrimmedDataAccessException)) throw error;
    at = undefined;
  };
  let reading: Promise<void> | undefined;

  return {
    /** Reads until the condition holds. */
    async until(holds: () => boolean) {
      while (!holds()) {
        reading ??= readOn()
          .catch(restartAfter)
          .finally(() => {
            reading = undefined;
          });
        await reading;
      }
    },
    close: () => streams.destroy(),
  };
};

/** A table’s stream with several readers. */
type FollowedStream = Awaited<ReturnType<typeof followStream>>;

type TableName = keyof typeof worldTables;

type Listener = (table: TableName, record: StreamRecord) => void;

const tableNames = ['calls', 'quarantine', 'agents'] as const;
const streamed = tableNames.filter((table) => worldTables[table].published.length > 0);

/** BatchGetItem’s limit of keys in a call. */
const maxKeys = 100;

/** The functions’ requests are not signed here. DynamoDB Local reads only the credential, not the signature. */
const authorization =
  'AWS4-HMAC-SHA256 Credential=sandbox/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none';

const markerKind = 'marker';

/** A world of this name has the tables for itself, so it sees every row. */
export const everyName = 'every-name';

/** Creates new tables in the DynamoDB Local at an address, or starts one. Rows do not expire. */
export const startLocalTables = async (address?: string) => {
  const dynamodb = address === undefined ? await startDynamodb({ port: 0 }) : undefined;
  const endpoint = address ?? dynamodb?.endpoint ?? '';
  const client = new DynamoDBClient(localClient(endpoint));
  const forward = forwardTo(endpoint);
  const prefix = `world-${randomUUID()}-`;
  const nameOf = (table: TableName): string => `${prefix}${table}`;
  await Promise.all(
    tableNames.map((table) => client.send(new CreateTableCommand(createTableInput(nameOf(table), worldTables[table])))),
  );

  const listeners = new Map<string, Listener>();
  const markers = new Set<string>();
  let marked = 0;

  const onRecord =
    (table: TableName) =>
    (record: StreamRecord): void => {
      const { pk, sk } = record.dynamodb?.Keys ?? {};
      const [name = ''] = (pk?.S ?? '').split('#');
      if (record.dynamodb?.NewImage?.['kind']?.S === markerKind) markers.add(`${table} ${sk?.S}`);
      else (listeners.get(name) ?? listeners.get(everyName))?.(table, record);
    };
  const streams = new Map<TableName, FollowedStream>(
    await Promise.all(
      streamed.map(
        async (table) =>
          [table, await followStream(client, { endpoint, table: nameOf(table) }, onRecord(table))] as const,
      ),
    ),
  );

  const put = async (table: TableName, item: Item): Promise<void> => {
    await client.send(new PutItemCommand({ TableName: nameOf(table), Item: item }));
  };
  const mark = async (name: string, table: TableName): Promise<void> => {
    const stream = streams.get(table);
    if (stream === undefined) return;
    marked += 1;
    const sk = String(marked);
    await put(table, { pk: { S: `${name}#${markerKind}` }, sk: { S: sk }, kind: { S: markerKind } });
    await stream.until(() => markers.delete(`${table} ${sk}`));
  };

  return {
    handle: (request: Parameters<Handle>[0]) => forward({ ...request, headers: { ...request.headers, authorization } }),
    ...{ nameOf, put },
    /** The tables by their names here, and what functions find in their environment. */
    declarations: Object.fromEntries(tableNames.map((table) => [nameOf(table), worldTables[table]])),
    env: {
      CALLS_TABLE: nameOf('calls'),
      QUARANTINE_TABLE: nameOf('quarantine'),
      AGENTS_TABLE: nameOf('agents'),
    },
    async items(places: readonly Place[]) {
      const items: Item[] = [];
      for (let from = 0; from < places.length; from += maxKeys) {
        const byTable = Map.groupBy(places.slice(from, from + maxKeys), ({ table }) => table);
        const RequestItems = Object.fromEntries(
          [...byTable].map(([table, all]) => [table, { ConsistentRead: true, Keys: all.map(({ keys }) => keys) }]),
        );
        const { Responses = {}, UnprocessedKeys = {} } = await client.send(new BatchGetItemCommand({ RequestItems }));
        if (Object.keys(UnprocessedKeys).length > 0) throw new Error('DynamoDB Local left keys unread');
        items.push(...Object.values(Responses).flat());
      }
      return items;
    },
    /** Passes the records under a name to a listener. Returns how to stop. */
    follow(name: string, listener: Listener) {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
    /** Resolves once the listener has all records that were written under a name before. */
    async caughtUp(name: string, tables: readonly TableName[]) {
      await Promise.all(tables.map((table) => mark(name, table)));
    },
    async stop() {
      for (const stream of streams.values()) stream.close();
      forward.close();
      client.destroy();
      await dynamodb?.stop();
    },
  };
};

/** The tables in DynamoDB Local, shared by many worlds that write under names of their own. */
export type LocalTables = Awaited<ReturnType<typeof startLocalTables>>;

/**
 * The functions as deployed over tables in DynamoDB Local. A world sees only what it wrote itself. The name is that of its
 * only account; the keys of all its streamed rows begin with it.
 */
export const createLocalWorld = (
  tables: LocalTables,
  { name, ...options }: WorldOptions & { readonly name: string },
) => {
  const streams = createStreams(worldTables);
  const forwardStreams = createStreams({ calls: callsTable });
  const changes: RowChange[] = [];
  const stopFollowing = tables.follow(name, (table, record) => {
    changes.push(changeIn(record));
    streams.take(table, record);
    forwardStreams.take(table, record);
  });
  const places = new Map<string, Place>();
  const env = { ...tables.env, ...options.env };
  const note = (place: Place): void => {
    places.set(JSON.stringify(place), place);
  };
  const noting: Handle = async (request) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    writtenKeys(tables.declarations, operation, JSON.parse(request.body.toString())).forEach(note);
    return tables.handle(request);
  };
  const written = (table: TableName): readonly Place[] =>
    [...places.values()].filter((place) => place.table === tables.nameOf(table));

  return {
    ...createEnvironment(serialised(noting), { ...options, env }),
    /** The records of the tables’ real streams, complete once `caughtUp` has resolved. */
    ...{ streams, forwardStreams },
    async caughtUp() {
      await tables.caughtUp(
        name,
        tableNames.filter((table) => written(table).length > 0),
      );
    },
    /** Every change in the streams; those of a table are in order. */
    changes: (): readonly RowChange[] => changes,
    /** The rows of a table, or those with certain keys. */
    rows: async (table: TableName, includes: (keys: Item) => boolean = () => true): Promise<readonly Row[]> =>
      (await tables.items(written(table).filter(({ keys }) => includes(keys)))).map(unmarshalled),
    async put(table: TableName, row: Row) {
      const item = marshalled(row);
      note({ table: tables.nameOf(table), keys: keysIn(item, worldTables[table].key) });
      await tables.put(table, item);
    },
    close: stopFollowing,
  };
};

export type LocalWorld = ReturnType<typeof createLocalWorld>;

/** Lambda’s type of an image differs from the SDK’s in binary values only, which our rows do not have. */
const Image = z.record(z.string(), z.custom<AttributeValue>());

const rowIn = (image: Readonly<Record<string, StreamValue>> | undefined): Row | undefined =>
  image && unmarshalled(Image.parse(lambdaImage(image)));

const changeIn = ({ dynamodb: { SequenceNumber = '', OldImage, NewImage } = {} }: StreamRecord): RowChange => ({
  sequence: SequenceNumber,
  before: rowIn(OldImage),
  after: rowIn(NewImage),
});

/** Answers concurrent requests one after the other, so that a run can be repeated. */
const serialised = (handle: Handle): Handle => {
  let last: Promise<unknown> = Promise.resolve();
  return (request): Promise<Answer> => {
    const answer = last.then(() => handle(request));
    last = answer.catch(() => undefined);
    return answer;
  };
};

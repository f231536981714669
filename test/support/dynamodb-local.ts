import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  BatchGetItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBStreamsClient,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { streamBatchSize } from '../../functions/event-sources.ts';
import { batches, keysOf } from '../../lib/core/collections.ts';
import { type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { agentsTable, callsTable, quarantineTable } from '../../lib/storage/tables.ts';
import type { SandboxOptions } from '../../sandbox/aws/sandbox-options.ts';
import { type DynamodbProcess, startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';
import { createTableInput, forwardTo } from '../../sandbox/dynamodb/start-store.ts';
import { pause } from '../../sandbox/frame/lifecycle.ts';
import { listen, localHost } from '../../sandbox/frame/listen.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { iteratorAfter, recordsAt, shardsOf } from '../../sandbox/stream/shard.ts';
import { type DeployedTable, deployedTables, type Item } from '../deployment/memory-dynamodb.ts';

/** Starts something that all processes of a test run share, at the first request. */
interface Launcher {
  readonly url: string;
  close(): void;
}

/** Answers GET with the result of `start`, or with the reason why it failed. */
export const startLauncher = async (start: () => Promise<string>): Promise<Launcher> => {
  let started: Promise<string> | undefined;
  const server = createServer((_request, response) => {
    started ??= start();
    started.then(
      (answer) => response.end(answer),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  const port = await listen(server, { number: 0, flag: 'globalSetup' });

  return { url: `http://${localHost}:${port}`, close: () => server.close() };
};

/** The result of the launcher at an address. Rejects with the reason if its start failed. */
export const requestLaunch = async (url: string): Promise<string> => {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);

  return text;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a launcher that starts the DynamoDB Local of the test run at the first request. */
    readonly dynamodbLauncher: string;
  }
}

/** Tables for one test file, in the DynamoDB Local that the whole test run shares. */
export interface TestTables {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  readonly tableNames: { readonly calls: string; readonly quarantine: string; readonly agents: string };
  /** Closes the client. The tables vanish at the end of the test run. */
  stop(): Promise<void>;
}

/** For vitest's `globalSetup`. Java starts with the first test that needs tables, so other runs do not wait for it. */
export const setup = async (project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> => {
  let started: Promise<DynamodbProcess> | undefined;
  const launcher = await startLauncher(async () => {
    started = startDynamodb();
    return (await started).endpoint;
  });
  project.provide('dynamodbLauncher', launcher.url);

  return async () => {
    launcher.close();
    await started?.then(
      ({ stop }) => stop(),
      () => undefined,
    );
  };
};

/** The address of the shared DynamoDB Local. Rejects with the reason if it could not be started. */
export const dynamodbEndpoint = (): Promise<string> => requestLaunch(inject('dynamodbLauncher'));

/**
 * Creates the tables of lib/storage/tables.ts under unique names, by default in the shared DynamoDB Local. Call it in
 * `beforeAll`, and `stop` in `afterAll`.
 */
export const startTestTables = async (otherEndpoint?: string): Promise<TestTables> => {
  const endpoint = otherEndpoint ?? (await dynamodbEndpoint());
  const client = new DynamoDBClient(localClient(endpoint));
  const prefix = `test-${randomUUID()}`;
  const tableNames = { calls: `${prefix}-calls`, quarantine: `${prefix}-quarantine`, agents: `${prefix}-agents` };

  const tables = { calls: callsTable, quarantine: quarantineTable, agents: agentsTable };
  // Without a time to live: tests have fixed dates, and DynamoDB Local removes rows that have expired by the machine's clock.
  for (const name of keysOf(tables))
    await client.send(new CreateTableCommand(createTableInput(tableNames[name], tables[name])));
  return {
    endpoint,
    client,
    tableNames,
    async stop() {
      client.destroy();
    },
  };
};

/** Every row of a table as it is now. */
export const allRows = async (client: DynamoDBClient, TableName: string): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    rows.push(...Items.map(unmarshalled));
  return rows;
};

/** Polling without a pause would slow DynamoDB Local down. */
const idleMilliseconds = 15;
const never = new AbortController().signal;

/** Follows the stream of a table, which in DynamoDB Local has one shard and so one order of records. */
const followStream = async (
  streams: DynamoDBStreamsClient,
  { TableName, LatestStreamArn: arn = '' }: TableDescription,
  onRecord: (record: StreamRecord) => void,
) => {
  const stream = { client: streams, arn };
  const [shard, ...others] = await shardsOf(stream);
  if (shard?.ShardId === undefined || others.length > 0)
    throw new Error(`The stream of ${TableName} has more or less than one shard`);
  const { ShardId } = shard;
  let last: string | undefined;
  let at: string | undefined;

  const readOn = async (): Promise<void> => {
    at ??= await iteratorAfter(stream, ShardId, last);
    if (at === undefined) throw new Error(`The stream of ${TableName} is at its end`);
    const { records, next } = await recordsAt(stream, at, streamBatchSize);
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
    /** Reads until the condition holds. Several readers share each read. */
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
  };
};

type Listener = (table: DeployedTable, record: StreamRecord) => void;

const tableNames = ['calls', 'quarantine', 'agents'] as const;

/** BatchGetItem’s limit of keys in a call. */
const maxKeys = 100;

const markerKind = 'marker';
const everyName = 'every-name';

/** Creates the deployed tables, with streams, in the DynamoDB Local at an address, or starts one. Rows do not expire. */
export const startLocalTables = async (address?: string) => {
  const dynamodb = address === undefined ? await startDynamodb() : undefined;
  const endpoint = address ?? dynamodb?.endpoint ?? '';
  const client = new DynamoDBClient(localClient(endpoint));
  const streamsClient = new DynamoDBStreamsClient(localClient(endpoint));
  const forward = forwardTo(endpoint);
  const prefix = `world-${randomUUID()}-`;
  const nameOf = (table: DeployedTable): string => `${prefix}${table}`;
  const listeners = new Map<string, Listener>();
  const markers = new Set<string>();
  let marked = 0;

  const started = tableNames.map(async (table) => {
    const creation = new CreateTableCommand(createTableInput(nameOf(table), deployedTables[table]));
    const { TableDescription = {} } = await client.send(creation);
    if (deployedTables[table].published.length === 0) return [];
    const stream = await followStream(streamsClient, TableDescription, (record) => {
      const { Keys: { pk, sk } = {}, NewImage } = record.dynamodb ?? {};
      const [name = ''] = (pk?.S ?? '').split('#');
      if (NewImage?.['kind']?.S === markerKind) markers.add(`${table} ${sk?.S}`);
      else (listeners.get(name) ?? listeners.get(everyName))?.(table, record);
    });
    return [{ table, stream }];
  });
  const streams = (await Promise.all(started)).flat();

  const put = async (table: DeployedTable, Item: Item): Promise<void> => {
    await client.send(new PutItemCommand({ TableName: nameOf(table), Item }));
  };

  return {
    handle: forward,
    nameOf,
    put,
    /** The tables by their names here, and what functions find in their environment. */
    declarations: Object.fromEntries(tableNames.map((table) => [nameOf(table), deployedTables[table]])),
    env: {
      CALLS_TABLE: nameOf('calls'),
      QUARANTINE_TABLE: nameOf('quarantine'),
      AGENTS_TABLE: nameOf('agents'),
    },
    /** The items of a table with these keys. */
    async items(table: DeployedTable, keys: readonly Item[]) {
      const items: Item[] = [];
      for (const Keys of batches(keys, ({ length }) => length < maxKeys)) {
        const RequestItems = { [nameOf(table)]: { ConsistentRead: true, Keys: [...Keys] } };
        const { Responses = {}, UnprocessedKeys = {} } = await client.send(new BatchGetItemCommand({ RequestItems }));
        if (Object.keys(UnprocessedKeys).length > 0) throw new Error('DynamoDB Local left keys unread');
        items.push(...Object.values(Responses).flat());
      }
      return items;
    },
    /** Passes the records under a name, or those that nobody else follows, to a listener. Returns how to stop. */
    follow(listener: Listener, name = everyName) {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
    /** Resolves once the listener has all records of these tables that were written under a name before. */
    async caughtUp(includes: (table: DeployedTable) => boolean, name = everyName) {
      const marking = streams
        .filter(({ table }) => includes(table))
        .map(async ({ table, stream }) => {
          marked += 1;
          const sk = String(marked);
          await put(table, { pk: { S: `${name}#${markerKind}` }, sk: { S: sk }, kind: { S: markerKind } });
          await stream.until(() => markers.delete(`${table} ${sk}`));
        });
      await Promise.all(marking);
    },
    async stop() {
      streamsClient.destroy();
      forward.close();
      client.destroy();
      await dynamodb?.stop();
    },
  };
};

/** Tables in DynamoDB Local that several worlds may share. */
export type LocalTables = Awaited<ReturnType<typeof startLocalTables>>;

const forwarder = fileURLToPath(new URL('forward-connections.ts', import.meta.url));

/**
 * A folder for JAVA_HOME. Its `java` forwards requests to the DynamoDB Local of the test run instead of starting
 * another one, which takes seconds. Each start has an access key, and with it tables, of its own.
 */
export const javaStandIn = async (): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'callfeed-java-'));
  const program = join(home, 'bin', 'java');
  const forward = [process.execPath, forwarder, await dynamodbEndpoint()].map((part) => `'${part}'`).join(' ');
  await mkdir(join(home, 'bin'));
  await writeFile(
    program,
    `#!/bin/sh
if [ "$1" = -version ]; then echo 'openjdk version "21"' >&2; else exec ${forward} "$@"; fi
`,
  );
  await chmod(program, 0o755);
  return home;
};

/**
 * Starts a sandbox at free ports over the DynamoDB Local of the test run, as its own would take seconds to start. Unless the
 * options say otherwise, only a test makes calls and polls.
 */
export const startSharedSandbox = async (options: Partial<SandboxOptions> = {}): Promise<Sandbox> => {
  const { JAVA_HOME } = process.env;
  process.env['JAVA_HOME'] = await javaStandIn();
  try {
    const quiet = { port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false };
    return await startSandbox({ ...quiet, ...options });
  } finally {
    if (JAVA_HOME === undefined) delete process.env['JAVA_HOME'];
    else process.env['JAVA_HOME'] = JAVA_HOME;
  }
};

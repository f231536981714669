import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { agentsTable, callsTable, quarantineTable } from '../../lib/storage/tables.ts';
import { type DynamodbProcess, startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';
import { createTables } from '../../sandbox/dynamodb/start-store.ts';
import { listen, localHost } from '../../sandbox/http/listen.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/sandbox-options.ts';

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
    started = startDynamodb({ port: 0 });
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

  await createTables(client, {
    [tableNames.calls]: callsTable,
    [tableNames.quarantine]: quarantineTable,
    [tableNames.agents]: agentsTable,
  });
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

const forwarder = fileURLToPath(new URL('forward-connections.ts', import.meta.url));

/**
 * A folder for JAVA_HOME. Its `java` forwards requests to the DynamoDB Local of the test run instead of starting
 * another one, which takes seconds. Each start has tables of its own.
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

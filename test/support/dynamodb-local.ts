import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { agentsTable, callsTable, quarantineTable } from '../../lib/schema/tables.ts';
import { createTables } from '../../sandbox/dynamodb/create-tables.ts';
import { type DynamodbProcess, startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { requestLaunch, startLauncher } from './launcher.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers GET with the address of the run's DynamoDB Local, which it starts when first asked. */
    readonly dynamodbLauncher: string;
  }
}

/** Tables of their own for one test file, in the DynamoDB Local that the whole run shares. */
export interface TestTables {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  readonly tableNames: { readonly calls: string; readonly quarantine: string; readonly agents: string };
  /** Closes the client. The tables go with the process at the end of the run. */
  stop(): Promise<void>;
}

/** For vitest's `globalSetup`. Java starts with the first test that asks for tables, so a run without such is not slowed. */
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

/** The address of the run's DynamoDB Local. Rejects with the reason when it could not be started. */
export const dynamodbEndpoint = (): Promise<string> => requestLaunch(inject('dynamodbLauncher'));

/**
 * Creates the tables of lib/schema/tables.ts anew under unique names, in the shared DynamoDB Local unless told. Call it
 * in `beforeAll`, and `stop` in `afterAll`.
 */
export const startTestTables = async (elsewhere?: string): Promise<TestTables> => {
  const endpoint = elsewhere ?? (await dynamodbEndpoint());
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

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callsTable } from '../../../lib/storage/tables.ts';
import { createTables } from '../../../sandbox/dynamodb/create-tables.ts';
import { findJava, majorVersion, startDynamodb } from '../../../sandbox/dynamodb/start-dynamodb.ts';
import { localClient } from '../../../sandbox/local-aws.ts';

/** A folder whose `bin/java` prints a version, as a Java runtime does, on standard error. */
const homeOf = async (version: string): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'callfeed-java-'));
  const program = join(home, 'bin', 'java');
  await mkdir(join(home, 'bin'));
  await writeFile(program, `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`);
  await chmod(program, 0o755);
  return home;
};

describe('majorVersion', () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['openjdk version "21" 2023-09-19', 21],
    ['java version "1.8.0_392"', 8],
    ['openjdk version "25-ea" 2025-09-16', 25],
    ['The operation couldn’t be completed. Unable to locate a Java Runtime.', undefined],
  ])('reads %s', (output, version) => {
    expect(majorVersion(output)).toBe(version);
  });
});

describe('findJava', () => {
  it('finds Java in JAVA_HOME', async () => {
    const home = await homeOf('21.0.2');

    expect(await findJava(home, 'no-such-command')).toEqual({ command: join(home, 'bin', 'java') });
  });

  it('names what to install if only an old Java is found', async () => {
    const home = await homeOf('1.8.0_392');

    expect(await findJava(home, 'no-such-command')).toMatchObject({
      problem: expect.stringMatching(/only Java 8 was found[\s\S]*version 17 or newer[\s\S]*apt-get install/),
    });
  });

  it('finds Java on the path if JAVA_HOME holds an old one', async () => {
    const [old, good] = await Promise.all([homeOf('11.0.1'), homeOf('17.0.1')]);
    const command = join(good, 'bin', 'java');

    expect(await findJava(old, command)).toEqual({ command });
  });

  it('names what to install if no Java is found', async () => {
    expect(await findJava(undefined, 'no-such-command')).toMatchObject({
      problem: expect.stringContaining('no Java was found'),
    });
  });
});

describe('the tables of an earlier run', () => {
  it('get the indexes that a newer version has, with the rows that have their keys', async () => {
    // Of its own: while an index is made, DynamoDB Local may not answer others.
    const dataFolder = await mkdtemp(join(tmpdir(), 'callfeed-data-'));
    const dynamodb = await startDynamodb({ port: 0, dataFolder });
    const client = new DynamoDBClient(localClient(dynamodb.endpoint));
    onTestFinished(async () => {
      client.destroy();
      await dynamodb.stop();
      await rm(dataFolder, { recursive: true });
    });
    const [TableName, IndexName] = ['calls', 'byLateRecording'];
    const indexes = callsTable.indexes.filter(({ name }) => name !== IndexName);
    await createTables(client, { [TableName]: { ...callsTable, indexes } });
    const keys = { pk: 'demo#1', sk: 'call', lateCalls: 'demo', firstRecordedAt: '2026-11-20T06:00:00.000Z' };
    const Item = Object.fromEntries(Object.entries(keys).map(([name, S]) => [name, { S }]));
    await client.send(new PutItemCommand({ TableName, Item }));

    await createTables(client, { [TableName]: callsTable });
    const late = {
      TableName,
      IndexName,
      KeyConditionExpression: 'lateCalls = :account',
      ExpressionAttributeValues: { ':account': { S: 'demo' } },
    };
    await expect.poll(async () => (await client.send(new QueryCommand(late))).Count, { timeout: 30_000 }).toBe(1);
  }, 60_000);
});

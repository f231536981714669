import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localClient } from '../../sandbox/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';

let sandbox: Sandbox;
let readme: string;

beforeAll(async () => {
  readme = await readFile('README.md', 'utf8');
  sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false });
});

afterAll(() => sandbox.stop());

/** Every command of the README whose answer it shows, in order. */
const examples = () =>
  [...readme.matchAll(/^(curl .*)\n# (.*)$/gm)].map(([, command = '', answer = '']) => ({ command, answer }));

const run = async (command: string) => {
  const here = command.replaceAll('http://127.0.0.1:3000', new URL('/', sandbox.addresses.callbacks).origin);
  return (await promisify(execFile)('bash', ['-c', `${here} --silent`])).stdout;
};

/** A JSON answer in one line, as the README shows it. */
const inOneLine = (answer: string) => JSON.stringify(JSON.parse(answer));

const events = async () =>
  (await (await fetch(sandbox.addresses.events)).text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const rowsOf = async (callId: string) => {
  const client = new DynamoDBClient(localClient(sandbox.addresses.dynamodb));
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: 'callfeed-calls',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: `demo#${callId}` } },
    }),
  );
  client.destroy();
  return Items.map((item) => unmarshall(item));
};

describe('the README', () => {
  it('shows commands that answer as it says, rows and events following', async () => {
    expect(examples().length).toBeGreaterThan(5);

    for (const { command, answer } of examples()) expect(inOneLine(await run(command)), command).toBe(answer);

    const ofCalls = async () => (await events()).filter((event) => event['detail-type'].startsWith('Call'));
    await expect.poll(async () => (await ofCalls()).length, { timeout: 10_000 }).toBe(4);
    const told = (await ofCalls()).map((event) => [
      event['detail-type'],
      event.detail.callId,
      event.detail.changedFields,
    ]);
    const id = '12345678901234567890';
    expect(told.filter(([, callId]) => callId === id)).toEqual([
      ['Call Summary Recorded', id, undefined],
      ['Call Summary Revised', id, ['dispositions']],
    ]);
    expect(told.map(([type]) => type).filter((type) => type === 'Call Participant Recorded')).toHaveLength(1);
    expect(await rowsOf(id)).toMatchObject([{ callId: id, status: 'answered', dispositions: ['Sale'], revision: 2 }]);
    expect((await rowsOf(id))[0]?.['deliveries']).toHaveLength(3);
    const loggedIn = async () => (await events()).find((event) => event['detail-type'] === 'Agent Logged In')?.detail;
    await expect
      .poll(loggedIn, { timeout: 35_000 })
      .toMatchObject({ agentId: 'sam', previous: { state: 'logged-out' } });
  }, 60_000);

  it('names only scripts that exist', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    const named = [
      ...readme.matchAll(/npm (?:run )?(start|test|check|fix|synth|deploy|e2e|bench|costs|contract|build|examples)\b/g),
    ].map(([, name]) => name);

    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});

import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/sandbox-options.ts';
import type { SandboxState } from '../../sandbox/sandbox-state.ts';

/** Functions that say what they are handed. */
const functions = new URL('support/functions/', import.meta.url);
const account = { timeZone: 'Asia/Kolkata', token: { kind: 'none' as const } };
const accounts = [
  { ...account, userName: 'demo', apiKeys: ['demo-key', 'demo-key-2'] },
  { ...account, userName: 'other', apiKeys: ['other-key'] },
];
const soon = { timeout: 10_000 };

let sandbox: Sandbox;
let logged: string[];
let told: string[];
afterEach(() => sandbox.stop());

const start = async (options: Partial<SandboxOptions> = {}) => {
  logged = [];
  told = [];
  sandbox = await startSandbox({
    port: 0,
    dynamodbPort: 0,
    providerPort: 0,
    traffic: false,
    polling: false,
    accounts,
    functions,
    onTold: (line) => told.push(line),
    onFunctionOutput: (_name, text) => logged.push(text.trim()),
    ...options,
  });
};
const script = async (steps: unknown) => {
  const answer = await fetch(sandbox.addresses.agents, { method: 'POST', body: JSON.stringify(steps) });
  return [answer.status, await answer.json()] as const;
};
const state = async () => (await (await fetch(sandbox.addresses.sandbox)).json()) as SandboxState;
const tick = async () => {
  const client = new SQSClient(localClient(sandbox.addresses.sqs));
  await client.send(new SendMessageCommand({ QueueUrl: sandbox.addresses.tickQueue, MessageBody: 'by hand' }));
  client.destroy();
};

describe('the sandbox', () => {
  it('has the agents polled from the start, by ticks', async () => {
    await start({ polling: true });

    await expect.poll(() => logged, soon).toContain('polled demo by tick:');
    await expect
      .poll(state, soon)
      .toMatchObject({ counts: { ticks: tickEntries.length, ticksServed: 1, ticksRetried: 0 } });
  });

  it('shows a poll who was scripted, at every account', async () => {
    await start();
    expect(
      await script([
        { action: 'log-in', agentId: 'a' },
        { action: 'log-in', agentId: 'o', account: 'other' },
      ]),
    ).toEqual([200, { applied: 2, loggedIn: { demo: 1, other: 1 } }]);
    await tick();

    await expect.poll(() => logged, soon).toEqual(['polled demo by by hand: a', 'polled other by by hand: o']);
    expect((await state()).provider).toMatchObject({
      demo: { requests: 1, offences: 0, mostInAnyMinute: 1, tokensGenerated: 0, agentsLoggedIn: 1 },
      other: { requests: 1, agentsLoggedIn: 1 },
    });
    expect(await (await fetch(sandbox.addresses.agents)).json()).toMatchObject({ demo: [{ agentId: 'a' }] });
    expect(told.join('\n')).toMatch(/agents {4}scripted: 2 steps/);
  });

  it('says what is wrong with a script, and takes ten thousand steps at once', async () => {
    await start();

    expect(await script([{ action: 'log-in' }])).toEqual([400, { message: expect.stringContaining('[0].agentId: ') }]);
    expect(await script({ action: 'log-out', agentId: 'a' })).toMatchObject([404, { message: /not logged in/ }]);
    const everybody = Array.from({ length: 10_000 }, (_, index) => ({ action: 'log-in', agentId: `agent-${index}` }));
    expect(await script(everybody)).toMatchObject([200, { applied: 10_000 }]);
  });

  it('takes no ticks under the fault queue', async () => {
    await start();
    await fetch(`${sandbox.addresses.faults}/queue`, { method: 'PUT', body: '{"mode":"error"}' });

    await expect(tick()).rejects.toThrow();
    expect((await state()).counts).toMatchObject({ ticks: 0 });
  });

  it('hands changes of both tables over for publication', async () => {
    await start();
    const client = new DynamoDBClient(localClient(sandbox.addresses.dynamodb));
    const tables = { 'callfeed-calls': 'call', 'callfeed-agents': 'agent' };
    for (const [TableName, kind] of Object.entries(tables)) {
      const Item = { pk: { S: `in-${TableName}` }, sk: { S: 'a' }, kind: { S: kind } };
      await client.send(new PutItemCommand({ TableName, Item }));
    }
    client.destroy();

    for (const name of Object.keys(tables))
      await expect
        .poll(() => logged.join('\n'), soon)
        .toMatch(new RegExp(`changed \\S+table/${name}/stream\\S+ in-${name}`));
  });

  it('scripts nobody where nothing is simulated', async () => {
    await start({ provider: 'http://127.0.0.1:9' });

    expect(await script({ action: 'log-in', agentId: 'a' })).toMatchObject([409, { message: /Nothing is simulated/ }]);
    expect((await fetch(sandbox.addresses.agents)).status).toBe(409);
    expect((await state()).provider).toEqual({});
  });
});

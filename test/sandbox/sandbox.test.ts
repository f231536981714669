import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localClient } from '../../sandbox/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { SandboxState } from '../../sandbox/sandbox-state.ts';
import { demoCall, postCall, publishedCalls } from '../support/sandbox.ts';

const freePorts = { port: 0, dynamodbPort: 0, providerPort: 0, traffic: false };
let sandbox: Sandbox;
let told: string[];
let logged: string[];

beforeAll(async () => {
  told = [];
  logged = [];
  sandbox = await startSandbox({
    ...freePorts,
    onTold: (line) => told.push(line),
    onFunctionOutput: (_name, text) => logged.push(text),
  });
});
afterEach(async () => {
  for (const name of ['dynamodb', 'eventbridge', 'queue']) await setFault(name, 'none');
});
afterAll(() => sandbox.stop());

const setFault = (name: string, mode: string) =>
  fetch(`${sandbox.addresses.faults}/${name}`, { method: 'PUT', body: JSON.stringify({ mode }) });
const state = async () => (await (await fetch(sandbox.addresses.sandbox)).json()) as SandboxState;
const post = (id: string, changes = {}) => postCall(sandbox.addresses.callbacks, demoCall(id, changes));
const published = () => publishedCalls(sandbox.addresses.events);
const soon = { timeout: 10_000 };

describe('startSandbox', () => {
  it('stores a callback under the name that readers know, and publishes it', async () => {
    expect(await post('10000000000000001')).toEqual([200, { stored: 1, duplicates: 0, quarantined: 0 }]);

    await expect.poll(published, soon).toContain('10000000000000001');
    const client = new DynamoDBClient(localClient(sandbox.addresses.dynamodb));
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'callfeed-calls' }));
    client.destroy();
    expect(JSON.stringify(Items)).toContain('10000000000000001');
  });

  it.each([
    ['throttle', '10000000000000012'],
    ['error', '10000000000000022'],
    ['timeout', '10000000000000032'],
  ])('parks callbacks under the fault %s of the tables, and recovers them afterwards', async (mode, id) => {
    await setFault('dynamodb', mode);
    expect((await post(id))[0]).toBe(200);
    expect(await state()).toMatchObject({ parked: 1 });
    await setFault('dynamodb', 'none');

    await expect.poll(published, soon).toContain(id);
    await expect.poll(state, soon).toMatchObject({ parked: 0, deadLetters: 0 });
  });

  it('answers 503 when neither tables nor queue take a callback', async () => {
    await setFault('dynamodb', 'throttle');
    await setFault('queue', 'error');

    expect((await post('10000000000000003'))[0]).toBe(503);
  });

  it('publishes what the bus refused once it takes events again', async () => {
    await setFault('eventbridge', 'throttle');
    await post('10000000000000004');
    await expect.poll(async () => (await state()).counts.publishRetries, soon).toBeGreaterThan(0);
    await setFault('eventbridge', 'none');

    await expect.poll(published, soon).toContain('10000000000000004');
  });

  it('streams events to whoever follows', async () => {
    const leaving = new AbortController();
    const { body } = await fetch(`${sandbox.addresses.events}?follow`, { signal: leaving.signal });
    let text = '';
    const reading = (async () => {
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    })().catch(() => undefined);
    await post('10000000000000005');

    await expect.poll(() => text, soon).toContain('10000000000000005');
    leaving.abort();
    await reading;
  });

  it('tells of its state without keys', async () => {
    const text = JSON.stringify(await state());

    expect(JSON.parse(text)).toMatchObject({
      addresses: sandbox.addresses,
      tables: ['callfeed-calls', 'callfeed-agents', 'callfeed-quarantine'],
      accounts: ['demo'],
      faults: { provider: { mode: 'none' } },
      provider: { demo: { offences: 0, tokensGenerated: 0, agentsLoggedIn: expect.any(Number) } },
    });
    expect(text).not.toContain('demo-key');
  });

  it('tells what happens, without keys, numbers or what the functions log', async () => {
    await post('10000000000000006');
    await expect.poll(published, soon).toContain('10000000000000006');
    await fetch(`${sandbox.addresses.gateway}/_sandbox/other`);

    expect(told.join('\n')).toMatch(/callback {2}POST 200 {2}1 stored/);
    expect(told.join('\n')).toMatch(/event {5}Call Summary Recorded/);
    expect(told.join('\n')).not.toMatch(/demo-key|9876500000|[{}]/);
    expect(logged.join('')).toMatch(/^\{/);
  });

  it('says what there is when something else is asked of it', async () => {
    const answer = await fetch(`${sandbox.addresses.sandbox}/other`);

    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('PUT /_sandbox/faults/{name}');
  });
});

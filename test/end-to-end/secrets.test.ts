import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localClient } from '../../sandbox/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { kinds } from '../../sandbox/simulator/call-quirks.ts';
import { specificationSummary } from '../fixtures/calls.ts';

const key = 'SENTINEL/key+with "odd" characters';
const phone = '09999912345';
const summary = { ...specificationSummary, Apikey: key, CallerID: phone, Comments: `call ${phone} with ${key}` };
const json = JSON.stringify(summary);
const formType = 'application/x-www-form-urlencoded';

let sandbox: Sandbox;
let folder: string;
const consoleLines: string[] = [];
const logged: string[] = [];
const replies: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callfeed-'));
  sandbox = await startSandbox({
    data: folder,
    port: 0,
    dynamodbPort: 0,
    providerPort: 0,
    traffic: false,
    accounts: [{ userName: 'demo', apiKeys: [key], timeZone: 'Asia/Kolkata', token: { kind: 'none' } }],
    onLog: (line) => consoleLines.push(line),
    onFunctionOutput: (_name, text) => logged.push(text),
  });
});

afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

const post = async (body: string, contentType = formType, query = '') => {
  const headers = { 'content-type': contentType };
  const answer = await fetch(`${sandbox.addresses.callbacks}${query}`, { method: 'POST', headers, body });
  replies.push(await answer.text());
};

const form = (data: string) => `data=${encodeURIComponent(data)}`;

const setFault = (name: string, mode: string) =>
  fetch(`${sandbox.addresses.faults}/${name}`, { method: 'PUT', body: JSON.stringify({ mode }) });

const state = async () => (await fetch(sandbox.addresses.sandbox)).json();

/** The same summary in every dress that is taken, and in many that are not. */
const bodies: readonly (readonly [body: string, contentType?: string, query?: string])[] = [
  [form(json)],
  [json, 'application/json'],
  [JSON.stringify({ data: json, Apikey: key }), 'application/json'],
  ['', formType, `?${form(json)}`],
  [form(json.slice(0, -20))],
  [form(json.slice(0, json.indexOf('SENTINEL') + 12))],
  [form(JSON.stringify({ event: 'popup', apiKey: key, callerID: phone }))],
  [form(JSON.stringify([summary, { odd: key }, 7]))],
  [form(JSON.stringify({ ...summary, Apikey: 'wrong', Comments: key }))],
  [form(JSON.stringify({ ...summary, UserName: phone }))],
  [form(JSON.stringify({ Apikey: [key], x: { apikey: { v: key } } }))],
  [`${form(json)}&${form(json)}`],
  [`Apikey=${encodeURIComponent(key)}&x=1`],
  [json, 'text/plain'],
  [form(json.replace('"Status"', '"__proto__"'))],
];

describe('the whole system', () => {
  it('leaves no key anywhere, and no telephone number in any log', async () => {
    for (const body of bodies) await post(...body);
    for (const kind of kinds) {
      const body = JSON.stringify({ kind });
      await fetch(`${sandbox.addresses.provider}/_simulator/calls`, { method: 'POST', body });
    }
    await setFault('dynamodb', 'error');
    await post(form(JSON.stringify({ ...summary, monitorUCID: '77' })));
    await post(form('{'));
    const queued = await messages();
    expect(queued).toContain(phone);
    await setFault('queue', 'error');
    await post(form(JSON.stringify({ ...summary, monitorUCID: '78' })));
    for (const name of ['dynamodb', 'queue']) await setFault(name, 'none');
    await expect.poll(state, { timeout: 15_000 }).toMatchObject({ parked: 0 });

    const kept = [await rows('callfeed-calls'), await rows('callfeed-quarantine'), await events(), queued];
    const written = [...consoleLines, ...logged, ...replies, JSON.stringify(await state())];
    expect(kept.join('').length).toBeGreaterThan(50_000);
    expect(logged.join('').length).toBeGreaterThan(1_000);
    const leaks = (texts: readonly string[], secret: string) =>
      texts.flatMap((text) => [...text.matchAll(new RegExp(`.{0,60}${secret}.{0,60}`, 'g'))].map(([around]) => around));
    expect(leaks([...kept, ...written], 'SENTINEL')).toEqual([]);
    expect(leaks([...consoleLines, ...logged], phone)).toEqual([]);
    expect(kept[0]).toContain(phone);
  });
});

const rows = async (TableName: string) => {
  const client = new DynamoDBClient(localClient(sandbox.addresses.dynamodb));
  const { Items } = await client.send(new ScanCommand({ TableName }));
  client.destroy();
  return JSON.stringify(Items);
};

const events = async () => (await fetch(sandbox.addresses.events)).text();

/** What waits in the parking queue, as the sandbox keeps it on disk. */
const messages = () => readFile(join(folder, 'parking.json'), 'utf8');

import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, ListStreamsCommand } from '@aws-sdk/client-dynamodb-streams';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Command } from '@commander-js/extra-typings';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../cli/frame/connect.ts';
import { secretAccounts } from '../../functions/adapters/secret-accounts.ts';
import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import { keyFingerprint } from '../../lib/accounts/account-index.ts';
import { type Account, parseAccounts } from '../../lib/accounts/accounts.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { SandboxState } from '../../sandbox/sandbox-routes.ts';
import { inBash } from '../cli/support/cli-run.ts';
import { javaStandIn, startSharedSandbox } from '../support/dynamodb-local.ts';
import { isLoopback, listeningSockets } from '../support/listening-sockets.ts';
import { recordingTelemetry } from '../support/memory-ports.ts';
import { blocksOf } from '../support/repository-files.ts';
import { demoCall, postCall, publishedCalls } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const freePorts = { port: 0, dynamodbPort: 0, providerPort: 0, traffic: false };
const account = { timeZone: 'Asia/Kolkata', token: { kind: 'none' as const } };
const accounts = [
  { ...account, userName: 'demo', apiKeys: ['demo-key', 'demo-key-2'] },
  { ...account, userName: 'other', apiKeys: ['other-key'] },
];
const soon = { timeout: 30_000 };

const stateOf = async ({ addresses }: Sandbox) => (await (await fetch(addresses.sandbox)).json()) as SandboxState;
const scriptAgents = async ({ addresses }: Sandbox, steps: unknown) => {
  const answer = await fetch(addresses.agents, { method: 'POST', body: JSON.stringify(steps) });
  return [answer.status, await answer.json()] as const;
};

/** What the sandbox's own console shows of a call, once it is stored. */
const shownCall = async ({ addresses }: Sandbox, id: string): Promise<unknown> => {
  const { call } = Object(await (await fetch(`${addresses.gateway}/console/api/call?id=${id}`)).json());
  return Object(call).facts;
};

describe('startSandbox', () => {
  let sandbox: Sandbox;
  let polled: SandboxState;
  const consoleLines: string[] = [];
  const logged: string[] = [];

  beforeAll(async () => {
    sandbox = await startSharedSandbox({
      polling: true,
      accounts,
      onLog: (line) => consoleLines.push(line),
      onFunctionOutput: (_name, text) => logged.push(text),
    });
    // Later polls may meet the faults of other tests.
    await vi.waitFor(async () => {
      polled = await state();
      if (polled.counts.ticksProcessed === 0) throw new Error('No tick is processed yet');
    }, soon);
  });
  afterEach(async () => {
    for (const name of ['dynamodb', 'eventbridge', 'queue', 'callbacks']) await setFault(name, 'none');
  });
  afterAll(() => sandbox.stop());

  const setFault = (name: string, mode: string) =>
    fetch(`${sandbox.addresses.faults}/${name}`, { method: 'PUT', body: JSON.stringify({ mode }) });
  const state = () => stateOf(sandbox);
  const script = (steps: unknown) => scriptAgents(sandbox, steps);
  const post = (id: string) => postCall(sandbox.addresses.callbacks, demoCall(id));
  const published = () => publishedCalls(sandbox.addresses.events);

  it('stores a callback under the documented table name, and publishes it', async () => {
    expect(await post('10000000000000001')).toEqual([200, { stored: 1, duplicates: 0, quarantined: 0 }]);

    await expect.poll(published, soon).toContain('10000000000000001');
    const client = new DynamoDBClient(localClient(sandbox.addresses.dynamodb));
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'callfeed-calls' }));
    client.destroy();
    expect(JSON.stringify(Items)).toContain('10000000000000001');
  });

  it('parks callbacks under each fault of the tables, and recovers them afterwards', async () => {
    const ids = { throttle: '10000000000000012', error: '10000000000000022', timeout: '10000000000000032' };
    for (const [mode, id] of Object.entries(ids)) {
      await setFault('dynamodb', mode);
      expect((await post(id))[0]).toBe(200);
    }
    expect(await state()).toMatchObject({ parked: 3 });
    await setFault('dynamodb', 'none');

    await expect.poll(published, soon).toEqual(expect.arrayContaining(Object.values(ids)));
    await expect.poll(state, soon).toMatchObject({ parked: 0, deadLetters: 0 });
  });

  it('publishes what the event bus rejected once it accepts events again', async () => {
    await setFault('eventbridge', 'throttle');
    const { publishRetries } = (await state()).counts;
    await post('10000000000000004');
    await expect.poll(async () => (await state()).counts.publishRetries, soon).toBeGreaterThan(publishRetries);
    await setFault('eventbridge', 'none');

    await expect.poll(published, soon).toContain('10000000000000004');
  });

  it.each([
    ['lose', 'none', 0],
    ['poorer', 'poorer', 1],
    ['both', 'none', 0],
  ])('under the fault %s of callbacks makes calls whose callbacks are %s', async (mode, callbacks, posts) => {
    await setFault('callbacks', mode);
    const address = `${sandbox.addresses.provider}/_simulator/calls`;
    const answer = await fetch(address, { method: 'POST', body: '{"kind":"answered"}' });

    expect(await answer.json()).toMatchObject({ posts });
    expect(await (await fetch(address)).json()).toMatchObject({
      calls: expect.arrayContaining([expect.objectContaining({ callbacks })]),
    });
    expect(await state()).toMatchObject({
      faults: { callbacks: { mode, rate: 1 } },
      provider: { demo: { reports: 0 } },
    });
  });

  it('streams events to clients that follow', async () => {
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

  it('shows its state without keys', async () => {
    const text = JSON.stringify(await state());
    const tables = ['callfeed-calls', 'callfeed-agents', 'callfeed-quarantine'];

    expect(JSON.parse(text)).toMatchObject({
      addresses: sandbox.addresses,
      tables,
      accounts: ['demo', 'other'],
      faults: { provider: { mode: 'none' } },
      provider: { demo: { overLimit: 0, tokensGenerated: 0, agentsLoggedIn: expect.any(Number) } },
    });
    expect(text).not.toMatch(/(demo|other)-key/);
  });

  it('logs what happens, without keys, phone numbers or the log of the functions', async () => {
    await post('10000000000000006');
    await expect.poll(published, soon).toContain('10000000000000006');
    await script({ action: 'log-in', agentId: 'logged', phoneNumber: '9876500000' });

    await expect.poll(() => consoleLines.join('\n'), soon).toMatch(/event {5}.*Call Summary Recorded/);
    const text = consoleLines.join('\n');
    expect(text).toMatch(/callback {2}POST 200 {2}1 stored/);
    expect(text).toMatch(/agents {4}scripted: 1 step/);
    expect(text).not.toMatch(/demo-key|9876500000|[{}]/);
    expect(logged.join('')).toMatch(/^\{/);
  });

  it('hides names and numbers in its console', async () => {
    const id = '10000000000000007';
    await post(id);

    await expect.poll(() => shownCall(sandbox, id), soon).toMatchObject({ customerNumber: '(hidden)' });
  });

  it('lists its paths in the answer to an unknown one', async () => {
    const answer = await fetch(`${sandbox.addresses.sandbox}/other`);

    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('PUT /_sandbox/faults/{name}');
  });

  it.each([
    ['port', '--port'],
    ['dynamodbPort', '--dynamodb-port'],
    ['providerPort', '--provider-port'],
  ])('rejects a %s that is in use, and names %s', async (option, flag) => {
    const port = Number(new URL(sandbox.addresses.gateway).port);

    await expect(startSandbox({ ...freePorts, [option]: port })).rejects.toThrow(
      `Port ${port} is in use. Stop what uses it, or choose another with ${flag} (`,
    );
  });

  it.each([
    ['under a name of its own that leads here', { host: 'attacker.example' }],
    ['of another site', { origin: 'https://attacker.example' }],
    ['in a frame without an origin', { origin: 'null' }],
    ['of another port here', { origin: 'http://localhost:9999' }],
    ['of another scheme here', (host: string) => ({ origin: `https://${host}` })],
    [
      'of another name of this machine',
      (host: string) => ({ host, origin: `http://${host.replace(/.*:/, 'localhost:')}` }),
    ],
    ['of another site, which loads it as a script', { 'sec-fetch-site': 'cross-site' }],
    ['of another port here, which loads it as an image', { 'sec-fetch-site': 'same-site' }],
  ])('answers nothing to a page %s', async (_what, headers) => {
    const { callbacks: _anybody, gateway: _ofConsole, ...others } = sandbox.addresses;
    const addresses = Object.entries({ ...others, simulator: `${others.provider}/_simulator` });
    const answers = addresses.map(async ([name, address]) => {
      const { host } = new URL(address);
      const sent = typeof headers === 'function' ? headers(host) : headers;
      const [answer] = await once(get(address, { headers: { ...sent } }), 'response');
      answer.resume();
      return [name, answer.statusCode];
    });

    expect(await Promise.all(answers)).toEqual(addresses.map(([name]) => [name, 403]));
  });

  it.each([
    ['its own page', (host: string) => ({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })],
    ['a typed address', () => ({ 'sec-fetch-site': 'none' })],
    ['a program, by any name of this machine', (host: string) => ({ host: host.replace(/.*:/, 'localhost:') })],
  ])('answers %s', async (_what, headersFor) => {
    const address = sandbox.addresses.sandbox;
    const [answer] = await once(get(address, { headers: headersFor(new URL(address).host) }), 'response');
    answer.resume();

    expect(answer.statusCode).toBe(200);
  });

  it('polls the agents of every account from the start', async () => {
    const { counts, provider } = polled;

    expect([counts.ticks, counts.ticksRetried]).toEqual([tickEntries.length, 0]);
    expect(provider).toMatchObject({ demo: { requests: 1, overLimit: 0 }, other: { requests: 1, overLimit: 0 } });
  });

  it('scripts agents of any account', async () => {
    const other = { agentId: 'o', account: 'other', name: 'Somebody', phoneNumber: '12345678', skills: ['Sales'] };
    const answer = await script([{ agentId: 'a' }, other].map((step) => ({ action: 'log-in', ...step })));
    expect(answer).toMatchObject([200, { applied: 2, loggedIn: { other: 1 } }]);
    const agents = Object(await (await fetch(sandbox.addresses.agents)).json());

    // Without names and numbers.
    expect(agents.other).toEqual([{ agentId: 'o', state: 'READY', skills: ['Sales'] }]);
    expect(agents.demo).toContainEqual(expect.objectContaining({ agentId: 'a' }));
  });

  const request = async (method: string, path: string, body?: object | string) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const answer = await fetch(`${sandbox.addresses.sandbox}/${path}`, {
      method,
      ...(text !== undefined && { body: text }),
    });
    return [answer.status, await answer.json()] as const;
  };
  const newAccount = { apiKeys: ['late-key-1', 'late-key-2'], timeZone: 'UTC', token: { kind: 'none' } };
  const loginsOf = async (userName: string, apiKey: string) => {
    const body = JSON.stringify({ userName });
    const headers = { apiKey, 'content-type': 'application/json' };
    const address = `${sandbox.addresses.provider}/ca_apis/getAgentLogins`;
    return await (await fetch(address, { method: 'POST', headers, body })).text();
  };

  it('adds an account, changes its keys on one side, and takes it away', async () => {
    const [status, added] = await request('PUT', 'accounts/late', newAccount);
    const inBoth = expect.arrayContaining([
      expect.objectContaining({ userName: 'late', timeZone: 'UTC', token: 'none' }),
    ]);
    expect([status, added]).toEqual([200, { secret: inBoth, service: inBoth }]);
    expect(JSON.stringify(added)).not.toContain('late-key');
    expect((await state()).accounts).toContain('late');
    expect(await loginsOf('late', 'late-key-2')).toContain('success');

    await request('PUT', 'accounts/LATE?at=service', { apiKeys: ['late-key-3'] });
    expect(await loginsOf('late', 'late-key-2')).toContain('Invalid');
    expect(await loginsOf('late', 'late-key-3')).toContain('success');
    expect((await request('GET', 'accounts'))[1]).toMatchObject({
      secret: expect.arrayContaining([
        expect.objectContaining({ userName: 'late', keyFingerprints: newAccount.apiKeys.map(keyFingerprint) }),
      ]),
    });

    expect((await request('DELETE', 'accounts/late?at=secret'))[0]).toBe(200);
    expect((await state()).accounts).toEqual(['demo', 'other']);
    expect(await loginsOf('late', 'late-key-3')).toContain('success');
    expect((await request('DELETE', 'accounts/late?at=service'))[0]).toBe(200);
    expect(await loginsOf('late', 'late-key-3')).toContain('Invalid');
  });

  it('gives commands the accounts that the functions use, in every member', async () => {
    const every: Required<Omit<Account, 'userName'>> = {
      apiKeys: ['every-key-1', 'every-key-2'],
      baseUrl: 'https://service.example',
      timeZone: 'Asia/Kolkata',
      country: 'GB',
      sharedNumbers: ['+4420123456'],
      words: { status: { abandoned: 'not-answered' } },
      callbacks: 'off',
      forwardTo: ['https://receiver.example/callDetails'],
      token: { kind: 'static', value: 'a token' },
    };
    expect((await request('PUT', 'accounts/every?at=secret', every))[0]).toBe(200);
    onTestFinished(async () => void (await request('DELETE', 'accounts/every?at=secret')));
    const { addresses, accountsSecret } = await state();
    const client = new SecretsManagerClient(localClient(addresses.secretsmanager));
    onTestFinished(() => client.destroy());
    const env = { ACCOUNTS_SECRET_ARN: accountsSecret, CALLFEED_ACCOUNTS: undefined };
    const ports = { clock: () => new Date(), telemetry: recordingTelemetry() };
    const ofFunctions = await secretAccounts(client, env, ports).current();
    const ofCommands = await (await connect({ stack: '', endpoint: addresses.gateway })).accounts();

    expect(ofCommands.all).toEqual(ofFunctions.all);
    expect(ofCommands.all).toContainEqual({ userName: 'every', ...every });
    expect(ofCommands.accountForFingerprint(keyFingerprint('every-key-2'))?.userName).toBe('every');
  });

  it('has the accounts in a secret, with the version before a change', async () => {
    const { addresses, accountsSecret: SecretId } = await state();
    const client = new SecretsManagerClient(localClient(addresses.secretsmanager));
    onTestFinished(() => client.destroy());
    const { SecretString: before = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
    expect(parseAccounts(before)).toMatchObject({ ok: true, value: accounts });

    await client.send(new PutSecretValueCommand({ SecretId, SecretString: 'no list' }));
    const previous = await client.send(new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' }));
    expect(previous).toMatchObject({ SecretString: before, VersionStages: ['AWSPREVIOUS'] });
    expect(await state()).toMatchObject({ accounts: ['demo', 'other'] });
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: before }));

    const unknown = new GetSecretValueCommand({ SecretId: 'other' });
    await expect(client.send(unknown)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it.each<[string, string, object | string, number, string]>([
    ['PUT', 'accounts/late', '{', 400, 'body: Expected a JSON object'],
    ['PUT', 'accounts/late', [], 400, 'body: Expected a JSON object'],
    ['PUT', 'accounts/late', { apiKeys: ['k'] }, 400, 'timeZone: Expected the IANA time zone'],
    ['PUT', 'accounts/late', { ...newAccount, apikey: 'k' }, 400, 'apikey'],
    ['PUT', 'accounts/late', { ...newAccount, apiKeys: ['demo-key'] }, 400, 'An apiKey occurs twice'],
    ['PUT', 'accounts/demo', { apiKeys: [] }, 400, 'apiKeys: '],
    ['PUT', 'accounts/demo', { userName: 'demo' }, 400, 'userName: Expected none'],
    ['PUT', 'accounts/demo?at=both', {}, 400, 'at must be "secret" or "service"'],
    ['DELETE', 'accounts/nobody', '', 404, 'There are: demo, other.'],
    ['PUT', 'traffic', '{', 400, 'body: '],
    ['PUT', 'traffic', { callsPerMinute: 601 }, 400, 'callsPerMinute: '],
    ['PUT', 'traffic', { agents: 19 }, 400, '"agents": 20 to 1000'],
    ['PUT', 'traffic', { kinds: ['nonsense'] }, 400, 'kinds.0: '],
    ['PUT', 'traffic', { colour: 'red' }, 400, 'colour'],
  ])('rejects %s %s %j, names the reason and changes nothing', async (method, path, body, status, reason) => {
    const both = async () => [await request('GET', 'accounts'), await request('GET', 'traffic')];
    const before = await both();

    const answer = await request(method, path, method === 'DELETE' ? undefined : body);
    expect(answer).toEqual([status, { message: expect.stringContaining(reason) }]);
    expect(JSON.stringify(answer)).not.toContain('demo-key');
    expect(await both()).toEqual(before);
  });

  it('starts, changes and ends the traffic while it runs', async () => {
    const own = async () => Object.values(Object(await (await fetch(sandbox.addresses.agents)).json())).flat().length;
    const before = await own();
    const rules = { on: true, callsPerMinute: 600, kinds: ['abandoned'] };
    expect(await request('PUT', 'traffic', rules)).toEqual([200, { ...rules, agents: 80 }]);
    const sent = () => consoleLines.filter((line) => /sent .*abandoned/.test(line)).length;
    await expect.poll(sent, soon).toBeGreaterThan(3);
    expect(await own()).toBeGreaterThan(before + 50);

    await request('PUT', 'traffic', { agents: 20, callsPerMinute: 0 });
    await expect.poll(own, soon).toBeLessThanOrEqual(before + 20);
    await request('PUT', 'traffic', { agents: 200 });
    expect(await own()).toBeGreaterThan(before + 120);

    // The console may still print calls that were sent before.
    const printed = consoleLines.length;
    await request('PUT', 'traffic', { on: false });
    expect(await own()).toBe(before);
    expect(consoleLines.slice(printed).join('\n')).toContain('traffic   off');
  });

  it('accepts no ticks under a fault of the queue', async () => {
    const { ticks } = (await state()).counts;
    await setFault('queue', 'error');
    const client = new SQSClient({ ...localClient(sandbox.addresses.sqs), maxAttempts: 1 });
    const tick = new SendMessageCommand({ QueueUrl: sandbox.addresses.tickQueue, MessageBody: 'by hand' });

    await expect(client.send(tick)).rejects.toThrow();
    client.destroy();
    expect((await state()).counts).toMatchObject({ ticks });
  });
});

/** What DynamoDB Local called the database of a folder before each folder had a key. */
const sharedDatabase = 'shared-local-instance.db';

describe('a sandbox with a DynamoDB Local of its own', () => {
  const data = temporaryFolder('data').path;
  const database = join(data, 'dynamodb');
  const id = '10000000000000081';
  const later = '10000000000000082';
  let sandbox: Sandbox;
  const start = async () => {
    sandbox = await startSandbox({ ...freePorts, polling: false, data });
  };
  beforeAll(start);
  afterAll(() => sandbox.stop());
  const post = (callId: string) => postCall(sandbox.addresses.callbacks, demoCall(callId));
  /** The first posts may be parked where the machine is busy. */
  const isStored = () => expect.poll(() => post(id), soon).toEqual([200, { stored: 0, duplicates: 1, quarantined: 0 }]);
  const published = () => publishedCalls(sandbox.addresses.events);

  it.runIf(process.platform === 'linux')(
    'listens on this machine only, but for a port at which everybody else finds an empty database',
    async () => {
      await isStored();
      const sockets = await listeningSockets(process.pid);
      const ports = Object.values(sandbox.addresses).map((address) => Number(new URL(address).port));
      expect(sockets.filter(isLoopback).map(({ port }) => port)).toEqual(expect.arrayContaining([...new Set(ports)]));
      const exposed = sockets.filter((socket) => !isLoopback(socket));
      expect(exposed).toHaveLength(1);

      const endpoint = `http://127.0.0.1:${exposed[0]?.port}`;
      for (const [region, accessKeyId] of [
        ['local', 'sandbox'],
        ['local', 'any'],
        ['eu-west-1', 'any'],
      ] as const) {
        const location = { ...localClient(endpoint, accessKeyId), region };
        const tables = new DynamoDBClient(location);
        const streams = new DynamoDBStreamsClient(location);
        expect(await tables.send(new ListTablesCommand({}))).toMatchObject({ TableNames: [] });
        expect(await streams.send(new ListStreamsCommand({}))).toMatchObject({ Streams: [] });
        await expect(tables.send(new ScanCommand({ TableName: 'callfeed-calls' }))).rejects.toMatchObject({
          name: 'ResourceNotFoundException',
        });
        for (const client of [tables, streams]) client.destroy();
      }
      const target = { 'x-amz-target': 'DynamoDB_20120810.ListTables' };
      expect((await fetch(endpoint, { method: 'POST', body: '{}', headers: target })).status).toBe(400);
    },
  );

  it.each([
    ['local', 'any'],
    ['eu-west-1', 'AKIAIOSFODNN7EXAMPLE'],
    ['local', 'no_key/of*AWS'],
  ])('serves the tables on this machine to any client, of the region %s and the key %s', async (region, key) => {
    const client = new DynamoDBClient({ ...localClient(sandbox.addresses.dynamodb, key), region });
    onTestFinished(() => client.destroy());

    expect(await client.send(new ListTablesCommand({}))).toMatchObject({
      TableNames: ['callfeed-agents', 'callfeed-calls', 'callfeed-quarantine'],
    });
  });

  it('has the tables of a folder that an earlier version wrote, and publishes nothing of it twice', async () => {
    await isStored();
    await expect.poll(published, soon).toEqual([id]);
    await sandbox.stop();
    for (const name of readdirSync(database))
      if (name === 'access-key.json') rmSync(join(database, name));
      else renameSync(join(database, name), join(database, name.replace(/^[0-9a-f]{32}_local\.db/, sharedDatabase)));
    expect(readdirSync(database)).toContain(sharedDatabase);

    await start();
    expect(readdirSync(database)).not.toContain(sharedDatabase);
    await isStored();
    await post(later);
    await expect.poll(published, soon).toEqual([id, later]);
  });
});

/** What `curl` prints for these words. It has the options that docs/sandbox.md uses. */
const curl = async ([, ...words]: readonly string[]): Promise<string> => {
  const command = new Command()
    .option('-s')
    .option('-X <method>')
    .option('-d <body>')
    .option('--data-urlencode <field>')
    .argument('<address>')
    .parse(words, { from: 'user' });
  const { X: method, d: body, dataUrlencode } = command.opts();
  const [, name = '', kind, value = ''] = /^(\w+)([=@])(.*)$/s.exec(dataUrlencode ?? '') ?? [];
  const form = new URLSearchParams({ [name]: kind === '@' ? readFileSync(value, 'utf8') : value });
  const sent = body ?? (dataUrlencode === undefined ? undefined : form);
  const answer = await fetch(command.processedArgs[0], {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    body: sent ?? null,
  });
  return await answer.text();
};

/** The lines that a page shows of a printed text, with those of the text for an ellipsis. */
const completed = (shown: readonly string[], printed: readonly string[]): readonly string[] => {
  const at = shown.indexOf('…');
  if (at < 0) return shown;
  const behind = shown.slice(at + 1);
  return [...shown.slice(0, at), ...printed.slice(at, printed.length - behind.length), ...behind];
};

it('docs/sandbox.md shows replies as they are, line by line', async () => {
  const sandbox = await startSharedSandbox();
  onTestFinished(() => sandbox.stop());
  const { gateway, provider } = sandbox.addresses;
  const here = (text: string) =>
    text.replaceAll('http://127.0.0.1:3000', gateway).replaceAll('http://127.0.0.1:4000', provider);
  const commands = blocksOf('docs/sandbox.md')
    .flatMap((block) => block.commands)
    .filter(({ text }) => text.startsWith('curl '));
  const words = inBash(commands.map(({ text }) => here(text)));
  // On a busy machine the first ones may be parked.
  const first = () => postCall(sandbox.addresses.callbacks, demoCall('10000000000000091'));
  await expect.poll(first, soon).toEqual([200, { stored: 0, duplicates: 1, quarantined: 0 }]);
  const compared: { readonly text: string; readonly printed: readonly string[]; readonly shown: readonly string[] }[] =
    [];
  for (const [at, { text, shown }] of commands.entries()) {
    const printed = (await curl(words[at] ?? [])).trimEnd().split('\n');
    if (shown.length > 0) compared.push({ text, printed, shown: completed(shown, printed) });
  }

  expect(compared.map(({ text, printed }) => [text, printed])).toEqual(
    compared.map(({ text, shown }) => [text, shown]),
  );
  expect(compared.length).toBeGreaterThan(11);
});

describe('startSandbox, with a callback secret and a provider of its own', () => {
  it('starts besides another run in the same process, shows names and numbers if asked to, and restores the environment', async () => {
    vi.stubEnv('JAVA_HOME', await javaStandIn());
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const before = { ...process.env };
    const sandbox = await startSandbox({
      ...freePorts,
      provider: 'http://127.0.0.1:9',
      callbackSecret: 'hush-hush-hush-hush',
      personal: true,
    });
    const { gateway, sandbox: stateAddress, agents } = sandbox.addresses;

    expect(await (await fetch(stateAddress)).text()).not.toContain('hush');
    const withSecret = `${gateway}/hush-hush-hush-hush/callDetails`;
    // The call is parked instead of stored where the machine is too busy for the deadline of the table.
    expect(await postCall(withSecret, demoCall('20000000000000001'))).toMatchObject([200, { quarantined: 0 }]);
    await expect
      .poll(() => shownCall(sandbox, '20000000000000001'), soon)
      .toMatchObject({ customerNumber: demoCall('').CallerID });
    expect((await postCall(`${gateway}/callDetails`, demoCall('20000000000000002')))[0]).toBe(401);

    const change = await postCall(withSecret, { note: 'secret change' });
    expect(change).toMatchObject([200, { reason: 'not-a-call-summary' }]);

    const message = expect.stringContaining('simulates no agents');
    expect(await scriptAgents(sandbox, { action: 'log-in', agentId: 'a' })).toMatchObject([409, { message }]);
    for (const one of [agents, sandbox.addresses.traffic]) expect((await fetch(one)).status).toBe(409);
    const keys = { method: 'PUT', body: '{"apiKeys": ["demo-key", "second-key"]}' };
    expect((await fetch(`${sandbox.addresses.accounts}/demo?at=service`, keys)).status).toBe(409);
    expect(await (await fetch(`${sandbox.addresses.accounts}/demo`, keys)).json()).toEqual({
      secret: [expect.objectContaining({ keyFingerprints: ['demo-key', 'second-key'].map(keyFingerprint) })],
    });
    expect((await stateOf(sandbox)).provider).toEqual({});

    await sandbox.stop();
    expect(process.env).toEqual(before);
  });
});

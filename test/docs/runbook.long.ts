import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyFingerprint } from '../../lib/accounts/account-index.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { until } from '../support/process-tree.ts';
import { demoCall, logIn, postCall } from '../support/sandbox.ts';
import { blocksIn, runAsPrinted, runbookSection } from './examples/support/example-project.ts';

const soon = { timeout: 60_000, interval: 1_000 };
const callbackSecret = 'runbook-callback-secret';
let sandbox: Sandbox;
let dynamodb: DynamoDBClient;

const asOf = async () => {
  const Key = { pk: { S: 'demo' }, sk: { S: 'feed' } };
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: 'callfeed-agents', Key }));
  return Item?.['asOf']?.S ?? '';
};

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, callbackSecret });
  dynamodb = new DynamoDBClient(localClient(sandbox.addresses.dynamodb));
  await fetch(sandbox.addresses.agents, { method: 'POST', body: JSON.stringify(logIn('asha')) });
  await until('a poll', asOf, (instant) => instant !== '', { seconds: 60 });
});
afterAll(async () => {
  dynamodb?.destroy();
  await sandbox?.stop();
});

const fingerprints = async () => {
  const { secret } = (await (await fetch(sandbox.addresses.accounts)).json()) as {
    readonly secret: readonly { readonly userName: string; readonly keyFingerprints: readonly string[] }[];
  };
  return secret.find(({ userName }) => userName === 'demo')?.keyFingerprints;
};
const atService = (apiKeys: readonly string[]) =>
  fetch(`${sandbox.addresses.accounts}/demo?at=service`, { method: 'PUT', body: JSON.stringify({ apiKeys }) });

const bash = (typed: string, ...blocks: readonly (string | undefined)[]) =>
  runAsPrinted(sandbox.addresses.sandbox, { typed, callbackSecret }, ...blocks);

it('changes the key of an account without a gap, and goes back', async () => {
  const [read, type, prepare, attempt, put, probe, watch, remove, redrive, goBack] = blocksIn(
    runbookSection("Change an account's key"),
  );
  const edit = [read, type, prepare] as const;
  const old = 'demo-key';
  const next = 'next-key';

  expect(await bash('mistyped', ...edit, attempt)).toMatchObject({
    code: 1,
    output: expect.stringContaining('2 live keys'),
  });
  await atService([old, next]);
  const tried = await bash(next, ...edit, attempt);
  expect([tried.code, tried.output, tried.errors]).toEqual([
    0,
    expect.stringMatching(/demo: 2 live keys[\s\S]*logged in/),
    '',
  ]);
  expect((await bash(next, ...edit, probe)).output).toContain('unknown-key');
  const callbacks = sandbox.addresses.callbacks.replace('{secret}', callbackSecret);
  const early = demoCall('107', { StartTime: '2026-11-20 10:00:00', EndTime: '2026-11-20 10:02:00', Apikey: next });
  expect(await postCall(callbacks, early)).toMatchObject([200, { quarantined: 1, reason: 'unknown-key' }]);

  expect(await bash(next, ...edit, put)).toEqual({
    code: 0,
    output: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
    errors: '',
  });
  expect(await fingerprints()).toEqual([next, old].map(keyFingerprint));
  await expect.poll(async () => (await bash(next, type, probe)).output, soon).toContain('not-a-call-summary');

  await atService([next]);
  const withdrawnAt = new Date().toISOString();
  await expect.poll(async () => (await asOf()) > withdrawnAt, soon).toBe(true);
  const watched = await bash(next, read, watch);
  expect([watched.code, watched.output]).toEqual([0, expect.not.stringContaining('STALE')]);
  expect((await bash(next, read, 'npx callfeed call 107 --stack "$STACK"')).code).not.toBe(0);
  // The posts of step 5 that came too early are no calls.
  expect((await bash(next, redrive)).errors).toMatch(/^1 redriven, [1-9]\d* not\.$/m);
  expect((await bash(next, read, 'npx callfeed call 107 --stack "$STACK"')).code).toBe(0);

  expect((await bash(next, read, remove)).output).toContain('demo: 1 live key,');
  expect(await fingerprints()).toEqual([next].map(keyFingerprint));
  expect((await bash(next, read, goBack)).code).toBe(0);
  expect(await fingerprints()).toEqual([next, old].map(keyFingerprint));
});

it('shows whether an address with another callback secret is accepted', async () => {
  const [, type, probe] = blocksIn(runbookSection('Change the callback secret'));
  const run = (typed: string) => runAsPrinted(sandbox.addresses.sandbox, { typed, callbackSecret: '' }, type, probe);

  expect((await run('not-the-secret')).output).toContain('callback-secret-wrong');
  expect((await run(callbackSecret)).output).toContain('not-a-call-summary');
});

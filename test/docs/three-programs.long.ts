import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import {
  checkout,
  clockAhead,
  compile,
  type Ended,
  installedPackage,
  projectWith,
  runIn,
  tarballOf,
} from '../support/packed-package.ts';
import { demoCall, logIn, postCall } from '../support/sandbox.ts';

const [, page = ''] = readFileSync(join(checkout, 'docs/consuming.md'), 'utf8').split('## Three programs');
const [setUp = ''] = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
/** The programs of the page by their names, which stand in front of each. */
const programs = Object.fromEntries(
  [...page.matchAll(/^`(\w+\.ts)` [^`]*```ts\n(.*?)^```/gms)].map(([, name = '', text = '']) => [name, text]),
);
const soon = { timeout: 60_000, interval: 100 };

let folder: string;
let sandbox: Sandbox;
const started: ChildProcess[] = [];

/** Runs a command after the page's block, in the folder of the page, with the addresses of this sandbox. */
const afterSetUp = (command: string): readonly [string, ...string[]] => {
  const { gateway, dynamodb } = sandbox.addresses;
  const [install = '', exports = ''] = setUp.split(/(?<=3\.\d+\.\d+\n)/);
  const here = exports.replace('http://127.0.0.1:3000', gateway).replace('http://127.0.0.1:8000', dynamodb);
  return ['bash', '-ec', `${command === '' ? install : ''}${here}${command}`];
};
const run = (command: string, environment = {}): Promise<Ended> => {
  const [program, ...args] = afterSetUp(command);
  return runIn(folder, program, args, { environment: { npm_config_prefer_offline: 'true', ...environment } });
};

/** Starts a program that runs until the end of the tests. */
const start = (name: string): (() => string) => {
  const [program, ...args] = afterSetUp(`exec node ${name}`);
  const child = spawn(program, args, { cwd: folder });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  started.push(child);
  return () => output;
};

const setFault = async (mode: string): Promise<void> => {
  const answer = await fetch(`${sandbox.addresses.faults}/dynamodb`, { method: 'PUT', body: JSON.stringify({ mode }) });
  expect(answer.status).toBe(200);
};
const post = (callId: string, changes: Readonly<Record<string, string>> = {}) =>
  postCall(sandbox.addresses.callbacks, demoCall(callId, changes));
const files = (name: string) => readdirSync(join(folder, name)).toSorted();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callfeed-first-day-'));
  copyFileSync(tarballOf(await installedPackage()), join(folder, `callfeed-${manifest.version}.tgz`));
  sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false });
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
  expect(await run('')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  for (const child of started) child.kill();
  await sandbox?.stop();
});

describe('the three programs of docs/consuming.md', () => {
  it('has three programs, which compile', async () => {
    const tsconfig = readFileSync(join(checkout, 'docs/examples/subscriber/tsconfig.json'), 'utf8');
    const project = projectWith(await installedPackage(), { 'tsconfig.json': tsconfig, ...programs });

    expect(Object.keys(programs)).toEqual(['tickets.ts', 'export.ts', 'free.ts']);
    expect(await compile(project)).toEqual({ code: 0, output: '', errors: '' });
  });

  it('makes a ticket of each missed call, and exports late, parked and found calls, each once', async () => {
    const missed = { Status: 'NotAnswered', AgentID: '' };
    const tickets = start('tickets.ts');
    expect(await post('901', missed)).toMatchObject([200, { stored: 1 }]);
    expect(await post('902')).toMatchObject([200, { stored: 1 }]);
    expect(
      await post('903', { ...missed, StartTime: '2026-11-02 10:00:00', EndTime: '2026-11-02 10:01:00' }),
    ).toMatchObject([200, { stored: 1 }]);
    expect(await run('node export.ts')).toEqual({ code: 0, output: '', errors: '' });

    await setFault('error');
    expect(await post('904', missed)).toMatchObject([200, { parked: 1 }]);
    await setFault('none');
    const at = new Date(Date.now() - 10 * 60_000).toISOString();
    const request = { count: 1, kind: 'answered', callbacks: 'none', at };
    const made = await fetch(`${sandbox.addresses.provider}/_simulator/calls`, {
      method: 'POST',
      body: JSON.stringify(request),
    });
    const {
      callIds: [found = 'none'],
    } = (await made.json()) as { readonly callIds: readonly string[] };
    const reconciled = await run('npx --no-install callfeed reconcile --last 2 --endpoint "$SANDBOX"');
    expect(reconciled.errors).toContain('1 found and stored');
    expect(await post('901', missed)).toMatchObject([200, { duplicates: 1 }]);

    await expect.poll(() => files('tickets'), soon).toEqual(['demo-901.json', 'demo-903.json', 'demo-904.json']);
    expect(
      tickets()
        .split('\n')
        .filter((line) => line.startsWith('Ticket'))
        .sort(),
    ).toEqual(['Ticket 901', 'Ticket 903', 'Ticket 904']);
    // The job of the next night and one after it, two and three minutes later.
    const ids = ['901', '902', '903', '904', found];
    const night = await run('node export.ts', clockAhead(2 * 60_000));
    expect(night.output.trim().split('\n').toSorted()).toEqual(ids.map((callId) => `Exported ${callId}`).toSorted());
    expect(files('calls')).toEqual(ids.map((callId) => `${callId}.json`).toSorted());
    expect(await run('node export.ts', clockAhead(3 * 60_000))).toEqual({ code: 0, output: '', errors: '' });
  });

  it('lists who is free, and says so when nobody knows', async () => {
    const free = start('free.ts');
    const steps = [logIn('asha'), logIn('ravi', 'PAUSE')];
    await fetch(sandbox.addresses.agents, { method: 'POST', body: JSON.stringify(steps) });

    await expect.poll(free, soon).toContain("Free: [ 'asha' ]");
    await fetch(`${sandbox.addresses.faults}/provider`, { method: 'PUT', body: '{"mode":"error"}' });
    await expect.poll(free, soon).toContain('Nobody knows who is free: stale');
  });
});

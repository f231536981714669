import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, DeleteItemCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unmarshalled } from '../../../lib/storage/rows.ts';
import { localClient } from '../../../sandbox/frame/local-aws.ts';
import type { SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { checkout, clockAhead, installedPackage } from '../../support/packed-package.ts';
import { type Block, blocksOf, headingsOn, pages } from '../../support/repository-files.ts';
import { logOut } from '../../support/sandbox.ts';
import { endsWith1, notRun } from './not-run.ts';
import { createShell } from './shell.ts';

/** The clock of the sandbox and of the shell: the pages name days before it. */
const aheadMs = Date.parse('2026-11-21T10:00:00Z') - Date.now();

let started: ChildProcess;
let gateway = '';
let shell: ReturnType<typeof createShell>;

/**
 * As the account of `npm start`, but polled without a token: the service issues ten an hour, and on a busy machine each
 * request that nobody waits for any more uses one. What is left is for the commands that request one.
 */
const account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata', token: { kind: 'none' } };

/** What the pages begin with: `npm start -- --no-traffic`, and for one of them `--recordings`. Its ports are free ones. */
const startSandbox = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const ports = ['--port', '0', '--dynamodb-port', '0', '--provider-port', '0'];
    started = spawn('npm', ['start', '--', '--no-traffic', '--recordings', ...ports], {
      cwd: checkout,
      env: { ...process.env, ...clockAhead(aheadMs), CALLFEED_ACCOUNTS: JSON.stringify([account]) },
      detached: true,
    });
    let printed = '';
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (text: Buffer) => {
        printed += text;
        const [, address] = /Look at it: (http:\S+)\/\n[\s\S]*Ctrl-C/.exec(printed) ?? [];
        if (address !== undefined) resolve(address);
      });
    started.once('close', () => reject(new Error(`npm start ended: ${printed}`)));
  });

beforeAll(async () => {
  const installed = await installedPackage();
  gateway = await startSandbox();
  shell = createShell(installed, { sandbox: `${gateway}/_sandbox`, aheadMs });
  shell.file('call.json', readFileSync(join(checkout, 'sandbox/examples/missed-call.json'), 'utf8'));
  shell.file('events.jsonl', '');
});
afterAll(() => {
  if (started?.pid !== undefined) process.kill(-started.pid, 'SIGINT');
});

/** The sandbox has no call, no fault, and nobody is logged in. */
const beginAnew = async (): Promise<void> => {
  const { addresses, faults } = (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
  for (const name of Object.keys(faults))
    await fetch(`${addresses.faults}/${name}`, { method: 'PUT', body: '{"mode":"none"}' });
  shell.file(
    'accounts.json',
    JSON.stringify([{ ...account, baseUrl: addresses.provider, token: { kind: 'generate' } }]),
  );
  const present = (await (await fetch(addresses.agents)).json()) as Readonly<
    Record<string, readonly { agentId: string }[]>
  >;
  const steps = Object.values(present).flatMap((agents) => agents.map(({ agentId }) => logOut(agentId)));
  if (steps.length > 0) await fetch(addresses.agents, { method: 'POST', body: JSON.stringify(steps) });
  const client = new DynamoDBClient(localClient(addresses.dynamodb));
  for (const TableName of ['callfeed-calls', 'callfeed-quarantine']) {
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    for (const { pk, sk, id } of Items) {
      const Key = Object.fromEntries(Object.entries({ pk, sk, id }).filter(([, value]) => value !== undefined));
      await client.send(new DeleteItemCommand({ TableName, Key: Key as Record<string, AttributeValue> }));
    }
  }
  client.destroy();
};

/** Pages that begin by posting calls of their own. */
const startsEmpty = ['README.md', 'docs/sandbox.md', 'docs/contract.md'];

const archivedSoFar = async (): Promise<number> => {
  const { counts } = (await (await fetch(`${gateway}/_sandbox`)).json()) as { counts: { recordingMessages: number } };
  return counts.recordingMessages;
};

/** What an operator finds: calls, the first with an archived recording, an agent, and posts in quarantine. */
const haveADay = async (): Promise<void> => {
  const post = (data: string) =>
    fetch(`${gateway}/callDetails`, { method: 'POST', body: new URLSearchParams({ data }) });
  const before = await archivedSoFar();
  for (const name of ['call-summary', 'missed-call', 'advanced-callback'])
    await post(readFileSync(join(checkout, 'sandbox/examples', `${name}.json`), 'utf8'));
  await post(
    JSON.stringify({ monitorUCID: '901', Apikey: 'demo-key', Status: 'Parked', EndTime: '2026-11-21 10:00:00' }),
  );
  for (const note of ['one', 'two', 'three']) await post(JSON.stringify({ Apikey: 'demo-key', note }));
  await fetch(`${gateway}/_sandbox/agents`, { method: 'POST', body: '{"action":"log-in","agentId":"asha"}' });
  await expect.poll(archivedSoFar, { timeout: 60_000 }).toBeGreaterThan(before);
};

/** How many JSON blocks at the beginning of a page show what its commands make: rows and events. */
const resultsOn: Readonly<Record<string, number>> = { 'README.md': 2, 'docs/contract.md': 1 };
const jsonBlocks = (page: string): readonly Readonly<Record<string, unknown>>[] =>
  [...readFileSync(join(checkout, page), 'utf8').matchAll(/^```json\n(.*?)^```/gms)]
    .slice(0, resultsOn[page] ?? 0)
    .map(([, block = '']) => JSON.parse(block));

/** What depends on when and where a command runs. */
const volatile = /^(?:time|recordedAt|firstRecordedAt|receivedAt|firstReceivedAt|lastReceivedAt|expiresAt|region)$/;

/** Matches whatever has at least the shown fields, with any value in volatile ones. */
const containing = (shown: unknown): unknown => {
  if (Array.isArray(shown)) return shown.map(containing);
  if (typeof shown !== 'object' || shown === null) return shown;
  const fields = Object.entries(shown).map(([name, value]) => [
    name,
    volatile.test(name) ? expect.anything() : containing(value),
  ]);
  return expect.objectContaining(Object.fromEntries(fields));
};

const rowsAndEvents = async (): Promise<readonly unknown[]> => {
  const { addresses } = (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
  const client = new DynamoDBClient(localClient(addresses.dynamodb));
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'callfeed-calls' }));
  client.destroy();
  const events = (await (await fetch(addresses.events)).text()).split('\n').filter((line) => line !== '');
  return [...Items.map(unmarshalled), ...events.map((line) => JSON.parse(line))];
};

const reasonOf = ({ page, commands }: Block): string | undefined => {
  const text = commands.map((command) => command.text).join('\n');
  return Object.entries(notRun[page] ?? {}).find(([part]) => text.includes(part))?.[1];
};

/** Commands that go on until somebody ends them. */
const isEndless = (text: string): boolean => /--follow|\?follow|callfeed console/.test(text);

/** What is typed where a command asks for a secret. */
const typed = (text: string): string | undefined => {
  return text.startsWith('read -rs') ? 'demo-key' : undefined;
};

/** What a command printed differs from what the page shows. An ellipsis of the page stands for any lines. */
const differsFrom = (shown: readonly string[], output: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(output)) !== JSON.stringify(JSON.parse(shown.join('\n')));
  } catch {
    // How many agents are logged in differs.
    const comparable = (line: string) => line.replace(/\d+ agents? (?:is|are) /, '');
    const lines = output.split('\n').map(comparable);
    return shown.some((line) => line !== '…' && !lines.includes(comparable(line)));
  }
};

const runnable = pages
  .map((page) => ({ page, blocks: blocksOf(page).filter((block) => reasonOf(block) === undefined) }))
  .filter(({ blocks }) => blocks.length > 0);

describe('the commands of', () => {
  it.each(runnable)('$page run in their order, and print what it shows', async ({ page, blocks }) => {
    await beginAnew();
    if (!startsEmpty.includes(page)) await haveADay();
    const leftOut = notRun[page] ?? {};
    const commands = blocks.flatMap((block) => block.commands).filter(({ text }) => !(`$ ${text}` in leftOut));
    const ran = await shell.run(
      commands.map(({ text, shown }) => ({ text, shown, typed: typed(text), isEndless: isEndless(text) })),
    );

    const failed = commands.flatMap(({ text }, index) => {
      const { code, output, errors, shown } = ran[index] ?? { code: -1, output: '', errors: '', shown: [] };
      return code !== (text in endsWith1 ? 1 : 0) || differsFrom(shown, output)
        ? [{ text, code, output, errors, shown }]
        : [];
    });
    expect(failed).toEqual([]);
    const printed = ran
      .flatMap(({ output }) => output.split('\n'))
      .map((line) => line.trim().split(/ {2,}/).join('  '));
    expect(headingsOn(page).filter((columns) => !printed.includes(columns.join('  ')))).toEqual([]);
    for (const { id: _id, account: _account, ...shown } of jsonBlocks(page))
      await expect.poll(rowsAndEvents, { timeout: 30_000 }).toContainEqual(containing(shown));
  });
});

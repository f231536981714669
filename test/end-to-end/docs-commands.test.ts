import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentsSandbox, agentsReader, partition, startAgentsSandbox } from '../support/polled-centre.ts';
import { blocksOf } from '../support/repository-files.ts';
import { logIn } from '../support/sandbox.ts';

let sandbox: AgentsSandbox;
beforeAll(async () => {
  sandbox = await startAgentsSandbox();
});
afterAll(() => sandbox.stop());

const readme = await readFile('README.md', 'utf8');
const contract = await readFile('docs/contract.md', 'utf8');

/** Every `curl` of the page's shell blocks, in order. One that follows the events would never end, so it is left out. */
const commandsOf = (page: string) =>
  blocksOf(page)
    .flatMap(({ commands }) => commands)
    .filter(({ text }) => text.startsWith('curl ') && !text.includes('?follow'))
    .map(({ text, shown: [answer] }) => ({ command: text.replaceAll(/ *\\\n */g, ' '), answer }));

const run = async (command: string): Promise<string> => {
  const { origin } = new URL(sandbox.addresses.callbacks);
  const here = command
    .replaceAll('http://127.0.0.1:3000', origin)
    .replaceAll('http://127.0.0.1:4000', sandbox.addresses.provider);
  return (await promisify(execFile)('bash', ['-c', `${here} --silent --fail-with-body --max-time 20 || true`])).stdout;
};

/** Every page begins with a new sandbox. */
const emptyCalls = async (): Promise<void> => {
  const TableName = 'callfeed-calls';
  const { Items = [] } = await sandbox.dynamodb.send(new ScanCommand({ TableName }));
  for (const { pk, sk } of Items)
    if (pk && sk) await sandbox.dynamodb.send(new DeleteItemCommand({ TableName, Key: { pk, sk } }));
};

const runCommands = async (page: string): Promise<void> => {
  await emptyCalls();
  for (const { command, answer } of commandsOf(page)) {
    const printed = await run(command);
    if (answer !== undefined) expect(JSON.parse(printed), command).toEqual(JSON.parse(answer));
  }
  // A page may end with a fault that it switches on.
  for (const name of Object.keys((await sandbox.state()).faults)) await sandbox.setFault(name, 'none');
};

const objectsIn = (page: string): readonly Record<string, unknown>[] =>
  [...page.matchAll(/^```json\n(.*?)^```/gms)].flatMap(([, block = '']) => {
    try {
      return [JSON.parse(block)];
    } catch {
      return [];
    }
  });

/** What depends on when and where a command runs. */
const volatile = new Set([
  'time',
  'recordedAt',
  'firstRecordedAt',
  'receivedAt',
  'firstReceivedAt',
  'lastReceivedAt',
  'expiresAt',
]);

/** Matches whatever holds at least the shown fields, with any value in volatile ones. */
const containing = (shown: unknown): unknown => {
  if (Array.isArray(shown)) return shown.map(containing);
  if (typeof shown !== 'object' || shown === null) return shown;
  const fields = Object.entries(shown).map(([name, value]) => [
    name,
    volatile.has(name) ? expect.anything() : containing(value),
  ]);
  return expect.objectContaining(Object.fromEntries(fields));
};

const rowsAt = async (pk: string) => [
  ...(await agentsReader(sandbox.dynamodb, 'callfeed-calls').query(partition(pk))).rows,
  ...(await sandbox.query(partition(pk))).rows,
];

const soon = { timeout: 20_000 };

/** Waits for a row or an event that a page shows. Other objects, such as a rule's pattern, are no results. */
const expectShown = async (shown: Record<string, unknown>): Promise<void> => {
  const { 'detail-type': type, detail, pk } = shown;
  if (typeof type === 'string')
    await expect.poll(() => sandbox.events(), soon).toContainEqual(containing({ 'detail-type': type, detail }));
  if (typeof pk === 'string') await expect.poll(() => rowsAt(pk), soon).toContainEqual(containing(shown));
};

describe('the pages that show commands', () => {
  it('show at least one command with its answer each', () => {
    for (const page of ['README.md', 'docs/sandbox.md', 'docs/contract.md'])
      expect(commandsOf(page).filter(({ answer }) => answer !== undefined)).not.toEqual([]);
  });

  it('show commands that answer as the pages say, and the rows and events that follow', async () => {
    await runCommands('README.md');
    for (const shown of objectsIn(readme)) await expectShown(shown);

    await runCommands('docs/contract.md');
    // The first object of the contract is the whole event of the command above it.
    const [{ detail, ...envelope } = {}] = objectsIn(contract);
    const any = expect.any(String);
    await expect
      .poll(() => sandbox.events(), soon)
      .toContainEqual({
        ...envelope,
        ...{ id: any, account: any, region: any, time: any },
        detail: { ...Object(detail), recordedAt: any },
      });

    await runCommands('docs/sandbox.md');
    await sandbox.script(logIn('newcomer'));
    await sandbox.poll();
    expect(await sandbox.row('demo', 'agent#newcomer')).toBeDefined();
    await expectShown({ 'detail-type': 'Agent Logged In', detail: { agentId: 'newcomer' } });
    expect((await sandbox.state()).provider).toMatchObject({ demo: { overLimit: 0, tokensGenerated: 1 } });
  });
});

describe('the README', () => {
  it('names only scripts that exist', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    const named = [...readme.matchAll(/npm (?:run |(?=start|test))([a-z][a-z0-9-]*)/g)].map(([, name = '']) => name);

    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});

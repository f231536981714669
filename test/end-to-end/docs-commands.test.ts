import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentsReader, partition } from '../support/agents-reader.ts';
import { type AgentsSandbox, startAgentsSandbox } from '../support/agents-sandbox.ts';
import { logIn } from '../support/sandbox.ts';

let sandbox: AgentsSandbox;
beforeAll(async () => {
  sandbox = await startAgentsSandbox();
});
afterAll(() => sandbox.stop());

const readme = await readFile('README.md', 'utf8');
const contract = await readFile('docs/contract.md', 'utf8');

/** A command of a page, and the answer that the page shows below it as a comment. */
interface Command {
  readonly command: string;
  readonly answer: string | undefined;
}

const blocksOf = (page: string, language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);

/** Every `curl` of the page's shell blocks, in order. One that follows the events would never end, so it is left out. */
const commandsOf = (page: string): readonly Command[] =>
  blocksOf(page, 'sh')
    .map((block) => block.replaceAll(/ *\\\n */g, ' '))
    .flatMap((block) => [...block.matchAll(/^(curl .*)(?:\n# (\{.*\})$)?/gm)])
    .map(([, command = '', answer]) => ({ command, answer }))
    .filter(({ command }) => !command.includes('?follow'));

const run = async (command: string): Promise<string> => {
  const { origin } = new URL(sandbox.addresses.callbacks);
  const here = command.replaceAll('http://127.0.0.1:3000', origin);
  return (await promisify(execFile)('bash', ['-c', `${here} --silent --fail-with-body --max-time 20 || true`])).stdout;
};

/** Runs the commands of a page, and compares what they answer with what the page shows. */
const runCommands = async (page: string): Promise<void> => {
  for (const { command, answer } of commandsOf(page)) {
    const printed = await run(command);
    if (answer !== undefined) expect(JSON.parse(printed), command).toEqual(JSON.parse(answer));
  }
  // A page may end with a fault that it switches on.
  for (const name of Object.keys((await sandbox.state()).faults)) await sandbox.setFault(name, 'none');
};

/** The JSON objects that a page shows whole. */
const objectsIn = (page: string): readonly Record<string, unknown>[] =>
  blocksOf(page, 'json').flatMap((block) => {
    try {
      return [JSON.parse(block)];
    } catch {
      return [];
    }
  });

/** What the bus adds to an event depends on where the command runs. */
const anywhere = { id: expect.any(String), account: expect.any(String), region: expect.any(String) };

/** An object in which each instant of the run stands for any other. */
const anyInstant = (object: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(object), (name, value) =>
    /^(time|recordedAt|updatedAt|receivedAt|firstReceivedAt)$/.test(name) ? expect.any(String) : value,
  );

const rowsAt = async (pk: string) => [
  ...(await agentsReader(sandbox.dynamodb, 'callfeed-calls').query(partition(pk))).rows,
  ...(await sandbox.query(partition(pk))).rows,
];

const soon = { timeout: 20_000 };

describe('the pages that show commands', () => {
  it('show at least one command with its answer each', () => {
    for (const page of [readme, contract])
      expect(commandsOf(page).filter(({ answer }) => answer !== undefined)).not.toEqual([]);
  });

  it('show commands that answer as the pages say, and then the rows and events that they show are there', async () => {
    await runCommands(readme);
    await runCommands(contract);
    await sandbox.script(logIn('newcomer'));
    await sandbox.poll();
    const events = expect.poll(() => sandbox.events(), soon);

    // The first object of the contract is the event of the command above it.
    const [event] = objectsIn(contract);
    await events.toContainEqual({ ...anyInstant(event), ...anywhere });
    for (const shown of objectsIn(readme).map(anyInstant)) {
      const { 'detail-type': type, detail, pk, sk, expiresAt: _, ...row } = shown;
      // A rule's pattern has lists in these places.
      if (typeof type === 'string')
        await events.toContainEqual(expect.objectContaining({ detail: expect.objectContaining(Object(detail)) }));
      if (pk !== undefined)
        await expect.poll(() => rowsAt(String(pk)), soon).toContainEqual(expect.objectContaining({ pk, sk, ...row }));
    }
    expect((await sandbox.get({ pk: { S: 'demo' }, sk: { S: 'agent#newcomer' } })).rows).toHaveLength(1);
    await events.toContainEqual(
      expect.objectContaining({
        'detail-type': 'Agent Logged In',
        detail: expect.objectContaining({ agentId: 'newcomer' }),
      }),
    );
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

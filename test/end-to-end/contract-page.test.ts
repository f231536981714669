import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';

let sandbox: Sandbox;
let page: string;

beforeAll(async () => {
  page = await readFile('docs/contract.md', 'utf8');
  sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false });
});

afterAll(() => sandbox.stop());

const run = async (command: string) => {
  const here = command.replaceAll('http://127.0.0.1:3000', new URL('/', sandbox.addresses.callbacks).origin);
  return (await promisify(execFile)('bash', ['-c', `${here} --silent`])).stdout;
};

/** What depends on when and where it was posted. */
const anywhere = {
  id: expect.any(String),
  account: expect.any(String),
  region: expect.any(String),
  time: expect.any(String),
};

it('the contract’s page begins with commands that answer as it says, and tell the event that it shows', async () => {
  const [, post = '', answer = '', look = ''] = /^(curl .*)\n# (.*)\n(curl .*)$/m.exec(page) ?? [];
  const shown = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(page)?.[1] ?? '{}');

  expect(JSON.stringify(JSON.parse(await run(post)))).toBe(answer);
  await expect.poll(() => run(look), { timeout: 10_000 }).toContain('\n');
  expect(JSON.parse(await run(look))).toEqual({
    ...shown,
    ...anywhere,
    detail: { ...shown.detail, recordedAt: expect.any(String) },
  });
});

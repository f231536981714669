import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contractFiles } from '../../contract/generate/contract-files.ts';
import { staleFiles } from '../../contract/generate/stale-files.ts';

const files = await contractFiles();

/** What the command prints, and its exit code. */
const contract = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ['contract/generate/main.ts', ...args]).then(
    () => ({ code: 0, stderr: '' }),
    ({ code, stderr }) => ({ code, stderr }),
  );

describe('what is generated', () => {
  it.each([...files])('is what the declarations say: %s', async (path, text) => {
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is the same whenever it is generated', async () => {
    expect([...(await contractFiles())]).toEqual([...files]);
  });

  it('is found fresh by npm run contract -- --check, which refuses any other argument', async () => {
    expect(await contract('--check')).toEqual({ code: 0, stderr: '' });
    expect(await contract('--chekc')).toMatchObject({ code: 2, stderr: expect.stringContaining('--check') });
  });
});

describe('a stale file', () => {
  const expected = new Map([['docs/schemas/rows/call.schema.json', '{}\n']]);

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['is none where all is as it should be', { 'call.schema.json': '{}\n' }, []],
    ['is one that says something else', { 'call.schema.json': '{ }\n' }, ['docs/schemas/rows/call.schema.json']],
    ['is one that is missing', {}, ['docs/schemas/rows/call.schema.json']],
    [
      'is one of something that is no more',
      { 'call.schema.json': '{}\n', 'x.json': '1' },
      ['docs/schemas/rows/x.json'],
    ],
  ])('%s', async (_title, present, stale) => {
    const root = await mkdtemp(join(tmpdir(), 'callfeed-contract-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await mkdir(join(root, 'docs/schemas/rows'), { recursive: true });
    for (const [name, text] of Object.entries(present)) await writeFile(join(root, 'docs/schemas/rows', name), text);

    expect(await staleFiles(root, expected)).toEqual(stale);
  });
});

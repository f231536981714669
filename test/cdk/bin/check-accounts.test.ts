import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHere } from '../../support/run-here.ts';

const check = async (json: string, ...args: readonly string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-accounts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'accounts.json');
  await writeFile(file, json);

  return runHere(() => import('../../../cdk/bin/check-accounts.ts'), { args: [file, ...args] });
};

const accounts = [
  { userName: 'acme', apiKeys: ['SENTINEL-1', 'SENTINEL-2'], baseUrl: 'https://service.example' },
  { userName: 'other', apiKeys: ['SENTINEL-3'], timeZone: 'Europe/London' },
];

describe('npm run check-accounts', () => {
  it('describes each account, without its keys', async () => {
    expect(await check(JSON.stringify(accounts), '--time-zone', 'Asia/Dubai')).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'acme: 2 live keys, times in Asia/Dubai, agents polled at https://service.example, token: none',
        'other: 1 live key, times in Europe/London, agents not polled',
        '',
      ].join('\n'),
    });
  });

  // What makes a list invalid is tested with parseAccounts.
  it.each([
    ['broken JSON', '[{"userName": "SENTINEL', /^accounts: Expected a JSON list of accounts; this is not JSON\n/],
    ['an unknown zone', '[{"userName": "a", "apiKeys": ["SENTINEL"], "timeZone": "SENTINEL"}]', /^\[0\]\.timeZone: /],
  ])('rejects %s, and names the field but never the value', async (_title, json, message) => {
    const { code, stdout, stderr } = await check(json);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('SENTINEL');
  });

  it.each([
    ['an unknown zone', ['--time-zone', 'Mars'], /^--time-zone: expected an IANA time zone/],
    ['two files', ['another.json'], /^Name one file/],
    ['an unknown option', ['--zone', 'UTC'], /^Unknown option '--zone'/],
  ])('rejects %s as an argument, and prints its usage', async (_what, args, message) => {
    const { code, stdout, stderr } = await check(JSON.stringify(accounts), ...args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toContain('npm run check-accounts -- accounts.json');
  });
});

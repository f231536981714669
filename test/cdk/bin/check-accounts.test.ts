import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const check = async (json: string, ...args: readonly string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-accounts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'accounts.json');
  await writeFile(file, json);
  const run = promisify(execFile)(process.execPath, ['cdk/bin/check-accounts.ts', file, ...args]);

  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
};

const accounts = [
  { userName: 'acme', apiKeys: ['SENTINEL-1', 'SENTINEL-2'], baseUrl: 'https://service.example' },
  { userName: 'other', apiKeys: ['SENTINEL-3'], timeZone: 'Europe/London' },
];

describe('the check of accounts', () => {
  it('says what each account means, without its keys', async () => {
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

  it.each([
    ['no JSON', '[{"userName": "SENTINEL', 'accounts: Expected a JSON list of accounts; this is no valid JSON\n'],
    [
      'an unknown zone',
      '[{"userName": "a", "apiKeys": ["SENTINEL"], "timeZone": "SENTINEL"}]',
      /^\[0\]\.timeZone: .+IANA/,
    ],
    ['no key', '[{"userName": "SENTINEL", "apiKeys": []}]', /^\[0\]\.apiKeys: /],
    [
      'a key twice',
      '[{"userName": "a", "apiKeys": ["SENTINEL"]}, {"userName": "b", "apiKeys": ["SENTINEL"]}]',
      /^accounts: /,
    ],
  ])('refuses %s, naming the field and never the value', async (_title, json, message) => {
    const { code, stdout, stderr } = await check(json);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('SENTINEL');
  });

  it.each([
    ['a zone for all that is none', ['--time-zone', 'Mars'], /^--time-zone: expected an IANA time zone/],
    ['two files', ['another.json'], /^Name one file/],
    ['an option that there is not', ['--zone', 'UTC'], /^Unknown option '--zone'/],
  ])('refuses %s, and says how it is used', async (_what, args, message) => {
    const { code, stdout, stderr } = await check(JSON.stringify(accounts), ...args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toContain('npm run check-accounts -- accounts.json');
  });
});

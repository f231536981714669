import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSimulator } from '../../../sandbox/simulator/index.ts';
import { cli } from '../support/cli-run.ts';

const check = async (json: string | Buffer, ...args: readonly string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-accounts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'accounts.json');
  await writeFile(file, json);

  return cli(['check-accounts', file, ...args]);
};

const accounts = [
  {
    userName: 'acme',
    apiKeys: ['SENTINEL-1', 'SENTINEL-2'],
    baseUrl: 'https://service.example',
    timeZone: 'Asia/Dubai',
    token: { kind: 'none' },
  },
  {
    userName: 'other',
    apiKeys: ['SENTINEL-3'],
    timeZone: 'Europe/London',
    words: { status: { SENTINEL: 'not-answered' }, state: { SENTINEL: 'aux' } },
    forwardTo: ['https://old.example/SENTINEL'],
  },
];

describe('callfeed check-accounts', () => {
  it('describes each account, without its keys', async () => {
    expect(await check(JSON.stringify(accounts))).toEqual({
      code: 0,
      notes: '',
      progress: [],
      output: [
        'acme: 2 live keys, times in Asia/Dubai, agents polled at https://service.example, token: none',
        'other: 1 live key, times in Europe/London, agents not polled, words added to status, state, deliveries forwarded to old.example',
        '',
      ].join('\n'),
    });
  });

  it('names each field that it does not take as it was pasted, and what is done with it', async () => {
    const pasted = {
      ...accounts[0],
      apiKeys: ['SENTINEL-1', 'SENTINEL-2 '],
      baseUrl: 'https://service.example/ca_apis',
    };
    const { code, output, notes } = await check(`\ufeff${JSON.stringify([pasted])}`);

    expect([code, output]).toEqual([0, expect.stringContaining('polled at https://service.example, ')]);
    expect(notes.split('\n')).toEqual([
      '[0].apiKeys[1]: a blank, or something else that does not show, is left out at its ends.',
      '[0].baseUrl: the path is left out, as each request adds its own.',
      '',
    ]);
  });

  it('says how to save a file that is no UTF-8', async () => {
    const { code, notes } = await check(Buffer.from(`\ufeff${JSON.stringify(accounts)}`, 'utf16le'));

    expect([code, notes]).toEqual([1, expect.stringMatching(/is not encoded as UTF-8\. Save it so/)]);
  });

  // What makes a list invalid is tested with parseAccounts.
  it.each([
    ['broken JSON', '[{"userName": "SENTINEL', /^accounts: Expected a JSON list of accounts; this is not JSON\n/],
    ['an unknown zone', '[{"userName": "a", "apiKeys": ["SENTINEL"], "timeZone": "SENTINEL"}]', /^\[0\]\.timeZone: /],
  ])('rejects %s, and names the field but never the value', async (_title, json, message) => {
    const { code, output, notes } = await check(json);

    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(notes).toMatch(message);
    expect(notes).not.toContain('SENTINEL');
  });

  it.each([
    ['of no vocabulary', { comments: { SENTINEL: 'answered' } }, /words\.comments: Expected one of agentStatuses, /],
    ['of hyphens and underscores alone', { type: { '-_': 'inbound' } }, /words\.type: Expected words of the service/],
    ['with no word of ours', { type: { SENTINEL: 'SENTINEL' } }, /words\.type: .* one of progressive, inbound, /],
    [
      'as unknown',
      { state: { SENTINEL: 'unknown' } },
      /words\.state: Expected words of the service, each with one of r/,
    ],
    ['that are known', { dialStatus: { SENTINEL: 'busy', NO_ANSWER: 'busy' } }, /words\.dialStatus: Callfeed knows/],
  ])('rejects added words %s, and repeats none', async (_title, words, message) => {
    const { code, output, notes } = await check(JSON.stringify([{ ...accounts[1], words }]));

    expect([code, notes]).toEqual([1, expect.stringMatching(message)]);
    expect(output + notes).not.toContain('SENTINEL');
  });

  it.each([
    ['two files', ['another.json'], /^error: too many arguments/],
    ['an account without a try', ['--account', 'acme'], /^--account needs --try/],
    ['an account that is not in the list', ['--try', '--account', 'nobody'], /^--account must be the userName/],
    ['an account that is not polled', ['--try', '--account', 'other'], /^There is no baseUrl/],
    ['an unknown option', ['--time-zone', 'UTC'], /^error: unknown option '--time-zone'/],
  ])('rejects %s as an argument', async (_what, args, message) => {
    const { code, output, notes } = await check(JSON.stringify(accounts), ...args);

    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(notes).toMatch(message);
  });
});

describe('callfeed check-accounts --try', () => {
  /** Two polled accounts at a simulated service, where only the first has this key, and one that is not polled. */
  const startService = async () => {
    const simulator = await startSimulator({
      port: 0,
      callbackUrl: 'http://127.0.0.1:9',
      accounts: [
        { userName: 'acme', apiKeys: ['SENTINEL-1'], timeZone: 'UTC', token: { kind: 'generate' } },
        { userName: 'wrong', apiKeys: ['SENTINEL-other'], timeZone: 'UTC' },
      ],
      traffic: false,
    });
    onTestFinished(simulator.stop);
    const polled = { baseUrl: simulator.url, timeZone: 'UTC' };
    const list = JSON.stringify([
      { ...polled, userName: 'acme', apiKeys: ['SENTINEL-1'], token: { kind: 'generate' } },
      { ...polled, userName: 'wrong', apiKeys: ['SENTINEL-2'], token: { kind: 'none' } },
      { userName: 'unpolled', apiKeys: ['SENTINEL-3'], timeZone: 'UTC' },
    ]);
    return { ...simulator, list };
  };

  it('tries every polled account once, and fails if one of them fails', async () => {
    const { list, accounts: counted } = await startService();
    const { code, output, notes } = await check(list, '--try');

    expect(code).toBe(1);
    expect(output).toContain('unpolled: 1 live key, times in UTC, agents not polled\n');
    expect(output).toMatch(/one of the five requests that a minute has.*\n(.*\n)+acme: 0 agents are logged in\.\n$/);
    expect(notes).toMatch(/^wrong: The service does not know this userName with the first key\..*\n$/);
    expect(output + notes).not.toContain('SENTINEL');
    expect(counted()).toMatchObject({ acme: { requests: 1, tokens: { generated: 1 } }, wrong: { requests: 1 } });
  });

  it('tries one account, and says what it waits for', async () => {
    const { list, accounts: counted } = await startService();
    const { code, output, notes, progress } = await check(list, '--try', '--account', 'ACME');

    expect({ code, notes }).toEqual({ code: 0, notes: '' });
    expect(progress).toEqual(['acme: waiting for the service …']);
    expect(output).toContain('acme: 0 agents are logged in.\n');
    expect(counted()).toMatchObject({ acme: { requests: 1 }, wrong: { requests: 0 } });
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tryAccount } from '../../../cli/set-up/try-account.ts';
import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import type { PolledAccount } from '../../../lib/accounts/accounts.ts';
import { createFaultBoard, type FaultMode } from '../../../sandbox/frame/faults.ts';
import type { AnswerKind } from '../../../sandbox/simulator/answers.ts';
import { startSimulator } from '../../../sandbox/simulator/index.ts';
import { sentinelKey, sentinelToken } from '../../fixtures/accounts.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { logIn } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { cli } from '../support/cli-run.ts';

const check = async (json: string | Buffer, ...args: readonly string[]) => {
  const file = join(temporaryFolder('accounts').path, 'accounts.json');
  writeFileSync(file, json);
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
    country: 'in',
    words: { status: { SENTINEL: 'not-answered' }, state: { SENTINEL: 'aux' } },
    sharedNumbers: ['022 4000 1000', '4021'],
    forwardTo: ['https://old.example/SENTINEL'],
  },
];

describe('callfeed check-accounts', () => {
  it('describes each account, without its keys', async () => {
    expect(await check(JSON.stringify(accounts))).toEqual({
      code: 0,
      notes: '',
      progress: [],
      output:
        'acme: 2 live keys, times in Asia/Dubai, numbers of AE, agents polled at https://service.example, token: none\n' +
        'other: 1 live key, times in Europe/London, numbers of IN, agents not polled, words added to status, state, 2 shared numbers, deliveries forwarded to old.example\n',
    });
  });

  it('shows an address as it is used, without the path that was pasted with it', async () => {
    const pasted = { ...accounts[0], baseUrl: 'https://service.example/ca_apis' };
    const { code, output } = await check(`\ufeff${JSON.stringify([pasted])}`);

    expect([code, output]).toEqual([0, expect.stringContaining('polled at https://service.example, ')]);
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

  const word = /Expected words of the service/;
  const shared = /^other: sharedNumbers\.1: Expected one/;
  it.each<readonly [string, object, RegExp]>([
    ['a country without numbers', { country: 'zz' }, /^other: country: ZZ is no country that has telephone numbers\n$/],
    ['a word as a shared number', { sharedNumbers: ['4021', 'SENTINEL'] }, shared],
    ['two shared numbers in one', { sharedNumbers: ['4021', '022 4000 1000 / 1001'] }, shared],
    ['zeros as a shared number', { sharedNumbers: ['4021', '0000000000'] }, shared],
    ['an empty shared number', { sharedNumbers: ['4021', ''] }, shared],
    ['words of no vocabulary', { words: { comments: { SENTINEL: 'x' } } }, /words\.comments: Expected one of ag/],
    ['a word of hyphens alone', { words: { type: { '-_': 'inbound' } } }, word],
    ['no word of ours', { words: { type: { SENTINEL: 'SENTINEL' } } }, /words\.type: .* one of progressive, inbound, /],
    ['a word as unknown', { words: { state: { SENTINEL: 'unknown' } } }, word],
    ['known words', { words: { dialStatus: { SENTINEL: 'busy', NO_ANSWER: 'busy' } } }, /dialStatus: Callfeed knows/],
  ])('rejects %s, and repeats none', async (_title, changes, message) => {
    const { code, output, notes } = await check(JSON.stringify([{ ...accounts[1], ...changes }]));

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
  /** Two polled accounts at a simulated service, which knows the first alone, and one that is not polled. */
  const startServiceOfOne = async () => {
    const { account, counts } = await startService({ needs: tokens.generate, agents: [] });
    const unpolled = { userName: 'unpolled', apiKeys: ['SENTINEL-3'], timeZone: 'UTC' };
    const wrong = account({ userName: 'wrong', apiKeys: ['SENTINEL-2'], token: tokens.none });
    return { counts, list: JSON.stringify([account(), wrong, unpolled]) };
  };

  it('tries every polled account once, and fails if one of them fails', async () => {
    const { list, counts } = await startServiceOfOne();
    const { code, output, notes } = await check(list, '--try');

    expect(code).toBe(1);
    expect(output).toContain('unpolled: 1 live key, times in UTC, numbers of no country, agents not polled\n');
    expect(output).toMatch(
      /\nunpolled: no country is known.* stays open\. Add "country": the two letters of .*, such as IN\.\n/,
    );
    expect(output).toMatch(/one of the five requests that a minute has.*\n(.*\n)+acme: 0 agents are logged in\.\n$/);
    expect(notes).toMatch(/^wrong: The service does not know this userName with the first key\..*\n$/);
    expect(output + notes).not.toContain('SENTINEL');
    expect(counts()).toEqual({ logins: 1, tokens: 1 });
  });

  it('tries one account, and says what it waits for', async () => {
    const { list, counts } = await startServiceOfOne();
    const { code, output, notes, progress } = await check(list, '--try', '--account', 'ACME');

    expect({ code, notes }).toEqual({ code: 0, notes: '' });
    expect(progress).toEqual(['acme: waiting for the service …']);
    expect(output).toContain('acme: 0 agents are logged in.\n');
    expect(counts()).toEqual({ logins: 1, tokens: 1 });
  });
});

type Token = PolledAccount['token'];

const tokens = {
  none: { kind: 'none' },
  static: { kind: 'static', value: `Bearer ${sentinelToken}` },
  generate: { kind: 'generate' },
} as const satisfies Record<string, Token>;

interface Service {
  /** Who is logged in. */
  readonly agents?: readonly string[];
  /** The token that the simulated account needs. */
  readonly needs?: Token;
  readonly answer?: AnswerKind;
  readonly fault?: FaultMode;
  /** How often the account was tried before. */
  readonly triedBefore?: number;
}

const http = telephonyHttp({ timeoutMs: 30_000 });

/** A simulated contact centre, the account that is tried there, and how often the try requested what. */
const startService = async ({
  needs = tokens.none,
  agents = ['asha', 'ravi'],
  answer,
  fault = 'none',
  triedBefore = 0,
}: Service) => {
  const token = needs.kind === 'static' ? { ...needs, value: sentinelToken } : needs;
  const simulator = await startSimulator({
    port: 0,
    callbackUrl: 'http://127.0.0.1:9',
    traffic: false,
    accounts: [{ userName: 'acme', apiKeys: [sentinelKey], timeZone: 'UTC', token }],
    board: { ...createFaultBoard(), draw: () => fault },
  });
  onTestFinished(simulator.stop);
  simulator.script(JSON.stringify(agents.map((agentId) => logIn(agentId))));
  const account = (changes: Partial<PolledAccount> = {}): PolledAccount => ({
    userName: 'acme',
    apiKeys: [sentinelKey],
    timeZone: 'UTC',
    baseUrl: simulator.url,
    token: needs,
    ...changes,
  });

  for (let request = 0; request < triedBefore; request++) await tryAccount(http, account());
  if (answer !== undefined)
    await fetch(`${simulator.url}/_simulator/answers`, { method: 'POST', body: JSON.stringify({ kind: answer }) });
  const counts = () => {
    const { requests = 0, tokens: issued } = simulator.accounts()['acme'] ?? {};
    return { logins: requests, tokens: issued?.requests };
  };
  return { account, counts };
};

describe('a try that is answered', () => {
  it.each([
    ['without a token', tokens.none, 0],
    ['with a fixed token', tokens.static, 0],
    ['with one generated token', tokens.generate, 1],
  ])('is one request, %s', async (_title, needs, generated) => {
    const { account, counts } = await startService({ needs });

    expect(await tryAccount(http, account())).toEqual({ ok: true, value: '2 agents are logged in.' });
    expect(counts()).toEqual({ logins: 1, tokens: generated });
  });

  it.each([
    ['empty-list', '0 agents are logged in.'],
    ['no-data-found', '0 agents are logged in.'],
    ['malformed-record', /^\d agents? (is|are) logged in, and \d+ more cannot be read\.$/],
  ] as const)('counts the agents, as with the answer %s', async (answer, value) => {
    const { account } = await startService({ answer });
    const text = typeof value === 'string' ? value : expect.stringMatching(value);

    expect(await tryAccount(http, account())).toEqual({ ok: true, value: text });
  });
});

describe('a try that fails says what is wrong and what to change, without keys and tokens:', () => {
  const wrongKey = { apiKeys: ['SENTINEL-wrong-key'] };
  const closed = 'http://127.0.0.1:9';

  const path = '/ca_apis/other';
  const refused =
    /refuses the token: set token to \{"kind": "none"\}\. \(HTTP 401: token is missing, wrong or expired\)$/;
  const notIssued = (status: number) =>
    new RegExp(`^The service issued no token\\. Check path, .* \\(HTTP ${status}\\)$`);
  const unreached = /^The address cannot be reached\. Check baseUrl/;
  const noJson = /^The answer is no JSON, but perhaps a web page\. Check baseUrl\. \(HTTP 200\)$/;
  const generates: Service = { needs: tokens.generate };
  it.each<readonly [string, Service, Partial<PolledAccount>, RegExp]>([
    ['a wrong key', {}, wrongKey, /^The service does not know this userName with the first key\. .*"generate"/],
    ['a wrong key, with a token', generates, wrongKey, /^The service issues no token for this userName/],
    ['a wrong name', {}, { userName: 'other' }, /know this userName .*\(HTTP 200: username or apikey is invalid\)$/],
    ['no token where one is needed', generates, { token: tokens.none }, /without a token: .*"generate"/],
    ['a wrong fixed token', generates, { token: tokens.static }, /refuses the token: correct its value/],
    ['a generated token where a fixed one is needed', { needs: tokens.static }, { token: tokens.generate }, refused],
    ['another path for tokens', generates, { token: { kind: 'generate', path } }, notIssued(404)],
    [
      'another field for the token',
      generates,
      { token: { kind: 'generate', answerField: 'data.token' } },
      notIssued(200),
    ],
    ['the limit', { triedBefore: 5 }, {}, /^The five requests of a minute are used up.* Wait for a minute\./],
    ['the limit of tokens', { ...generates, triedBefore: 10 }, {}, /^The ten tokens of an hour are used up/],
    ['an address where nothing listens', {}, { baseUrl: closed }, unreached],
    ['the same, for a token', generates, { baseUrl: closed }, unreached],
    ['a service in trouble', { fault: 'error' }, {}, /^The service reports an error\..*\(HTTP 500: internal error\)$/],
    ['a web page', { answer: 'html' }, {}, noJson],
    ['a redirect', { answer: 'redirect' }, {}, /^The address redirects to another one/],
    ['a method that is not allowed', { answer: '405-no-json' }, {}, /^The service reports an error\..*HTTP 405/],
  ])('%s', async (_title, service, changes, problem) => {
    const { account } = await startService(service);
    const tried = await tryAccount(http, account(changes));

    expect(tried).toEqual({ ok: false, problem: expect.stringMatching(problem) });
    expect(JSON.stringify(tried)).not.toContain('SENTINEL');
  });

  it('no answer', async () => {
    const { account } = await startService({ fault: 'timeout' });

    expect(await tryAccount(telephonyHttp({ timeoutMs: 50 }), account())).toMatchObject({
      ok: false,
      problem: 'The service did not answer within 4 seconds. Check baseUrl, and try again later.',
    });
  });

  it.each([
    ['SENTINEL-long-enough', 'abc'],
    ['abc', 'SENTINEL-token'],
  ])('an unknown message, in which the service repeats %s and %s', async (key, token) => {
    const { url: baseUrl } = await startHttpServer(({ headers }, response) => {
      const message = `Blocked:\n${headers['apikey']} ${headers.authorization}`;
      response.end(JSON.stringify({ status: 'error', message }));
    });
    const account = { userName: 'acme', apiKeys: [key], timeZone: 'UTC', baseUrl } as const;

    expect(await tryAccount(http, { ...account, token: { kind: 'static', value: token } } as never)).toEqual({
      ok: false,
      problem: expect.stringMatching(
        /^The service answers with an error that .* \(HTTP 200: blocked: \*\*\* bearer \*\*\*\)$/,
      ),
    });
  });

  it.each([
    ['API rate limit hit. Please try after 1 minute', /^The five requests of a minute are used up/],
    ['userName should not be empty', /^The service says that userName or the first key is empty\./],
    ['Invalid userName', /^The service does not know this userName with the first key\./],
    ['Invalid token', /^The service refuses a request without a token/],
    ['Internal Server Error', /does not know, and that names no credential\. .*\(HTTP 200: internal server error\)$/],
    ['Not allowed from your IP', /have the service allow it\. \(HTTP 200: not allowed from your ip\)$/],
  ])('the error text “%s”', async (message, problem) => {
    const { url: baseUrl } = await startHttpServer((_request, response) => {
      response.end(JSON.stringify({ status: 'error', message }));
    });
    const account = { userName: 'acme', apiKeys: [sentinelKey], timeZone: 'UTC', baseUrl, token: tokens.none } as const;

    expect(await tryAccount(http, account)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});

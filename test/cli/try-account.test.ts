import { describe, expect, it, onTestFinished } from 'vitest';
import { tryAccount } from '../../cli/commands/check-accounts.ts';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { createFaultBoard, type FaultMode } from '../../sandbox/faults.ts';
import type { AnswerKind } from '../../sandbox/simulator/answers.ts';
import { startSimulator } from '../../sandbox/simulator/index.ts';
import { sentinelKey, sentinelToken } from '../fixtures/accounts.ts';
import { startHttpServer } from '../support/local-servers.ts';
import { logIn } from '../support/sandbox.ts';

type Token = PolledAccount['token'];

const tokens = {
  none: { kind: 'none' },
  static: { kind: 'static', value: `Bearer ${sentinelToken}` },
  generate: { kind: 'generate' },
} as const satisfies Record<string, Token>;

interface Service {
  /** The token that the simulated account needs. */
  readonly needs?: Token;
  readonly answer?: AnswerKind;
  readonly fault?: FaultMode;
  /** How often the account's agents were requested within the minute. */
  readonly requestedBefore?: number;
  readonly tokensBefore?: number;
}

const http = telephonyHttp({ timeoutMs: 30_000 });

/** A simulated contact centre, the account that is tried there, and how often the try requested what. */
const startService = async ({ needs = tokens.none, answer, fault = 'none', ...before }: Service) => {
  const simulator = await startSimulator({
    port: 0,
    callbackUrl: 'http://127.0.0.1:9',
    accounts: [
      {
        ...{ userName: 'acme', apiKeys: [sentinelKey], timeZone: 'UTC' },
        token: needs.kind === 'static' ? { ...needs, value: sentinelToken } : needs,
      },
    ],
    traffic: false,
    board: { ...createFaultBoard(), draw: () => fault },
  });
  onTestFinished(simulator.stop);
  simulator.script(JSON.stringify([logIn('asha'), logIn('ravi')]));
  const account = (changes: Partial<PolledAccount> = {}): PolledAccount => ({
    ...{ userName: 'acme', apiKeys: [sentinelKey], timeZone: 'UTC', baseUrl: simulator.url, token: needs },
    ...changes,
  });

  for (let request = 0; request < (before.requestedBefore ?? 0); request++) await tryAccount(http, account());
  for (let request = 0; request < (before.tokensBefore ?? 0); request++) await tryAccount(http, account());
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

  it.each<readonly [string, Service, Partial<PolledAccount>, RegExp]>([
    ['a wrong key', {}, wrongKey, /^The service does not know this userName with the first key\. .*"generate"/],
    [
      'a wrong key, with a token',
      { needs: tokens.generate },
      wrongKey,
      /^The service issues no token for this userName/,
    ],
    ['a wrong name', {}, { userName: 'other' }, /know this userName .*\(HTTP 200: username or apikey is invalid\)$/],
    [
      'no token where one is needed',
      { needs: tokens.generate },
      { token: tokens.none },
      /without a token: .*"generate"/,
    ],
    [
      'a wrong fixed token',
      { needs: tokens.generate },
      { token: tokens.static },
      /refuses the token: correct its value/,
    ],
    [
      'a generated token where a fixed one is needed',
      { needs: tokens.static },
      { token: tokens.generate },
      /refuses the token: set token to \{"kind": "none"\}\. \(HTTP 401: token is missing, wrong or expired\)$/,
    ],
    [
      'another path for tokens',
      { needs: tokens.generate },
      { token: { kind: 'generate', path: '/ca_apis/other' } },
      /^The service issued no token\. Check path, .* \(HTTP 404\)$/,
    ],
    [
      'another field for the token',
      { needs: tokens.generate },
      { token: { kind: 'generate', answerField: 'data.token' } },
      /^The service issued no token\. Check path, .* \(HTTP 200\)$/,
    ],
    ['the limit', { requestedBefore: 5 }, {}, /^The five requests of a minute are used up.* Wait for 60 seconds\./],
    ['the limit of tokens', { needs: tokens.generate, tokensBefore: 10 }, {}, /^The ten tokens of an hour are used up/],
    ['an address where nothing listens', {}, { baseUrl: closed }, /^The address cannot be reached\. Check baseUrl/],
    [
      'the same, for a token',
      { needs: tokens.generate },
      { baseUrl: closed },
      /^The address cannot be reached\. Check baseUrl/,
    ],
    ['a service in trouble', { fault: 'error' }, {}, /^The service reports an error\..*\(HTTP 500: internal error\)$/],
    [
      'a web page',
      { answer: 'html' },
      {},
      /^The answer is no JSON, but perhaps a web page\. Check baseUrl\. \(HTTP 200\)$/,
    ],
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account, PolledAccount } from '../../../lib/accounts/accounts.ts';
import { tokenCache } from '../../../lib/service/token-cache.ts';
import { decryptToken, encryptToken } from '../../../lib/service/token-cipher.ts';
import { parseToken, tokenRequest } from '../../../lib/service/token-exchange.ts';
import {
  answer,
  errorAnswer,
  noAnswer,
  type ServiceAnswer,
  scriptedService,
  tokenAnswer,
} from '../../deployment/telephony.ts';
import { polledAccount, sentinelKey, tokenAccount } from '../../fixtures/accounts.ts';
import { anyCharacter, holds } from '../../support/arbitraries.ts';
import { manualClock, memoryAgentTable, recordingTelemetry, unavailable } from '../../support/memory-ports.ts';

const minuteMs = 60_000;
const account = tokenAccount as never as PolledAccount;

/** A table, a clock, and a service that generates token-1, token-2 and so on, unless it has other replies. */
const setUp = ({ token, onCall }: { token?: readonly ServiceAnswer[]; onCall?: (operation: string) => void } = {}) => {
  const time = manualClock('2026-11-20T06:00:00.000Z');
  const table = memoryAgentTable(onCall);
  const telemetry = recordingTelemetry();
  const service = scriptedService(
    { token: token ?? Array.from({ length: 99 }, (_, index) => tokenAnswer(`token-${index + 1}`)) },
    time.clock,
  );
  const ports = { table, service: service.telephony, telemetry, clock: time.clock };
  return {
    ...time,
    table,
    telemetry,
    service,
    ports,
    /** A new process. */
    instance: () => tokenCache(ports),
    requestCount: () => service.requests().length,
  };
};

const gives = (token: string | undefined) => ({ ok: true, value: token });
const fails = (reason: string) => ({ ok: false, problem: expect.objectContaining({ reason }) });
const unsent: ServiceAnswer = { ok: false, problem: { reason: 'connection', isUnsent: true } };

describe('the token of an account', () => {
  it('is undefined where the account needs none', async () => {
    const { instance, requestCount, table } = setUp();

    expect(await instance()(polledAccount as never)).toEqual(gives(undefined));
    expect(requestCount()).toBe(0);
    expect(table.all()).toEqual([]);
  });

  it('is generated once and used for 55 minutes', async () => {
    const { instance, requestCount, advance } = setUp();
    const getToken = instance();

    expect(await getToken(account)).toEqual(gives('token-1'));
    advance(55 * minuteMs - 1);
    expect(await getToken(account)).toEqual(gives('token-1'));
    expect(requestCount()).toBe(1);

    advance(1);
    expect(await getToken(account)).toEqual(gives('token-2'));
    expect(requestCount()).toBe(2);
  });

  it('is shared by all processes through the table', async () => {
    let queries = 0;
    const onCall = (operation: string) => {
      if (operation === 'before query') queries++;
    };
    const { instance, requestCount, advance } = setUp({ onCall });
    const one = instance();
    const other = instance();

    expect(await one(account)).toEqual(gives('token-1'));
    expect(await other(account)).toEqual(gives('token-1'));
    expect(await other(account)).toEqual(gives('token-1'));
    advance(54 * minuteMs);
    expect(await instance()(account)).toEqual(gives('token-1'));
    expect(requestCount()).toBe(1);
    // One by each process: it remembers the token.
    expect(queries).toBe(3);
  });

  it('is another one for another account', async () => {
    const { instance } = setUp();
    const getToken = instance();

    expect(await getToken(account)).toEqual(gives('token-1'));
    expect(await getToken({ ...account, userName: 'other', apiKeys: ['other-key'] })).toEqual(gives('token-2'));
    expect(await getToken(account)).toEqual(gives('token-1'));
  });

  it('is generated anew after a key rotation, which makes the stored one unreadable', async () => {
    const { instance } = setUp();
    const getToken = instance();
    await getToken(account);

    expect(await getToken({ ...account, apiKeys: ['new-key'] })).toEqual(gives('token-2'));
  });
});

describe('a token that the service has rejected', () => {
  it('is replaced once it is five minutes old', async () => {
    const { instance, requestCount, advance } = setUp();
    const getToken = instance();
    await getToken(account);
    advance(5 * minuteMs - 1);
    expect(await getToken(account, 'token-1')).toEqual(fails('unauthorised'));
    expect(requestCount()).toBe(1);

    advance(1);
    expect(await getToken(account, 'token-1')).toEqual(gives('token-2'));
    expect(await getToken(account)).toEqual(gives('token-2'));
    expect(requestCount()).toBe(2);
  });

  it('is replaced by the one that another process has generated meanwhile', async () => {
    const { instance, requestCount, advance } = setUp();
    const one = instance();
    const other = instance();
    await one(account);
    await other(account);
    advance(10 * minuteMs);
    await one(account, 'token-1');

    expect(await other(account, 'token-1')).toEqual(gives('token-2'));
    expect(requestCount()).toBe(2);
  });
});

describe('the limit of ten tokens an hour', () => {
  it('holds in any hour, if every token is rejected and every other request comes from a new process', async () => {
    const { instance, advance, now, requestCount } = setUp();
    const sentAt: number[] = [];
    const problems: unknown[] = [];
    let getToken = instance();
    let token: string | undefined;
    for (let minute = 0; minute < 300; minute++) {
      const before = requestCount();
      const result = await getToken(account, token);
      if (requestCount() > before) sentAt.push(now());
      if (result.ok) token = result.value;
      else problems.push(result.problem);
      if (minute % 2 === 0) getToken = instance();
      advance(minuteMs);
    }

    for (const from of sentAt)
      expect(sentAt.filter((one) => one >= from && one <= from + 60 * minuteMs).length).toBeLessThanOrEqual(10);
    expect(sentAt.length).toBeGreaterThan(40);
    expect(problems).toContainEqual({ reason: 'token-limit', isOfToken: true });
  });

  it.each([
    ['brought no token', answer('', 404), 'no-token'],
    ['got no answer in time', noAnswer('timeout'), 'timeout'],
    ['broke off', noAnswer('connection'), 'connection'],
    ['met a fault of the service', answer('', 500), 'http-error'],
  ])(
    'counts requests that %s, and names that as the reason when they have used up the limit',
    async (_, answer, reason) => {
      const { instance, requestCount, advance } = setUp({ token: [answer] });

      for (let second = 0; second < 10; second++) {
        expect(await instance()(account)).toEqual(fails(reason));
        advance(1_000);
      }
      // The first request was at 06:00:00.
      for (const [ms, requests] of [
        [0, 10],
        [60 * minuteMs - 10_000, 10],
        [1, 11],
      ] as const) {
        advance(ms);
        expect(await instance()(account)).toEqual(fails(reason));
        expect(requestCount()).toBe(requests);
      }
    },
  );

  it('spends nothing of the limit without a connection', async () => {
    const sent = answer('', 404);
    const { instance, requestCount } = setUp({ token: [...Array(9).fill(sent), ...Array(10).fill(unsent), sent] });
    for (let attempt = 0; attempt < 30; attempt++) expect(await instance()(account)).toMatchObject({ ok: false });

    expect(requestCount()).toBe(20);
  });

  it('counts a request under way until the end of its run, and then from its answer', async () => {
    const requests: unknown[] = [];
    const setting = setUp({
      token: [answer('', 500), tokenAnswer('token-2')],
      onCall: (operation) => {
        if (operation !== 'after write') return;
        requests.push(setting.table.all()[0]?.['requests']);
        if (requests.length % 2 === 1) setting.advance(700);
      },
    });
    const noted = ['06:00:13.000', '06:00:00.700', '06:01:13.700', '06:01:01.400'].map((time) =>
      Date.parse(`2026-11-20T${time}Z`),
    );
    await setting.instance()(account);
    setting.advance(minuteMs);
    await setting.instance()(account);

    expect(requests).toEqual([[noted[0]], [noted[1]], [noted[1], noted[2]], [noted[1], noted[3]]]);
    // The token's age counts from its request, not from its arrival.
    expect(setting.table.all()[0]).toMatchObject({ issuedAt: '2026-11-20T06:01:00.700Z' });
  });

  it('counts the request of an aborted run', async () => {
    let writes = 0;
    const onCall = (operation: string) => {
      if (operation === 'before write' && ++writes % 2 === 0) throw new Error('aborted');
    };
    const { instance, requestCount, advance } = setUp({ onCall });
    for (let run = 0; run < 12; run++) {
      await instance()(account);
      advance(minuteMs);
    }

    expect(requestCount()).toBe(10);
  });
});

describe('a token exchange that fails', () => {
  it('sends nothing where another run has noted a request meanwhile', async () => {
    let isOther = false;
    const { instance, requestCount, ports } = setUp({
      onCall: (operation) => {
        if (operation !== 'after query' || isOther) return;
        isOther = true;
        ports.table.write({ pk: 'demo#token', sk: 'token', account: 'demo', kind: 'token', requests: [], version: 1 });
      },
    });

    expect(await instance()(account)).toEqual(fails('no-token'));
    expect(requestCount()).toBe(0);
  });

  it.each(['query', 'write'] as const)('sends nothing where the table is down for a %s', async (operation) => {
    const { instance, requestCount, ports } = setUp();
    const getToken = tokenCache({ ...ports, table: { ...ports.table, [operation]: unavailable } });

    await expect(getToken(account)).rejects.toThrow();
    expect(requestCount()).toBe(0);
    expect(await instance()(account)).toEqual(gives('token-1'));
  });

  it('uses a token that cannot be shared, and reports the fault', async () => {
    let writes = 0;
    const { instance, telemetry, requestCount } = setUp({
      onCall: (operation) => {
        if (operation === 'before write' && ++writes === 2) throw new Error('down');
      },
    });
    const getToken = instance();

    expect(await getToken(account)).toEqual(gives('token-1'));
    expect(telemetry.places()).toEqual(['agent-store']);
    expect(await getToken(account)).toEqual(gives('token-1'));
    expect(requestCount()).toBe(1);
    expect(await instance()(account)).toEqual(gives('token-2'));
  });

  it('sends nothing, and leaves the row, where something else wrote it', async () => {
    const { instance, table, requestCount } = setUp();
    await table.put([{ pk: 'demo#token', sk: 'token', kind: 'token' }]);
    const before = table.all();

    expect(await instance()(account)).toEqual(fails('no-token'));
    expect(requestCount()).toBe(0);
    expect(table.all()).toEqual(before);
  });
});

it('the token’s row expires two days after the last request, and so after every request that counts', async () => {
  const { instance, table, clock } = setUp();
  await instance()(account);

  expect(table.all()).toMatchObject([{ kind: 'token', expiresAt: clock().getTime() / 1000 + 2 * 86_400 }]);
});

const key = 'the-account-key';
const token = 'eyJhbGciOiJIUzI1NiJ9.token.of-some-length';
const nonceOf = (encrypted: string) => Buffer.from(encrypted, 'base64url').subarray(0, 12).toString('hex');

const tokens = fc.string({ minLength: 1, unit: anyCharacter });

describe('an encrypted token', () => {
  it('is decrypted with the same key', () => {
    holds(
      fc.property(tokens, fc.string({ minLength: 1 }), (text, apiKey) => {
        expect(decryptToken(encryptToken(text, apiKey), apiKey)).toBe(text);
      }),
      50,
    );
  });

  it.each(['another-key', 'the-account-key ', 'THE-ACCOUNT-KEY', ''])('is not decrypted with the key "%s"', (other) => {
    expect(decryptToken(encryptToken(token, key), other)).toBeUndefined();
  });

  it('shows neither token nor key', () => {
    const encrypted = encryptToken(token, key);

    for (const text of [encrypted, Buffer.from(encrypted, 'base64url').toString('latin1')]) {
      expect(text).not.toContain(token.slice(0, 8));
      expect(text).not.toContain(key);
    }
  });

  it('is rejected once any bit of it is changed', () => {
    const bytes = Buffer.from(encryptToken(token, key), 'base64url');

    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decryptToken(damaged.toString('base64url'), key)).toBeUndefined();
    }
  });

  it('is rejected once it or its authentication tag, which would be easier to forge, is shorter, or it is longer', () => {
    const bytes = Buffer.from(encryptToken(token, key), 'base64url');
    const nothing = Buffer.from(encryptToken('', key), 'base64url');
    const cut = (from: Buffer, length: number) => from.subarray(0, length).toString('base64url');

    for (const length of [0, 1, 11, 12, 20, 27, 28, bytes.length - 1])
      expect(decryptToken(cut(bytes, length), key)).toBeUndefined();
    expect(decryptToken(nothing.toString('base64url'), key)).toBe('');
    for (const length of [16, 20, 27]) expect(decryptToken(cut(nothing, length), key)).toBeUndefined();
    expect(decryptToken(Buffer.concat([bytes, Buffer.of(0)]).toString('base64url'), key)).toBeUndefined();
    expect(decryptToken('not base64 at all!', key)).toBeUndefined();
  });

  it('never uses a nonce for two texts with the same key', () => {
    holds(
      fc.property(fc.uniqueArray(tokens, { minLength: 2, maxLength: 10 }), (several) => {
        const encrypted = several.map((one) => encryptToken(one, key));

        expect(new Set(encrypted.map(nonceOf)).size).toBe(several.length);
        expect(several.map((one) => encryptToken(one, key))).toEqual(encrypted);
      }),
      50,
    );
  });

  it('uses another nonce with another key', () => {
    expect(nonceOf(encryptToken(token, 'key-1'))).not.toBe(nonceOf(encryptToken(token, 'key-2')));
  });
});

const accountWith = (policy: Partial<Extract<Account['token'], { kind: 'generate' }>> = {}): PolledAccount =>
  ({ ...tokenAccount, token: { kind: 'generate', ...policy } }) as never;

const parsed = (answer: ServiceAnswer, policy = {}) => {
  const token = answer.ok ? parseToken(accountWith(policy), answer.value) : answer;
  return token.ok ? token.value : { failed: token.problem.reason };
};

describe('tokenRequest', () => {
  const documented = { url: 'https://service.invalid/ca_apis/CAToken/generateToken', headers: { apiKey: sentinelKey } };

  it.each<[string, object, object]>([
    ['as documented', {}, {}],
    ['as documented where a setting is undefined', { path: undefined, header: undefined }, {}],
    ['to the configured path', { path: '/auth/token' }, { url: 'https://service.invalid/auth/token' }],
    ['to one without a slash', { path: 'auth/token' }, { url: 'https://service.invalid/auth/token' }],
    ['with its key in that header alone', { header: 'X-Api-Key' }, { headers: { 'X-Api-Key': sentinelKey } }],
  ])('is sent %s', (_how, policy, different) => {
    expect(tokenRequest(accountWith(policy))).toEqual({ ...documented, body: '{"userName":"demo"}', ...different });
  });
});

describe('parseToken', () => {
  it.each<[string, ServiceAnswer, object, string]>([
    ['in the documented form', tokenAnswer('abc'), {}, 'abc'],
    ['with status 201', answer({ token: 'abc' }, 201), {}, 'abc'],
    ['beside a status', answer({ status: 'success', token: 'abc' }), {}, 'abc'],
    ['in the configured field', answer({ access_token: 'abc' }), { answerField: 'access_token' }, 'abc'],
    ['in a nested field', answer({ data: { token: 'abc' } }), { answerField: 'data.token' }, 'abc'],
    ['deep in', answer({ a: { b: { c: 'abc' } } }), { answerField: 'a.b.c' }, 'abc'],
    ['in the message', answer({ status: 'success', message: 'a-token-b' }), { answerField: 'message' }, 'a-token-b'],
    ['of digits sent as a number', answer('{"token":98765432109876543210}'), {}, '98765432109876543210'],
    ['of the maximum length', tokenAnswer('x'.repeat(8_000)), {}, 'x'.repeat(8_000)],
  ])('finds the token %s', (_title, answer, policy, token) => {
    expect(parsed(answer, policy)).toBe(token);
  });

  it.each<[string, ServiceAnswer, string]>([
    ['429', answer('', 429), 'token-limit'],
    ['401', answer({ status: 'false' }, 401), 'unauthorised'],
    ['wrong credentials with status 200', errorAnswer('userName or apiKey is Invalid'), 'unauthorised'],
    ['an unknown error', errorAnswer('Internal Server Error'), 'unknown-error'],
    ['a message about a token under another name', answer({ status: 'success', message: 'Generated' }), 'no-token'],
    ['an empty user name with status 200', errorAnswer('userName should not be empty'), 'no-token'],
    ['404', answer('Not Found', 404), 'no-token'],
    ['500', answer('', 500), 'http-error'],
    ['500 with a token', answer({ token: 'abc' }, 500), 'http-error'],
    ['a page', answer('<html>'), 'no-token'],
    ['truncated JSON', answer('{"token":"ab'), 'no-token'],
    ['a list', answer([{ token: 'abc' }]), 'no-token'],
    ['no field', answer({}), 'no-token'],
    ['another field', answer({ accessToken: 'abc' }), 'no-token'],
    ['null', tokenAnswer(null), 'no-token'],
    ['an object', tokenAnswer({ value: 'abc' }), 'no-token'],
    ['an empty text', tokenAnswer(''), 'no-token'],
    ['a text with a space', tokenAnswer('a b'), 'no-token'],
    ['a text with a line break', tokenAnswer('a\r\nX-Admin: 1'), 'no-token'],
    ['a text beyond ASCII', tokenAnswer('ключ'), 'no-token'],
    ['a text over the maximum length', tokenAnswer('x'.repeat(8_001)), 'no-token'],
  ])('has a reason why there is no token: %s', (_title, answer, failed) => {
    expect(parsed(answer)).toEqual({ failed });
  });

  it.each([
    ['token-limit', 429],
    ['unauthorised', 401],
    ['http-error', 503],
  ])('returns Retry-After: %s', (reason, status) => {
    const answer = { status, text: '', retryAfterSeconds: 120 };
    expect(parseToken(accountWith(), answer)).toEqual({ ok: false, problem: { reason, retryAfterSeconds: 120 } });
  });

  it.each(['constructor', 'toString', 'data.constructor.name', 'data..token', '.token'])(
    'finds nothing under "%s", which was not sent',
    (answerField) => {
      expect(parsed(answer({ token: 'abc', data: { token: 'abc' } }), { answerField })).toEqual({ failed: 'no-token' });
    },
  );
});

import { describe, expect, it } from 'vitest';
import type { Account, PolledAccount } from '../../../../lib/accounts/accounts.ts';
import { parseToken, tokenRequest } from '../../../../lib/telephony/service/token-exchange.ts';
import { sentinelKey, tokenAccount } from '../../../fixtures/accounts.ts';
import { errorText, type Reply, reply, tokenReply } from '../../../support/agent-polling.ts';

const accountWith = (policy: Partial<Extract<Account['token'], { kind: 'generate' }>> = {}): PolledAccount =>
  ({ ...tokenAccount, token: { kind: 'generate', ...policy } }) as never;

const parsed = (answer: Reply, policy = {}) => {
  const token = answer.ok ? parseToken(accountWith(policy), answer.value) : answer;
  return token.ok ? token.value : { failed: token.problem.reason };
};

describe('tokenRequest', () => {
  it('has the form of the service’s documentation', () => {
    expect(tokenRequest(accountWith())).toEqual({
      url: 'https://service.invalid/ca_apis/CAToken/generateToken',
      headers: { apiKey: sentinelKey },
      body: '{"userName":"demo"}',
    });
  });

  it.each([
    ['with a slash', '/auth/token'],
    ['without a slash', 'auth/token'],
  ])('goes to the configured path: %s', (_title, path) => {
    expect(tokenRequest(accountWith({ path })).url).toBe('https://service.invalid/auth/token');
  });

  it('has the key in the configured header, and in no other', () => {
    expect(tokenRequest(accountWith({ header: 'X-Api-Key' })).headers).toEqual({ 'X-Api-Key': sentinelKey });
  });

  it('has the documented values where a setting is undefined', () => {
    expect(tokenRequest(accountWith({ path: undefined, header: undefined }))).toEqual(tokenRequest(accountWith()));
  });
});

describe('parseToken', () => {
  it.each<[string, Reply, object, string]>([
    ['in the documented form', tokenReply('abc'), {}, 'abc'],
    ['with status 201', reply({ token: 'abc' }, 201), {}, 'abc'],
    ['beside a status', reply({ status: 'success', token: 'abc' }), {}, 'abc'],
    ['in the configured field', reply({ access_token: 'abc' }), { answerField: 'access_token' }, 'abc'],
    ['in a nested field', reply({ data: { token: 'abc' } }), { answerField: 'data.token' }, 'abc'],
    ['deep in', reply({ a: { b: { c: 'abc' } } }), { answerField: 'a.b.c' }, 'abc'],
    ['in the message', reply({ status: 'success', message: 'a-token-b' }), { answerField: 'message' }, 'a-token-b'],
    ['of digits sent as a number', reply('{"token":98765432109876543210}'), {}, '98765432109876543210'],
    ['of the maximum length', tokenReply('x'.repeat(8_000)), {}, 'x'.repeat(8_000)],
  ])('finds the token %s', (_title, answer, policy, token) => {
    expect(parsed(answer, policy)).toBe(token);
  });

  it.each<[string, Reply, string]>([
    ['429', reply('', 429), 'token-limit'],
    ['the rate limit with status 200', errorText('Max limit exceeded'), 'token-limit'],
    ['401', reply({ status: 'false' }, 401), 'unauthorised'],
    ['403', reply('', 403), 'unauthorised'],
    ['wrong credentials with status 200', errorText('userName or apiKey is Invalid'), 'unauthorised'],
    ['an empty user name with status 200', errorText('userName should not be empty'), 'no-token'],
    ['404', reply('Not Found', 404), 'no-token'],
    ['500', reply('', 500), 'http-error'],
    ['500 with a token', reply({ token: 'abc' }, 500), 'http-error'],
    ['a page', reply('<html>'), 'no-token'],
    ['truncated JSON', reply('{"token":"ab'), 'no-token'],
    ['a list', reply([{ token: 'abc' }]), 'no-token'],
    ['no field', reply({}), 'no-token'],
    ['another field', reply({ accessToken: 'abc' }), 'no-token'],
    ['null', tokenReply(null), 'no-token'],
    ['an object', tokenReply({ value: 'abc' }), 'no-token'],
    ['an empty text', tokenReply(''), 'no-token'],
    ['a text with a space', tokenReply('a b'), 'no-token'],
    ['a text with a line break', tokenReply('a\r\nX-Admin: 1'), 'no-token'],
    ['a text beyond ASCII', tokenReply('ключ'), 'no-token'],
    ['a text over the maximum length', tokenReply('x'.repeat(8_001)), 'no-token'],
  ])('has a reason why there is no token: %s', (_title, answer, failed) => {
    expect(parsed(answer)).toEqual({ failed });
  });

  it.each([
    ['token-limit', 429],
    ['unauthorised', 401],
    ['http-error', 503],
  ])('returns Retry-After: %s', (reason, status) => {
    expect(parseToken(accountWith(), { status, text: '', retryAfterSeconds: 120 })).toEqual({
      ok: false,
      problem: { reason, retryAfterSeconds: 120 },
    });
  });

  it.each(['constructor', 'toString', 'data.constructor.name', 'data..token', '.token'])(
    'finds nothing under "%s", which was not sent',
    (answerField) => {
      expect(parsed(reply({ token: 'abc', data: { token: 'abc' } }), { answerField })).toEqual({ failed: 'no-token' });
    },
  );
});

import { describe, expect, it } from 'vitest';
import type { Account, PolledAccount } from '../../../../lib/accounts/accounts.ts';
import { parseToken, tokenRequest } from '../../../../lib/telephony/service/token-exchange.ts';
import { answer, errorAnswer, type ServiceAnswer, tokenAnswer } from '../../../deployment/telephony.ts';
import { sentinelKey, tokenAccount } from '../../../fixtures/accounts.ts';

const accountWith = (policy: Partial<Extract<Account['token'], { kind: 'generate' }>> = {}): PolledAccount =>
  ({ ...tokenAccount, token: { kind: 'generate', ...policy } }) as never;

const parsed = (answer: ServiceAnswer, policy = {}) => {
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
    ['the rate limit with status 200', errorAnswer('Max limit exceeded'), 'token-limit'],
    ['401', answer({ status: 'false' }, 401), 'unauthorised'],
    ['403', answer('', 403), 'unauthorised'],
    ['wrong credentials with status 200', errorAnswer('userName or apiKey is Invalid'), 'unauthorised'],
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
    expect(parseToken(accountWith(), { status, text: '', retryAfterSeconds: 120 })).toEqual({
      ok: false,
      problem: { reason, retryAfterSeconds: 120 },
    });
  });

  it.each(['constructor', 'toString', 'data.constructor.name', 'data..token', '.token'])(
    'finds nothing under "%s", which was not sent',
    (answerField) => {
      expect(parsed(answer({ token: 'abc', data: { token: 'abc' } }), { answerField })).toEqual({ failed: 'no-token' });
    },
  );
});

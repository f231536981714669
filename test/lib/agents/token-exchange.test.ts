import { describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/accounts.ts';
import type { PolledAccount } from '../../../lib/agents/get-agent-logins.ts';
import { parseToken, tokenRequest } from '../../../lib/agents/token-exchange.ts';
import { sentinelKey, tokenAccount } from '../../fixtures/accounts.ts';
import { errorText, type Reply, reply, tokenReply } from '../../support/agent-polling.ts';

const accountWith = (policy: Partial<Extract<Account['token'], { kind: 'generate' }>> = {}): PolledAccount =>
  ({ ...tokenAccount, token: { kind: 'generate', ...policy } }) as never;

const read = (answer: Reply, policy = {}) => {
  const token = answer.ok ? parseToken(accountWith(policy), answer.value) : answer;
  return token.ok ? token.value : { failed: token.problem.reason };
};

describe('tokenRequest', () => {
  it('asks as the service’s public documentation has it', () => {
    expect(tokenRequest(accountWith())).toEqual({
      url: 'https://service.invalid/ca_apis/CAToken/generateToken',
      headers: { apiKey: sentinelKey },
      body: '{"userName":"demo"}',
    });
  });

  it.each([
    ['with a slash', '/auth/token'],
    ['without', 'auth/token'],
  ])('asks at the configured path: %s', (_title, path) => {
    expect(tokenRequest(accountWith({ path })).url).toBe('https://service.invalid/auth/token');
  });

  it('sends the key in the configured header, and in no other', () => {
    expect(tokenRequest(accountWith({ header: 'X-Api-Key' })).headers).toEqual({ 'X-Api-Key': sentinelKey });
  });

  it('falls back on what is documented where a setting is undefined', () => {
    expect(tokenRequest(accountWith({ path: undefined, header: undefined }))).toEqual(tokenRequest(accountWith()));
  });
});

describe('readToken', () => {
  it.each<[string, Reply, object, string]>([
    ['as it is documented', tokenReply('abc'), {}, 'abc'],
    ['with status 201', reply({ token: 'abc' }, 201), {}, 'abc'],
    ['beside a status', reply({ status: 'success', token: 'abc' }), {}, 'abc'],
    [
      'beside a message',
      reply({ status: 'success', message: 'Token generated successfully', token: 'abc' }),
      {},
      'abc',
    ],
    ['in the configured field', reply({ access_token: 'abc' }), { answerField: 'access_token' }, 'abc'],
    ['in a nested field', reply({ data: { token: 'abc' } }), { answerField: 'data.token' }, 'abc'],
    ['deep in', reply({ a: { b: { c: 'abc' } } }), { answerField: 'a.b.c' }, 'abc'],
    ['in the message', reply({ status: 'success', message: 'a-token-b' }), { answerField: 'message' }, 'a-token-b'],
    ['of digits that are sent as a number', reply('{"token":98765432109876543210}'), {}, '98765432109876543210'],
    ['as long as a server takes', tokenReply('x'.repeat(8_000)), {}, 'x'.repeat(8_000)],
  ])('finds the token %s', (_title, answer, policy, token) => {
    expect(read(answer, policy)).toBe(token);
  });

  it.each<[string, Reply, string]>([
    ['429', reply('', 429), 'token-limit'],
    ['the limit told with 200', errorText('Max limit exceeded'), 'token-limit'],
    ['the limit told with 200 and no JSON', reply('Too many requests'), 'token-limit'],
    ['401', reply({ status: 'false' }, 401), 'unauthorised'],
    ['403', reply('', 403), 'unauthorised'],
    ['wrong credentials told with 200', errorText('userName or apiKey is Invalid'), 'unauthorised'],
    ['an empty user name told with 200', errorText('userName should not be empty'), 'no-token'],
    ['an invalid key told with 200', errorText('Invalid API key'), 'unauthorised'],
    ['something else that is invalid', errorText('Invalid request'), 'no-token'],
    ['a word about a token', errorText('Token service is busy'), 'no-token'],
    ['404', reply('Not Found', 404), 'no-token'],
    ['405 without JSON', reply('Method Not Allowed', 405), 'no-token'],
    ['500', reply('', 500), 'no-token'],
    ['500 with a token', reply({ token: 'abc' }, 500), 'no-token'],
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
    ['a text longer than a server takes', tokenReply('x'.repeat(8_001)), 'no-token'],
  ])('says why there is none: %s', (_title, answer, failed) => {
    expect(read(answer)).toEqual({ failed });
  });

  it.each([
    ['token-limit', 429],
    ['unauthorised', 401],
    ['no-token', 503],
  ])('says for how long the service asks to be left alone: %s', (reason, status) => {
    expect(parseToken(accountWith(), { status, text: '', retryAfterSeconds: 120 })).toEqual({
      ok: false,
      problem: { reason, retryAfterSeconds: 120 },
    });
  });

  it.each(['constructor', 'toString', 'data.constructor.name', 'data..token', '.token'])(
    'finds nothing under "%s", which nobody sent',
    (answerField) => {
      expect(read(reply({ token: 'abc', data: { token: 'abc' } }), { answerField })).toEqual({ failed: 'no-token' });
    },
  );
});

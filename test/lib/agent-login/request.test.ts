import { describe, expect, it } from 'vitest';
import { isPolled, loginsRequest } from '../../../lib/agent-login/request.ts';
import { demoAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { polledAccount } from '../../fixtures/agents.ts';

const polled = polledAccount as never;

describe('loginsRequest', () => {
  it('asks as the specification has it, with the first live key', () => {
    expect(loginsRequest(polled, 'the-token')).toEqual({
      url: 'https://service.invalid/ca_apis/getAgentLogins',
      headers: { apiKey: sentinelKey, Authorization: 'Bearer the-token' },
      body: '{"userName":"demo"}',
    });
  });

  it.each([
    ['abc', 'Bearer abc'],
    ['Bearer abc', 'Bearer abc'],
    ['bearer abc', 'bearer abc'],
    ['Bearerabc', 'Bearer Bearerabc'],
    ['my bearer abc', 'Bearer my bearer abc'],
  ])('sends the token %s with its scheme once', (token, authorization) => {
    expect(loginsRequest(polled, token).headers['Authorization']).toBe(authorization);
  });

  it('sends no bearer where the account needs no token', () => {
    expect(loginsRequest(polled, undefined).headers).toEqual({ apiKey: sentinelKey });
  });

  it.each(['https://service.invalid/', 'https://service.invalid//'])(
    'takes the address %s with slashes at its end',
    (baseUrl) => {
      expect(loginsRequest({ ...polledAccount, baseUrl } as never, undefined).url).toBe(
        'https://service.invalid/ca_apis/getAgentLogins',
      );
    },
  );

  it('takes an address with a path', () => {
    expect(loginsRequest({ ...polledAccount, baseUrl: 'https://service.invalid/in/' } as never, undefined).url).toBe(
      'https://service.invalid/in/ca_apis/getAgentLogins',
    );
  });

  it('escapes what a user name may hold', () => {
    const { body } = loginsRequest({ ...polledAccount, userName: 'a "b"\n' } as never, undefined);

    expect(JSON.parse(body)).toEqual({ userName: 'a "b"\n' });
  });
});

describe('isPolled', () => {
  it('says whether the account has an address to poll', () => {
    expect(isPolled(polled)).toBe(true);
    expect(isPolled(demoAccount as never)).toBe(false);
  });
});

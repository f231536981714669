import { describe, expect, it } from 'vitest';
import { isPolled, type PolledAccount } from '../../../lib/accounts/accounts.ts';
import { getAgentLogins, loginsRequest } from '../../../lib/agents/get-agent-logins.ts';
import { ok } from '../../../lib/core/result.ts';
import { demoAccount, polledAccount, sentinelKey, sentinelToken, tokenAccount } from '../../fixtures/accounts.ts';
import {
  errorText,
  kolkataAccount,
  noReply,
  pollRun,
  type Reply,
  reply,
  slotMs,
  threeAgents,
  tokenReply,
} from '../../support/agent-polling.ts';

const polled = polledAccount as never;

describe('loginsRequest', () => {
  it('has the form of the specification, with the first live key', () => {
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
  ])('has the token %s with its scheme once', (token, authorization) => {
    expect(loginsRequest(polled, token).headers['Authorization']).toBe(authorization);
  });

  it('has no bearer token where the account needs none', () => {
    expect(loginsRequest(polled, undefined).headers).toEqual({ apiKey: sentinelKey });
  });

  it.each([
    ['https://service.invalid/', 'https://service.invalid/ca_apis/getAgentLogins'],
    ['https://service.invalid//', 'https://service.invalid/ca_apis/getAgentLogins'],
    ['https://service.invalid/in/', 'https://service.invalid/in/ca_apis/getAgentLogins'],
  ])('joins the address %s and the path', (baseUrl, url) => {
    expect(loginsRequest({ ...polledAccount, baseUrl } as never, undefined).url).toBe(url);
  });

  it('escapes the user name', () => {
    const { body } = loginsRequest({ ...polledAccount, userName: 'a "b"\n' } as never, undefined);

    expect(JSON.parse(body)).toEqual({ userName: 'a "b"\n' });
  });
});

describe('isPolled', () => {
  it('is true for an account with an address', () => {
    expect(isPolled(polled)).toBe(true);
    expect(isPolled(demoAccount as never)).toBe(false);
  });
});

const account: PolledAccount = { ...kolkataAccount, apiKeys: ['a "key" of the account', 'another-live-key'] };

describe('getAgentLogins', () => {
  const fetched = (text: string, token?: string, changes: Partial<PolledAccount> = {}) =>
    getAgentLogins({ post: async () => ok({ status: 200, text }) }, { ...account, ...changes }, token);

  it('redacts keys and tokens that the service echoes', async () => {
    const message = [
      { AgentId: 'asha', AgentName: `${account.apiKeys.join(' ')} a-bearer-token`, AgentState: 'READY' },
    ];

    expect(await fetched(JSON.stringify({ status: 'success', message }), 'a-bearer-token')).toMatchObject({
      ok: true,
      value: { agents: [{ agentId: 'asha', name: '*** *** ***' }] },
    });
  });

  it.each([
    ['in escapes', 'a-bearer-token', '\\u0061-bearer\\u002Dtoken'],
    ['with the slash escaped', 'a/bearer/token', 'a\\/bearer\\/token'],
    ['without its scheme', 'Bearer a-bearer-token', 'a-bearer-token'],
    ['without its scheme and two spaces', 'bearer  a-bearer-token', 'a-bearer-token'],
  ])('redacts a token that is echoed %s', async (_title, token, echoed) => {
    const text = `{"status":"success","message":[{"AgentId":"asha","AgentName":"x ${echoed}","AgentState":"READY"}]}`;

    expect(await fetched(text, token)).toMatchObject({ ok: true, value: { agents: [{ name: 'x ***' }] } });
  });

  it.each(['', 'another-live-key '])('knows the states that the account’s settings add, after “%s”', async (echoed) => {
    const text = `{"status":"success","message":[{"AgentId":"asha","AgentName":"${echoed}x","AgentState":"Training"}]}`;
    const words = { state: { TRAINING: 'aux' } };

    expect(await fetched(text)).toMatchObject({ value: { agents: [{ state: 'unknown' }] } });
    expect(await fetched(text, undefined, { words })).toMatchObject({
      value: { agents: [{ state: 'aux', stateAsSent: 'Training' }] },
    });
  });

  it('parses an answer whose status is an object with a toString', async () => {
    const text = '{"status":{"toString":"x"},"message":[{"AgentId":"asha","AgentState":"READY"}]}';

    expect(await fetched(text)).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha' }] } });
  });
});

const echo = `apiKey ${sentinelKey} with token ${sentinelToken} is Invalid`;

const scenarios: readonly (readonly [string, readonly Reply[], readonly Reply[]])[] = [
  ['polls that succeed', [tokenReply(sentinelToken)], [threeAgents]],
  ['an error that echoes the request', [tokenReply(sentinelToken)], [threeAgents, errorText(echo), threeAgents]],
  [
    'a rejection that echoes the request',
    [tokenReply(sentinelToken)],
    [threeAgents, reply({ message: echo }, 401), threeAgents],
  ],
  [
    'an answer without JSON that echoes the request',
    [tokenReply(sentinelToken)],
    [threeAgents, reply(echo), reply(`<p>${echo}`)],
  ],
  ['a token exchange that echoes the request', [errorText(echo)], [threeAgents]],
  ['a token that cannot be used', [tokenReply(`${sentinelToken} ${sentinelKey}`)], [threeAgents]],
  ['no connection', [tokenReply(sentinelToken)], [threeAgents, noReply('connection')]],
];

describe('key and token', () => {
  it.each(scenarios)('are in no row, event, metric or reported fault: %s', async (_title, token, logins) => {
    const { poll, advance, table, events, telemetry, service } = pollRun({ account: tokenAccount, token, logins });
    for (let slot = 0; slot < 40; slot++) {
      await poll();
      advance(slotMs * (slot % 10 === 9 ? 40 : 1));
    }
    const output = JSON.stringify([
      table.all(),
      table.changes(),
      events(),
      telemetry.counts,
      telemetry.faults.map(String),
    ]);

    expect(JSON.stringify(service.requests)).toContain(sentinelKey);
    expect(output).not.toContain('SENTINEL');
    for (const secret of [sentinelKey, sentinelToken])
      expect(output).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
  });
});

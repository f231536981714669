import { describe, expect, it } from 'vitest';
import { getAgentLogins, isPolled, loginsRequest, type PolledAccount } from '../../../lib/agents/get-agent-logins.ts';
import { ok } from '../../../lib/core/result.ts';
import {
  demoAccount,
  polledAccount,
  sentinelKey,
  sentinelToken,
  specificationLogins,
  tokenAccount,
} from '../../fixtures/accounts.ts';
import {
  errorText,
  kolkataAccount,
  noReply,
  pollRun,
  type Reply,
  reply,
  success,
  tokenReply,
} from '../../support/agent-polling.ts';

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

const account: PolledAccount = { ...kolkataAccount, apiKeys: ['a "key" of the account', 'another-live-key'] };

describe('ask', () => {
  it('takes no key and no token into what is read, though the service repeats them', async () => {
    const message = [
      { AgentId: 'asha', AgentName: `${account.apiKeys.join(' ')} a-bearer-token`, AgentState: 'READY' },
    ];
    const text = JSON.stringify({ status: 'success', message });

    const seen = await getAgentLogins({ post: async () => ok({ status: 200, text }) }, account, 'a-bearer-token');

    expect(seen).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha', name: '*** *** ***' }] } });
  });

  it.each([
    ['in escapes', 'a-bearer-token', '\\u0061-bearer\\u002Dtoken'],
    ['with the slash escaped', 'a/bearer/token', 'a\\/bearer\\/token'],
    ['without its scheme', 'Bearer a-bearer-token', 'a-bearer-token'],
    ['without its scheme and two spaces', 'bearer  a-bearer-token', 'a-bearer-token'],
  ])('finds a token that is repeated %s', async (_title, token, repeated) => {
    const text = `{"status":"success","message":[{"AgentId":"asha","AgentName":"x ${repeated}","AgentState":"READY"}]}`;

    const seen = await getAgentLogins({ post: async () => ok({ status: 200, text }) }, account, token);

    expect(seen).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha', name: 'x ***' }] } });
  });

  it('reads an answer whose status is an object with a toString', async () => {
    const text = '{"status":{"toString":"x"},"message":[{"AgentId":"asha","AgentState":"READY"}]}';

    const seen = await getAgentLogins({ post: async () => ok({ status: 200, text }) }, account, undefined);

    expect(seen).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha' }] } });
  });
});

const floor = success(specificationLogins);
const echo = `apiKey ${sentinelKey} with token ${sentinelToken} is Invalid`;

const scenarios: readonly (readonly [string, readonly Reply[], readonly Reply[]])[] = [
  ['polls that succeed', [tokenReply(sentinelToken)], [floor]],
  ['an error that repeats what was sent', [tokenReply(sentinelToken)], [floor, errorText(echo), floor]],
  ['a refusal that repeats what was sent', [tokenReply(sentinelToken)], [floor, reply({ message: echo }, 401), floor]],
  [
    'an answer that is no JSON and repeats what was sent',
    [tokenReply(sentinelToken)],
    [floor, reply(echo), reply(`<p>${echo}`)],
  ],
  ['an exchange of tokens that repeats what was sent', [errorText(echo)], [floor]],
  ['a token that cannot be used', [tokenReply(`${sentinelToken} ${sentinelKey}`)], [floor]],
  ['no connection', [tokenReply(sentinelToken)], [floor, noReply('connection')]],
];

describe('key and token', () => {
  it.each(scenarios)(
    'are in no row, event or metric, and in no fault that is told: %s',
    async (_title, token, logins) => {
      const { poll, advance, table, events, telemetry, service } = pollRun({ account: tokenAccount, token, logins });
      for (let slot = 0; slot < 40; slot++) {
        await poll();
        advance(15_000 * (slot % 10 === 9 ? 40 : 1));
      }
      const told = JSON.stringify([
        table.all(),
        table.changes(),
        events(),
        telemetry.counts,
        telemetry.faults.map(String),
      ]);

      expect(JSON.stringify(service.requests)).toContain(sentinelKey);
      expect(told).not.toContain('SENTINEL');
      for (const secret of [sentinelKey, sentinelToken])
        expect(told).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
    },
  );
});

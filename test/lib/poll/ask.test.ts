import { describe, expect, it } from 'vitest';
import type { PolledAccount } from '../../../lib/agent-login/request.ts';
import { ask } from '../../../lib/poll/ask.ts';
import { ok } from '../../../lib/result.ts';
import { polledAccount } from '../support/polled-floor.ts';

const account: PolledAccount = { ...polledAccount, apiKeys: ['a "key" of the account', 'another-live-key'] };

describe('ask', () => {
  it('takes no key and no token into what is read, though the service repeats them', async () => {
    const message = [
      { AgentId: 'asha', AgentName: `${account.apiKeys.join(' ')} a-bearer-token`, AgentState: 'READY' },
    ];
    const text = JSON.stringify({ status: 'success', message });

    const seen = await ask({ post: async () => ok({ status: 200, text }) }, account, 'a-bearer-token');

    expect(seen).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha', name: '*** *** ***' }] } });
  });

  it.each([
    ['in escapes', 'a-bearer-token', '\\u0061-bearer\\u002Dtoken'],
    ['with the slash escaped', 'a/bearer/token', 'a\\/bearer\\/token'],
    ['without its scheme', 'Bearer a-bearer-token', 'a-bearer-token'],
    ['without its scheme and two spaces', 'bearer  a-bearer-token', 'a-bearer-token'],
  ])('finds a token that is repeated %s', async (_title, token, repeated) => {
    const text = `{"status":"success","message":[{"AgentId":"asha","AgentName":"x ${repeated}","AgentState":"READY"}]}`;

    const seen = await ask({ post: async () => ok({ status: 200, text }) }, account, token);

    expect(seen).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha', name: 'x ***' }] } });
  });

  it('reads an answer whose status is an object with a toString', async () => {
    const text = '{"status":{"toString":"x"},"message":[{"AgentId":"asha","AgentState":"READY"}]}';

    const seen = await ask({ post: async () => ok({ status: 200, text }) }, account, undefined);

    expect(seen).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha' }] } });
  });
});

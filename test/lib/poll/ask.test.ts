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
});

import { describe, expect, it } from 'vitest';
import { sentinelKey } from '../../fixtures/accounts.ts';
import { polledAccount, specificationLogins, tokenAccount } from '../../fixtures/agents.ts';
import { pollRun } from '../support/poll-run.ts';
import { errorText, reply, success, tokenReply } from '../support/scripted-service.ts';

const floor = success(specificationLogins);
const minuteMs = 60_000;
const expired = reply({ status: 'false', message: 'Token is missing, wrong or expired' }, 401);

/** How accounts of the service are let in, and what its tokens are like. */
describe('an account of the service', () => {
  it.each([
    ['with the key only', polledAccount, [], { apiKey: sentinelKey }],
    ['with key and token', tokenAccount, [tokenReply('abc')], { apiKey: sentinelKey, Authorization: 'Bearer abc' }],
  ])('is polled as it is set there: %s', async (_title, account, token, headers) => {
    const { poll, service, feed } = pollRun({ account, token, logins: [floor] });
    await poll();

    expect(service.requests.at(-1)).toMatchObject({ url: 'https://service.invalid/ca_apis/getAgentLogins', headers });
    expect(Object.keys(service.requests.at(-1)?.headers ?? {})).toEqual(Object.keys(headers));
    expect(feed()).toMatchObject({ status: 'live', agentCount: 3 });
  });

  it.each([
    ['told with 401', expired],
    ['told with 200', errorText('userName or apiKey is Invalid')],
  ])(
    'is left alone for a while where the setting is wrong, which fails like wrong credentials: %s',
    async (_title, answer) => {
      const { poll, service, feed, advance } = pollRun({ logins: [answer] });
      for (let slot = 0; slot < 4; slot++) {
        await poll();
        advance(15_000);
      }

      expect(service.requests).toHaveLength(1);
      expect(feed()).toMatchObject({ lastProblem: { reason: 'unauthorised' }, status: 'interrupted' });
    },
  );

  it('has its token generated as the public documentation says', async () => {
    const { poll, service } = pollRun({ account: tokenAccount, token: [tokenReply('abc')], logins: [floor] });
    await poll();

    expect(service.requests[0]).toEqual({
      url: 'https://service.invalid/ca_apis/CAToken/generateToken',
      headers: { apiKey: sentinelKey },
      body: '{"userName":"demo"}',
    });
  });

  it('is asked for a new token before the old one’s 60 minutes are over, and never once a poll', async () => {
    const { poll, service, advance } = pollRun({ account: tokenAccount, token: [tokenReply('abc')], logins: [floor] });
    for (let slot = 0; slot < 4 * 59; slot++) {
      await poll();
      advance(15_000);
    }

    expect(service.operations().filter((operation) => operation === 'token')).toHaveLength(2);
  });

  it('goes on with another token after 401, which is how an expired one is told', async () => {
    const { poll, advance, feed, service } = pollRun({
      account: tokenAccount,
      token: [tokenReply('old'), tokenReply('new')],
      logins: [floor, expired, floor],
    });
    await poll();
    advance(30 * minuteMs);
    await poll();

    expect(service.requests.at(-1)?.headers).toMatchObject({ Authorization: 'Bearer new' });
    expect(feed()).toMatchObject({ status: 'live', asOf: '2026-11-20T06:30:01.000Z' });
  });
});

import { describe, expect, it } from 'vitest';
import { account } from '../support/calls.ts';
import { startService } from '../support/service.ts';

const asha = {
  action: 'log-in',
  agentId: 'asha',
  name: 'Asha Rao',
  phoneNumber: '441632960001',
  skills: ['Sales', 'Billing'],
};
const bodyOf = (value: unknown) => ({ body: JSON.stringify(value) });
const error = (message: string) => ({ status: 'error', message });
const other = { userName: 'other', apiKey: 'other-key', timeZone: 'UTC' };

describe('getAgentLogins', () => {
  it('answers records as the specification has them', async () => {
    const service = await startService();
    await service.script([asha]);

    expect(await service.logins()).toMatchObject({
      status: 200,
      json: {
        status: 'success',
        message: [
          {
            AgentId: 'asha',
            AgentName: 'Asha Rao',
            PhoneNumber: '441632960001',
            AgentState: 'READY',
            SkillName: 'Sales, Billing',
          },
        ],
      },
    });
  });

  it('answers an empty list where nobody is logged in', async () => {
    expect((await (await startService()).logins()).json).toEqual({ status: 'success', message: [] });
  });

  it('takes the user name in any letter case, as accounts are told apart without it', async () => {
    const service = await startService();

    expect((await service.logins(undefined, bodyOf({ userName: 'DEMO' }))).json).toMatchObject({ status: 'success' });
  });

  it.each<[string, RequestInit, string]>([
    ['an empty user name', bodyOf({ userName: '' }), 'userName should not be empty'],
    ['no user name', bodyOf({}), 'userName should not be empty'],
    ['a body that is no JSON', { body: 'userName=demo' }, 'userName should not be empty'],
    ['an empty key', { headers: { apiKey: '' } }, 'apiKey should not be empty'],
    ['a wrong key', { headers: { apiKey: 'wrong' } }, 'userName or apiKey is Invalid'],
    ['a wrong user name', bodyOf({ userName: 'wrong' }), 'userName or apiKey is Invalid'],
    ['another account’s user name', bodyOf({ userName: 'other' }), 'userName or apiKey is Invalid'],
  ])('answers %s with the specification’s text, under HTTP 200', async (_what, init, message) => {
    const service = await startService({ furtherAccounts: [other] });

    expect(await service.logins(undefined, init)).toMatchObject({ status: 200, json: error(message) });
  });

  it('answers another method with 405 and no JSON', async () => {
    const { logins } = await startService();

    expect(await logins(undefined, { method: 'GET', body: null })).toEqual({
      status: 405,
      text: 'Method Not Allowed',
      json: undefined,
    });
  });

  it.each([
    [undefined, 200],
    [429, 429],
  ] as const)(
    'refuses the sixth request of a minute, with the limit status %s by HTTP %i',
    async (limitStatus, status) => {
      const service = await startService({ limitStatus });
      for (let request = 0; request < 5; request += 1) expect(await service.logins()).toMatchObject({ status: 200 });

      expect(await service.logins()).toMatchObject({ status, json: error('Max limit exceeded') });
      expect((await service.counts())['demo']).toMatchObject({ requests: 6, offences: 1, mostInAnyMinute: 6 });
      service.pass(61);
      expect((await service.logins()).json).toMatchObject({ status: 'success' });
    },
  );

  it('keeps to its limit over an hour of polls every 15 seconds', async () => {
    const service = await startService();
    for (let poll = 0; poll < 240; poll += 1) {
      expect((await service.logins()).json).toMatchObject({ status: 'success' });
      service.pass(15);
    }

    const { demo } = await service.counts();
    expect(demo).toMatchObject({ requests: 240, offences: 0, mostInAnyMinute: 5 });
    expect(demo?.requestTimes).toHaveLength(240);
  });

  it('counts requests whatever they are answered', async () => {
    const service = await startService();
    await service.logins(undefined, { method: 'GET', body: null });
    await service.logins(undefined, bodyOf({ userName: '' }));
    await service.logins(undefined, { headers: { apiKey: 'wrong' } });

    expect((await service.counts())['demo']).toMatchObject({ requests: 3, mostInAnyMinute: 3 });
  });

  it('keeps accounts apart: each has its keys, its limit and its floor', async () => {
    const service = await startService({ furtherAccounts: [{ ...other, furtherKeys: ['other-key-2'] }] });
    await service.script([asha, { action: 'log-in', account: 'other', agentId: 'otto' }]);
    for (let request = 0; request < 6; request += 1) await service.logins();

    const asOther = { ...bodyOf({ userName: 'other' }), headers: { apiKey: 'other-key-2' } };
    expect((await service.logins(undefined, asOther)).json).toMatchObject({ message: [{ AgentId: 'otto' }] });
    expect(await service.counts()).toMatchObject({
      demo: { requests: 6, offences: 1, agentsLoggedIn: 1 },
      other: { requests: 1, offences: 0, agentsLoggedIn: 1 },
    });
  });

  it('does without a token where the account has none, and ignores one', async () => {
    const { logins } = await startService();

    expect((await logins('Bearer whatever')).json).toMatchObject({ status: 'success' });
  });

  it.each([
    ['Bearer agreed', 200],
    ['agreed', 200],
    ['bearer agreed', 200],
    ['Bearer other', 401],
    ['Bearer ', 401],
    [undefined, 401],
  ])('answers the token %s by HTTP %i where another was agreed on', async (token, status) => {
    const { logins } = await startService({ account: { ...account, token: { kind: 'static', value: 'agreed' } } });

    expect(await logins(token)).toMatchObject({
      status,
      json: { status: status === 200 ? 'success' : 'false', message: expect.anything() },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { account } from '../support/calls.ts';
import { startService } from '../support/service.ts';

const generating = { ...account, token: { kind: 'generate' as const } };
const start = () => startService({ account: generating });
const tokenIn = ({ json }: { readonly json: unknown }) => String((json as { token: unknown }).token);
const hour = 3600;

describe('generateToken', () => {
  it('gives a token that opens getAgentLogins for an hour', async () => {
    const service = await start();
    const token = tokenIn(await service.token());

    expect((await service.logins()).status).toBe(401);
    service.pass(hour - 1);
    expect((await service.logins(`Bearer ${token}`)).status).toBe(200);
    service.pass(1);
    expect(await service.logins(token)).toMatchObject({ status: 401, json: { status: 'false' } });
  });

  it('gives another token each time, and keeps the earlier ones', async () => {
    const service = await start();
    const tokens = [tokenIn(await service.token()), tokenIn(await service.token())];

    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect((await service.logins(token)).status).toBe(200);
  });

  it('refuses the eleventh within any hour, and counts it', async () => {
    const service = await start();
    for (let minutes = 0; minutes < 10; minutes += 1) {
      expect(tokenIn(await service.token())).toMatch(/^[\w-]{36}$/);
      service.pass(60);
    }

    expect(await service.token()).toMatchObject({
      status: 200,
      json: { status: 'error', message: 'Max limit exceeded' },
    });
    expect((await service.counts())['demo']?.tokens).toMatchObject({
      requests: 11,
      generated: 10,
      offences: 1,
      mostInAnyHour: 11,
    });
    service.pass(52 * 60);
    expect((await service.token()).json).toEqual({ token: expect.any(String) });
  });

  it('takes no request from the limit of getAgentLogins', async () => {
    const service = await start();
    for (let request = 0; request < 10; request += 1) await service.token();

    expect((await service.counts())['demo']).toMatchObject({ requests: 0, tokens: { requests: 10 } });
  });

  it.each<[string, RequestInit, string]>([
    ['an empty user name', { body: '{}' }, 'userName should not be empty'],
    ['an empty key', { headers: { apiKey: '' } }, 'apiKey should not be empty'],
    ['a wrong key', { headers: { apiKey: 'wrong' } }, 'userName or apiKey is Invalid'],
  ])('refuses %s', async (_what, init, message) => {
    expect((await (await start()).token(init)).json).toEqual({ status: 'error', message });
  });

  it('uses the path, header and field that an account has of its own', async () => {
    const token = { kind: 'generate', path: 'auth/token', header: 'X-Key', answerField: 'access' } as const;
    const { ask, logins } = await startService({ account: { ...account, token } });
    const body = JSON.stringify({ userName: 'demo' });

    const { json } = await ask('/auth/token', { body, headers: { 'X-Key': account.apiKey } });
    expect((await logins((json as { access: string }).access)).status).toBe(200);
    expect((await ask('/ca_apis/CAToken/generateToken', { body })).status).toBe(404);
  });

  it('tells no token and no key in its counts', async () => {
    const service = await start();
    const token = tokenIn(await service.token());
    const text = JSON.stringify(await (await fetch(`${service.simulator.url}/_simulator`)).json());

    expect(text).not.toContain(token);
    expect(text).not.toContain(account.apiKey);
  });
});

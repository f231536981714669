import { describe, expect, it } from 'vitest';
import { parseAgentLogins } from '../../../lib/agents/get-agent-logins.ts';
import type { AgentFacts } from '../../../lib/agents/schema.ts';
import type { ServiceResponse } from '../../../lib/service/service.ts';
import { createFaultBoard } from '../../../sandbox/frame/faults.ts';
import { type AnswerKind, answerKinds, answerQuirks } from '../../../sandbox/simulator/answers.ts';
import { account, apiKey, startService } from './support.ts';

const asha = {
  action: 'log-in',
  agentId: 'asha',
  name: 'Asha Rao',
  phoneNumber: '441632960001',
  skills: ['Sales', 'Billing'],
};
const bodyOf = (value: unknown) => ({ body: JSON.stringify(value) });
const error = (message: string) => ({ status: 'error', message });
const other = { userName: 'other', apiKeys: ['other-key', 'other-key-2'], timeZone: 'UTC' };

describe('getAgentLogins', () => {
  it('answers records as specified', async () => {
    const service = await startService();
    await service.script([asha]);
    const { agentId: AgentId, name: AgentName, phoneNumber: PhoneNumber } = asha;

    const record = { AgentId, AgentName, PhoneNumber, AgentState: 'READY', SkillName: 'Sales, Billing' };
    expect(await service.logins()).toMatchObject({ status: 200, json: { status: 'success', message: [record] } });
  });

  it.each<[string, RequestInit, string]>([
    ['an empty user name', bodyOf({ userName: '' }), 'userName should not be empty'],
    ['no user name', bodyOf({}), 'userName should not be empty'],
    ['a body that is no JSON', { body: 'userName=demo' }, 'userName should not be empty'],
    ['an empty key', { headers: { apiKey: '' } }, 'apiKey should not be empty'],
    ['a wrong key', { headers: { apiKey: 'wrong' } }, 'userName or apiKey is Invalid'],
    ['a wrong user name', bodyOf({ userName: 'wrong' }), 'userName or apiKey is Invalid'],
    ['another account’s user name', bodyOf({ userName: 'other' }), 'userName or apiKey is Invalid'],
  ])('answers %s with the specified text, under HTTP 200', async (_what, init, message) => {
    const service = await startService({ accounts: [account, other] });

    expect(await service.logins(undefined, init)).toMatchObject({ status: 200, json: error(message) });
  });

  it('rejects the sixth request of a minute, under HTTP 200', async () => {
    const service = await startService();
    for (let request = 0; request < 5; request += 1) expect(await service.logins()).toMatchObject({ status: 200 });

    expect(await service.logins()).toMatchObject({ status: 200, json: error('Max limit exceeded') });
    expect(service.counts()['demo']).toMatchObject({ requests: 6, overLimit: 1, maxPerMinute: 6 });
    service.pass(61);
    expect((await service.logins()).json).toMatchObject({ status: 'success' });
  });

  it('separates accounts: each has its keys, its limit and its agents', async () => {
    const service = await startService({ accounts: [account, other] });
    await service.script([asha, { action: 'log-in', account: 'other', agentId: 'otto' }]);
    for (let request = 0; request < 6; request += 1) await service.logins();

    const asOther = { ...bodyOf({ userName: 'other' }), headers: { apiKey: 'other-key-2' } };
    expect((await service.logins(undefined, asOther)).json).toMatchObject({ message: [{ AgentId: 'otto' }] });
    expect(service.counts()).toMatchObject({
      demo: { requests: 6, overLimit: 1, agentsLoggedIn: 1 },
      other: { requests: 1, overLimit: 0, agentsLoggedIn: 1 },
    });
  });

  it.each([
    ['Bearer agreed', 200],
    ['agreed', 200],
    ['bearer agreed', 200],
    ['Bearer other', 401],
    ['Bearer ', 401],
    [undefined, 401],
  ])('answers the token %s with HTTP %i if the account has a static one', async (token, status) => {
    const { logins } = await startService({ accounts: [{ ...account, token: { kind: 'static', value: 'agreed' } }] });

    const json = { status: status === 200 ? 'success' : 'error', message: expect.anything() };
    expect(await logins(token)).toMatchObject({ status, json });
  });
});

it('an account that needs no token is answered without one or with one that the service has issued, and with no other', async () => {
  const { logins, token } = await startService();
  const issued = tokenIn(await token());

  expect((await logins()).status).toBe(200);
  expect((await logins(`Bearer ${issued}`)).status).toBe(200);
  expect(await logins('Bearer invented')).toMatchObject({ status: 401, json: { status: 'error' } });
});

const generating = { ...account, token: { kind: 'generate' as const } };
const start = () => startService({ accounts: [generating] });
const tokenIn = ({ json }: { readonly json: unknown }) => String((json as { token: unknown }).token);
const hour = 3600;

describe('generateToken', () => {
  it('generates a token that getAgentLogins accepts for an hour', async () => {
    const service = await start();
    const token = tokenIn(await service.token());

    expect((await service.logins()).status).toBe(401);
    service.pass(hour - 1);
    expect((await service.logins(`Bearer ${token}`)).status).toBe(200);
    service.pass(1);
    expect(await service.logins(token)).toMatchObject({ status: 401, json: { status: 'error' } });
  });

  it('accepts a token after a restart, as a sandbox stores it, and no altered one', async () => {
    const token = tokenIn(await (await start()).token());
    const { logins } = await start();
    const later = token.replace(/^\d+/, (expiry) => String(Number(expiry) + 1));

    expect((await logins(token)).status).toBe(200);
    expect((await logins(later)).status).toBe(401);
  });

  it('rejects the eleventh request within an hour, and counts it', async () => {
    const service = await start();
    for (let minutes = 0; minutes < 10; minutes += 1) {
      expect(tokenIn(await service.token())).toMatch(/^[\w.-]{90,110}$/);
      service.pass(60);
    }

    expect(await service.token()).toMatchObject({ status: 200, json: error('Max limit exceeded') });
    const counts = { requests: 11, generated: 10, overLimit: 1, maxPerHour: 11 };
    expect(service.counts()['demo']?.tokens).toMatchObject(counts);
    service.pass(52 * 60);
    expect((await service.token()).json).toEqual({ token: expect.any(String) });
  });

  it('has no token and no key in its counts', async () => {
    const service = await start();
    const token = tokenIn(await service.token());
    const text = JSON.stringify(await (await fetch(`${service.simulator.url}/_simulator`)).json());

    expect(text).not.toContain(token);
    expect(text).not.toContain(apiKey);
  });
});

describe('the service', () => {
  it.each([
    ['throttle', 429, 'Max limit exceeded'],
    ['error', 500, 'Internal error'],
  ] as const)(
    'answers its operations under the fault %s with HTTP %i, and counts them',
    async (mode, status, message) => {
      const service = await startService({ board: { ...createFaultBoard(), draw: () => mode } });

      expect(await service.logins()).toMatchObject({ status, json: error(message) });
      expect(await service.token()).toMatchObject({ status });
      const tokens = { requests: 1, generated: 0 };
      expect(service.counts()['demo']).toMatchObject({ requests: 1, overLimit: 0, tokens });
    },
  );

  it('does not answer under the fault timeout, and counts the request', async () => {
    const service = await startService({ board: { ...createFaultBoard(), draw: () => 'timeout' } });
    const ending = new AbortController();
    const silent = service.logins(undefined, { signal: ending.signal });
    await expect.poll(() => service.counts()['demo']).toMatchObject({ requests: 1, maxPerMinute: 1 });
    ending.abort();

    await expect(silent).rejects.toThrow(/aborted/i);
  });
});

const rows = [
  { AgentId: 'asha', AgentName: 'Asha', PhoneNumber: '1', AgentState: 'READY', SkillName: 'Sales, Support' },
  { AgentId: 'ravi', AgentName: 'Ravi', PhoneNumber: '2', AgentState: 'ACW', SkillName: '' },
];
const all = ['asha ready Sales Support', 'ravi acw'];

/** The agents that the poller reads from an answer, or the reason why it reads none. */
const expected: Readonly<Record<AnswerKind, string | readonly string[]>> = {
  'rate-limit-text': 'rate-limited',
  'rate-limit-other-text': 'rate-limited',
  'unknown-error-text': 'unknown-error',
  'invalid-text': 'unauthorised',
  '401-status-false': 'unauthorised',
  '429': 'rate-limited',
  '405-no-json': 'http-error',
  '500': 'http-error',
  html: 'not-json',
  'truncated-json': 'not-json',
  'message-object': all,
  'message-by-index': all,
  'message-success-details': all,
  'no-data-found': [],
  'empty-list': [],
  'malformed-record': all,
  'duplicate-agent': ['asha acw Sales Support', 'ravi acw'],
  'odd-case': all,
  'undocumented-fields': all,
  'unknown-state': ['asha unknown Sales Support', 'ravi acw'],
  // It names where to go instead. An HTTP client sees that before anything reads the answer.
  redirect: 'unexpected-answer',
  // More than an HTTP client takes.
  huge: 'too large',
  // Slow by its name alone: the service waits before it sends this.
  slow: all,
};

const shown = ({ agentId, state, skills = [] }: AgentFacts): string => [agentId, state, ...skills].join(' ');

const readIn = (answer: ServiceResponse): string | readonly string[] => {
  const read = parseAgentLogins(answer);
  return read.ok ? read.value.agents.map(shown) : read.problem.reason;
};

it.each(answerKinds)('the answer %s is read as documented', (kind) => {
  const answer = answerQuirks[kind](rows, 'http://elsewhere.invalid/');
  const { status, headers, body = '' } = answer;
  const text = String(body);

  expect(text.length > 16 * 1024 * 1024 ? 'too large' : readIn({ status, text })).toEqual(expected[kind]);
  expect(headers?.['location']).toBe(kind === 'redirect' ? 'http://elsewhere.invalid/' : undefined);
});

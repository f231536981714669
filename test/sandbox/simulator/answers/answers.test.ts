import { describe, expect, it } from 'vitest';
import { type AnswerKind, answerKinds } from '../../../../sandbox/simulator/answers/answer-quirks.ts';
import { startService } from '../support/service.ts';

const row = (AgentId: string) => expect.objectContaining({ AgentId });
const error = (message: string) => ({ status: 'error', message });
const some = expect.any(Array);

/** What two agents, a in READY and b in ACW, look like in an answer of each kind. */
const looks: Readonly<Record<AnswerKind, Readonly<Record<string, unknown>>>> = {
  'rate-limit-text': { status: 200, json: error('Max limit exceeded') },
  'invalid-text': { status: 200, json: error('userName or apiKey is Invalid') },
  '401-status-false': { status: 401, json: { status: 'false', message: expect.any(String) } },
  '429': { status: 429, json: error('Max limit exceeded') },
  '405-no-json': { status: 405, json: undefined },
  '500': { status: 500, json: error('Internal error') },
  html: { status: 200, json: undefined, text: expect.stringMatching(/^<!doctype html>/) },
  'truncated-json': { status: 200, json: undefined, text: expect.stringMatching(/^\{"status":"success"/) },
  'message-object': { status: 200, json: { status: 'success', message: { agents: [row('a'), row('b')] } } },
  'message-by-index': { status: 200, json: { status: 'success', message: { 0: row('a'), 1: row('b') } } },
  'message-success-details': {
    status: 200,
    json: { status: 'success', message: 'success', details: [row('a'), row('b')] },
  },
  'no-data-found': { status: 200, json: error('No Data Found') },
  'empty-list': { status: 200, json: { status: 'success', message: [] } },
  'malformed-record': {
    status: 200,
    json: { status: 'success', message: [row('a'), null, expect.anything(), expect.anything(), some, row('b')] },
  },
  'duplicate-agent': {
    status: 200,
    json: {
      status: 'success',
      message: [row('a'), row('b'), expect.objectContaining({ AgentId: 'a', AgentState: 'ACW' })],
    },
  },
  'odd-case': {
    status: 200,
    json: {
      status: 'success',
      message: [expect.objectContaining({ AgentState: 'ready', SkillName: 'Sales,Billing' }), row('b')],
    },
  },
  'unknown-state': {
    status: 200,
    json: { status: 'success', message: [expect.objectContaining({ AgentState: 'Lunching' }), row('b')] },
  },
  redirect: { status: 302 },
  huge: { status: 200, json: { status: 'success', message: some } },
  slow: { status: 200, json: { status: 'success', message: [row('a'), row('b')] } },
};

const startWithTwo = async () => {
  const service = await startService({
    furtherAccounts: [{ userName: 'other', apiKey: 'other-key', timeZone: 'UTC' }],
  });
  await service.script([
    { action: 'log-in', agentId: 'a', skills: ['Sales', 'Billing'] },
    { action: 'log-in', agentId: 'b', state: 'ACW' },
  ]);
  return service;
};

describe('POST /_simulator/answers', () => {
  it.each(answerKinds)('has the next answer be %s, and the one after it good again', async (kind) => {
    const service = await startWithTwo();
    expect((await service.answers({ kind })).status).toBe(200);

    expect(await service.logins()).toMatchObject(looks[kind]);
    expect((await service.logins()).json).toEqual({ status: 'success', message: [row('a'), row('b')] });
  });

  it('gives more than the function takes when it is huge', async () => {
    const service = await startWithTwo();
    await service.answers({ kind: 'huge' });

    expect((await service.logins()).text.length).toBeGreaterThan(16 * 1024 * 1024);
  });

  it('takes as long as it is told when it is slow, by the clock', async () => {
    const service = await startWithTwo();
    await service.answers({ kind: 'slow', seconds: 45 });
    await service.logins();
    await service.logins();

    const [first = 0, second = 0] = (await service.counts())['demo']?.requestTimes ?? [];
    expect(second - first).toBe(45_000);
  });

  it('redirects to where it is told', async () => {
    const service = await startWithTwo();
    await service.answers({ kind: 'redirect', location: 'http://127.0.0.1:1/elsewhere' });
    const response = await fetch(`${service.simulator.url}/ca_apis/getAgentLogins`, {
      method: 'POST',
      headers: { apiKey: 'key-of-the-demo-account' },
      body: '{"userName":"demo"}',
      redirect: 'manual',
    });

    expect(response.headers.get('location')).toBe('http://127.0.0.1:1/elsewhere');
  });

  it('gives as many as asked for, in the order in which they were', async () => {
    const service = await startWithTwo();
    await service.answers({ kind: '500', count: 2 });
    await service.answers({ kind: '429' });

    const statuses = [await service.logins(), await service.logins(), await service.logins(), await service.logins()];
    expect(statuses.map(({ status }) => status)).toEqual([500, 500, 429, 200]);
  });

  it('gives them to one account only where it is named', async () => {
    const service = await startWithTwo();
    await service.answers({ kind: '500', account: 'other' });

    expect((await service.logins()).status).toBe(200);
    const asOther = { body: '{"userName":"other"}', headers: { apiKey: 'other-key' } };
    expect((await service.logins(undefined, asOther)).status).toBe(500);
  });

  it('uses none up for a request that gets no good answer anyway', async () => {
    const service = await startWithTwo();
    await service.answers({ kind: 'html' });
    await service.logins(undefined, { headers: { apiKey: 'wrong' } });

    expect((await service.logins()).text).toContain('<!doctype html>');
  });

  it('counts none of them as an offence', async () => {
    const service = await startWithTwo();
    await service.answers({ kind: 'rate-limit-text' });
    await service.logins();

    expect((await service.counts())['demo']).toMatchObject({ requests: 1, offences: 0 });
  });

  it.each([
    ['an unknown kind', { kind: 'nonsense' }, 'at kind'],
    ['no answer at all', { kind: 'html', count: 0 }, 'at count'],
    ['an account that is not there', { kind: 'html', account: 'nobody' }, 'no such account'],
  ])('refuses %s and says why', async (_what, request, reason) => {
    const { answers } = await startWithTwo();

    expect(await answers(request)).toMatchObject({
      status: 400,
      json: { status: 'error', message: expect.stringContaining(reason) },
    });
  });
});

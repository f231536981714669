import { describe, expect, it } from 'vitest';
import { type PollProblem, pollProblems } from '../../../lib/agents/feed.ts';
import { readAgents } from '../../../lib/agents/read-agents.ts';
import { writeFeed } from '../../../lib/agents/write-feed.ts';
import { polledAccount, specificationLogins, tokenAccount } from '../../fixtures/accounts.ts';
import { errorText, noReply, pollRun, type Reply, reply, success, tokenReply } from '../../support/agent-polling.ts';

const floor = success(specificationLogins);
const slotMs = 15_000;
const minuteMs = 60_000;
const unauthorised: Reply = reply({ status: 'false', message: 'Token expired' }, 401);

const transient: readonly (readonly [PollProblem, Reply])[] = [
  ['timeout', noReply('timeout')],
  ['connection', noReply('connection')],
  ['http-error', reply('Bad Gateway', 502)],
  ['not-json', reply('<html>')],
];

const permanent: readonly (readonly [PollProblem, Reply])[] = [
  ['too-large', noReply('too-large')],
  ['redirect', noReply('redirect')],
  ['unsendable', noReply('unsendable')],
  ['unexpected-answer', reply({})],
  ['rate-limited', errorText('Max limit exceeded')],
  ['unauthorised', unauthorised],
  ['rejected', errorText('userName should not be empty')],
];

describe('a poll that fails for the moment', () => {
  it.each(transient)('is tried once more in the slot: %s', async (_reason, failure) => {
    const { poll, service, feed, telemetry } = pollRun({ logins: [failure, floor] });
    await poll();

    expect(service.requests).toHaveLength(2);
    expect(feed()).toMatchObject({ status: 'live', agentCount: 3 });
    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 1 });
    expect(telemetry.counts).not.toHaveProperty('PollsFailed');
  });

  it.each(transient)('is not tried a third time: %s', async (reason, failure) => {
    const { poll, service, feed } = pollRun({ logins: [failure] });
    await poll();

    expect(service.requests).toHaveLength(2);
    expect(feed()).toMatchObject({ lastProblem: { reason } });
  });

  it('is tried again among polls in every slot, and the next ones find their places', async () => {
    const { poll, service, advance, feed, telemetry } = pollRun({
      logins: [floor, floor, floor, reply('', 500), floor],
    });
    for (let slot = 0; slot < 8; slot++) {
      await poll();
      if (slot === 3) expect(service.requests).toHaveLength(5);
      if (slot < 7) advance(slotMs);
    }

    expect(service.requests).toHaveLength(9);
    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 8 });
    expect(telemetry.counts).not.toHaveProperty('PollsSkipped');
    expect(feed()).toMatchObject({ status: 'live', asOf: '2026-11-20T06:01:46.000Z' });
  });

  it('is not tried again where that would keep a later slot’s poll from being sent', async () => {
    const { poll, service, advance, feed } = pollRun({ logins: [reply('', 500), floor, reply('', 500), floor] });
    await poll();
    expect(service.requests).toHaveLength(2);

    advance(slotMs);
    await poll();
    expect(service.requests).toHaveLength(3);
    expect(feed()).toMatchObject({ lastProblem: { reason: 'http-error' } });

    advance(slotMs);
    await poll();
    expect(service.requests).toHaveLength(4);
  });

  it.each([
    ['in time', 5_000 - 1, 2],
    ['too late', 5_000, 1],
  ])('is not tried again where the run could not wait for the answer: %s', async (_title, tookMs, asked) => {
    const setting = pollRun({
      start: '2026-11-20T06:00:00.000Z',
      logins: [reply('', 500), floor],
      onRequest: () => setting.service.requests.length === 1 && setting.advance(tookMs),
    } as Parameters<typeof pollRun>[0]);
    await setting.poll();

    expect(setting.service.requests).toHaveLength(asked);
  });

  it('is not tried again where the slot is nearly over', async () => {
    const { poll, service } = pollRun({ start: '2026-11-20T06:00:11.000Z', logins: [reply('', 500), floor] });
    await poll();

    expect(service.requests).toHaveLength(1);
  });

  it.each([
    ['503', reply('', 503, 20)],
    ['a page', reply('<html>', 200, 20)],
  ])('is not tried again where the service asks to be left alone: %s', async (_title, failure) => {
    const { poll, service, advance } = pollRun({ logins: [failure, floor] });
    await poll();
    expect(service.requests).toHaveLength(1);

    advance(slotMs);
    await poll();
    expect(service.requests).toHaveLength(1);

    advance(slotMs);
    await poll();
    expect(service.requests).toHaveLength(2);
  });

  it('is left to whoever has taken over meanwhile', async () => {
    const others: unknown[] = [];
    const { poll, instance, service, advance } = pollRun({
      logins: [reply('', 500), floor],
      async onRequest() {
        if (others.length > 0) return;
        others.push('one');
        advance(slotMs);
        others.push(await poll(instance()));
      },
    });

    expect(await poll()).toBeUndefined();
    expect(service.requests).toHaveLength(2);
  });
});

describe('a request', () => {
  it.each([
    ['answered', floor],
    ['failed', noReply('too-large')],
  ])('counts for the limit from when it was over: %s', async (_title, answer) => {
    const setting = pollRun({ logins: [answer], onRequest: () => setting.advance(700) });
    await setting.poll();

    expect(setting.feed()).toMatchObject({ poller: { requests: [Date.parse('2026-11-20T06:00:01.700Z')] } });
  });

  it('is dated by when it was sent', async () => {
    const setting = pollRun({ logins: [floor], onRequest: () => setting.advance(3_900) });
    await setting.poll();

    expect(setting.feed()).toMatchObject({ asOf: '2026-11-20T06:00:01.000Z' });
  });
});

describe('a second try', () => {
  it('is not made by a run whose floor somebody else has written meanwhile', async () => {
    const setting = pollRun({
      logins: [reply('', 500), floor],
      async onRequest() {
        const { feed, agents } = await readAgents(setting.run, 'demo');
        await writeFeed(setting.run, { ...feed, version: feed.version + 1 });
        expect(agents.size).toBe(0);
      },
    });

    expect(await setting.poll()).toBeUndefined();
    expect(setting.service.requests).toHaveLength(1);
  });
});

describe('a poll that fails for good', () => {
  it.each(permanent)('is not tried again in the slot: %s', async (reason, failure) => {
    const { poll, service, feed } = pollRun({ logins: [failure, floor] });
    await poll();

    expect(service.requests).toHaveLength(1);
    expect(feed()).toMatchObject({ lastProblem: { reason } });
  });

  it('is every one that is not passing, nor of tokens, nor of the run', () => {
    const ofTokens = ['no-token', 'token-limit', 'token-renewed'];
    const ofRuns = ['aborted', 'not-polled'];
    const covered = new Set<string>([...transient, ...permanent].map(([reason]) => reason));

    expect(pollProblems.filter((reason) => !covered.has(reason))).toEqual([...ofTokens, ...ofRuns]);
  });

  it('is not tried again with a configured token that was refused', async () => {
    const account = { ...polledAccount, token: { kind: 'static', value: 'fixed' } };
    const { poll, service } = pollRun({ account, logins: [unauthorised, floor] });
    await poll();

    expect(service.requests).toMatchObject([{ headers: { Authorization: 'Bearer fixed' } }]);
  });
});

describe('a poll with a generated token', () => {
  const bearersOf = (service: ReturnType<typeof pollRun>['service']) =>
    service.requests.map(({ headers }) => headers['Authorization'] ?? 'none');

  it('asks for a token once, and sends it with every poll', async () => {
    const { poll, service, advance } = pollRun({
      account: tokenAccount,
      token: [tokenReply('token-1')],
      logins: [floor],
    });
    await poll();
    advance(slotMs);
    await poll();

    expect(bearersOf(service)).toEqual(['none', 'Bearer token-1', 'Bearer token-1']);
  });

  it('renews one that is refused, and asks again with the new one', async () => {
    const { poll, service, advance, feed } = pollRun({
      account: tokenAccount,
      token: [tokenReply('token-1'), tokenReply('token-2')],
      logins: [floor, unauthorised, floor],
    });
    await poll();
    advance(10 * minuteMs);
    await poll();

    expect(service.operations()).toEqual(['token', 'logins', 'logins', 'token', 'logins']);
    expect(bearersOf(service).at(-1)).toBe('Bearer token-2');
    expect(feed()).toMatchObject({ status: 'live', asOf: '2026-11-20T06:10:01.000Z' });
  });

  it('renews it once only: if the new one is refused too, the service is left alone', async () => {
    const { poll, service, advance, feed } = pollRun({
      account: tokenAccount,
      token: [tokenReply('token-1'), tokenReply('token-2')],
      logins: [floor, unauthorised],
    });
    await poll();
    advance(10 * minuteMs);
    await poll();

    expect(service.operations()).toEqual(['token', 'logins', 'logins', 'token', 'logins']);
    expect(feed()).toMatchObject({ lastProblem: { reason: 'unauthorised' }, poller: { backOff: { times: 1 } } });
  });

  it('does not renew a young one', async () => {
    const { poll, service, feed } = pollRun({
      account: tokenAccount,
      token: [tokenReply('token-1')],
      logins: [unauthorised],
    });
    await poll();

    expect(service.operations()).toEqual(['token', 'logins']);
    expect(feed()).toMatchObject({ lastProblem: { reason: 'unauthorised' }, poller: { backOff: { times: 1 } } });
  });

  it.each(permanent.filter(([reason]) => reason !== 'unauthorised'))(
    'does not renew one for another failure: %s',
    async (reason, failure) => {
      const { poll, service, advance, feed } = pollRun({
        account: tokenAccount,
        token: [tokenReply('token-1'), tokenReply('token-2')],
        logins: [floor, failure],
      });
      await poll();
      advance(10 * minuteMs);
      await poll();

      expect(service.operations()).toEqual(['token', 'logins', 'logins']);
      expect(feed()).toMatchObject({ lastProblem: { reason } });
    },
  );

  it('leaves a new one to the next slot where the limit leaves no room, and does not back off', async () => {
    const { poll, service, advance, feed } = pollRun({
      account: tokenAccount,
      token: [tokenReply('token-1'), tokenReply('token-2')],
      logins: [floor, reply('', 500), floor, floor, unauthorised, floor],
    });
    await poll();
    advance(10 * minuteMs);
    for (let slot = 0; slot < 3; slot++) {
      await poll();
      if (slot < 2) advance(slotMs);
    }

    expect(service.operations().slice(-2)).toEqual(['logins', 'token']);
    expect(feed()).toMatchObject({ status: 'live', lastProblem: { reason: 'token-renewed' } });
    expect(feed()?.['poller']).not.toHaveProperty('backOff');

    advance(slotMs);
    await poll();
    expect(bearersOf(service).at(-1)).toBe('Bearer token-2');
    expect(feed()).toMatchObject({ asOf: '2026-11-20T06:10:46.000Z' });
  });

  it.each<[string, Reply, PollProblem]>([
    ['no answer', noReply('timeout'), 'no-token'],
    ['wrong credentials', errorText('userName or apiKey is Invalid'), 'unauthorised'],
    ['the limit', reply('', 429), 'token-limit'],
    ['no token in the answer', reply({}), 'no-token'],
  ])('asks nothing without one, and leaves the service alone: %s', async (_title, failure, reason) => {
    const { poll, service, feed } = pollRun({ account: tokenAccount, token: [failure], logins: [floor] });
    await poll();

    expect(service.operations()).toEqual(['token']);
    expect(feed()).toMatchObject({ lastProblem: { reason }, poller: { backOff: { times: 1 } } });
  });

  it('is asked for a token again in the next slot, and then less and less often', async () => {
    const { poll, advance, service, clock } = pollRun({ account: tokenAccount, token: [reply('', 503)] });
    const asked: string[] = [];
    for (let slot = 0; slot < 28; slot++) {
      const before = service.requests.length;
      await poll();
      if (service.requests.length > before) asked.push(clock().toISOString().slice(14, 19));
      advance(slotMs);
    }

    // 10, 20, 40, 80 and 160 seconds, each until the slot after them.
    expect(asked).toEqual(['00:01', '00:16', '00:46', '01:31', '03:01', '05:46']);
  });

  it('is asked for no token before the time that the service asks for is over', async () => {
    const { poll, advance, service } = pollRun({
      account: tokenAccount,
      token: [reply('', 503, 40), tokenReply('token-2')],
      logins: [floor],
    });
    const asked: number[] = [];
    for (let slot = 0; slot < 4; slot++) {
      await poll();
      asked.push(service.requests.length);
      advance(slotMs);
    }

    expect(asked).toEqual([1, 1, 1, 3]);
  });

  it('is polled again minutes after the exchange of tokens was down for minutes, not an hour', async () => {
    const start = Date.parse('2026-11-20T06:00:01.000Z');
    const token = () => (run.now() - start < 3 * minuteMs ? reply('', 503) : tokenReply('token-1'));
    const run = pollRun({ account: tokenAccount, token: [token], logins: [floor] });
    for (let slot = 0; slot < 10 * 4; slot++) {
      await run.poll();
      run.advance(slotMs);
    }

    expect(run.feed()).toMatchObject({ status: 'live' });
  });
});

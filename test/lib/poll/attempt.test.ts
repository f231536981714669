import { describe, expect, it } from 'vitest';
import { type PollProblem, pollProblems } from '../../../lib/feed/problem.ts';
import { readFloor, writeFeed } from '../../../lib/floor/floor.ts';
import { polledAccount, specificationLogins, tokenAccount } from '../../fixtures/agents.ts';
import { pollRun } from '../support/poll-run.ts';
import { errorText, noReply, type Reply, reply, success, tokenReply } from '../support/scripted-service.ts';

const floor = success(specificationLogins);
const slotMs = 15_000;
const minuteMs = 60_000;
const refused: Reply = reply({ status: 'false', message: 'Token expired' }, 401);

const passing: readonly (readonly [PollProblem, Reply])[] = [
  ['timeout', noReply('timeout')],
  ['connection', noReply('connection')],
  ['http-error', reply('Bad Gateway', 502)],
  ['not-json', reply('<html>')],
];

const lasting: readonly (readonly [PollProblem, Reply])[] = [
  ['too-large', noReply('too-large')],
  ['redirect', noReply('redirect')],
  ['unsendable', noReply('unsendable')],
  ['unexpected-answer', reply({})],
  ['limit', errorText('Max limit exceeded')],
  ['unauthorised', refused],
  ['refused', errorText('userName should not be empty')],
];

describe('a poll that fails for the moment', () => {
  it.each(passing)('is tried once more in the slot: %s', async (_reason, failure) => {
    const { poll, service, feed, telemetry } = pollRun({ logins: [failure, floor] });
    await poll();

    expect(service.requests).toHaveLength(2);
    expect(feed()).toMatchObject({ status: 'live', agentCount: 3 });
    expect(telemetry.counts).toMatchObject({ PollsAnswered: 1 });
    expect(telemetry.counts).not.toHaveProperty('PollsFailed');
  });

  it.each(passing)('is not tried a third time: %s', async (reason, failure) => {
    const { poll, service, feed } = pollRun({ logins: [failure] });
    await poll();

    expect(service.requests).toHaveLength(2);
    expect(feed()).toMatchObject({ lastProblem: { reason } });
  });

  it('is not tried again where that would take the next slot’s place', async () => {
    const { poll, service, advance } = pollRun({ logins: [floor, floor, floor, reply('', 500), floor] });
    for (let slot = 0; slot < 4; slot++) {
      await poll();
      advance(slotMs);
    }
    expect(service.requests).toHaveLength(4);

    await poll();
    expect(service.requests).toHaveLength(5);
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
        const { feed, agents } = await readFloor(setting.run, 'demo');
        await writeFeed(setting.run, { ...feed, version: feed.version + 1 });
        expect(agents.size).toBe(0);
      },
    });

    expect(await setting.poll()).toBeUndefined();
    expect(setting.service.requests).toHaveLength(1);
  });
});

describe('a poll that fails for good', () => {
  it.each(lasting)('is not tried again in the slot: %s', async (reason, failure) => {
    const { poll, service, feed } = pollRun({ logins: [failure, floor] });
    await poll();

    expect(service.requests).toHaveLength(1);
    expect(feed()).toMatchObject({ lastProblem: { reason } });
  });

  it('is every one that is not passing, nor of tokens', () => {
    const ofTokens = ['no-token', 'token-limit', 'token-renewed'];
    const covered = new Set<string>([...passing, ...lasting].map(([reason]) => reason));

    expect(pollProblems.filter((reason) => !covered.has(reason))).toEqual(ofTokens);
  });

  it('is not tried again with a configured token that was refused', async () => {
    const account = { ...polledAccount, token: { kind: 'static', value: 'fixed' } };
    const { poll, service } = pollRun({ account, logins: [refused, floor] });
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
      logins: [floor, refused, floor],
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
      logins: [floor, refused],
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
      logins: [refused],
    });
    await poll();

    expect(service.operations()).toEqual(['token', 'logins']);
    expect(feed()).toMatchObject({ lastProblem: { reason: 'unauthorised' }, poller: { backOff: { times: 1 } } });
  });

  it.each(lasting.filter(([reason]) => reason !== 'unauthorised'))(
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
      logins: [floor, floor, floor, floor, refused, floor],
    });
    await poll();
    advance(10 * minuteMs);
    for (let slot = 0; slot < 4; slot++) {
      await poll();
      if (slot < 3) advance(slotMs);
    }

    expect(service.operations().slice(-2)).toEqual(['logins', 'token']);
    expect(feed()).toMatchObject({ status: 'live', lastProblem: { reason: 'token-renewed' } });
    expect(feed()?.['poller']).not.toHaveProperty('backOff');

    advance(slotMs);
    await poll();
    expect(bearersOf(service).at(-1)).toBe('Bearer token-2');
    expect(feed()).toMatchObject({ asOf: '2026-11-20T06:11:01.000Z' });
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

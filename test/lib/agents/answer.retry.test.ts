import { describe, expect, it } from 'vitest';
import { readAgents } from '../../../lib/agents/poll-context.ts';
import { writeFeed } from '../../../lib/agents/write-agents.ts';
import { type PollProblem, pollProblems } from '../../../lib/telephony/service/problems.ts';
import { polledAccount, tokenAccount } from '../../fixtures/accounts.ts';
import {
  errorText,
  noReply,
  pollRun,
  type Reply,
  reply,
  slotMs,
  threeAgents,
  tokenReply,
} from '../../support/agent-polling.ts';

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

describe('a transient failure', () => {
  it.each(transient)('is retried in the slot: %s', async (_reason, failure) => {
    const { poll, service, feed, telemetry } = pollRun({ logins: [failure, threeAgents] });
    await poll();

    expect(service.requests).toHaveLength(2);
    expect(feed()).toMatchObject({ status: 'live', agentCount: 3 });
    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 1 });
    expect(telemetry.counts).not.toHaveProperty('PollsFailed');
  });

  it('is retried once only', async () => {
    const { poll, service, feed } = pollRun({ logins: [noReply('timeout')] });
    await poll();

    expect(service.requests).toHaveLength(2);
    expect(feed()).toMatchObject({ lastProblem: { reason: 'timeout' } });
  });

  it('is retried among polls in every slot, and none of the next polls is skipped', async () => {
    const { poll, service, advance, feed, telemetry } = pollRun({
      logins: [threeAgents, threeAgents, threeAgents, reply('', 500), threeAgents],
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

  it.each([
    ['in time', 5_000 - 1, 2],
    ['too late', 5_000, 1],
  ])('is retried only if the run can wait for the answer: %s', async (_title, requestMs, requests) => {
    const setting = pollRun({
      start: '2026-11-20T06:00:00.000Z',
      logins: [reply('', 500), threeAgents],
      onRequest: () => setting.service.requests.length === 1 && setting.advance(requestMs),
    } as Parameters<typeof pollRun>[0]);
    await setting.poll();

    expect(setting.service.requests).toHaveLength(requests);
  });

  it('is not retried where the service sends Retry-After', async () => {
    const { poll, service, advance } = pollRun({ logins: [reply('', 503, 20), threeAgents] });
    for (const requests of [1, 1, 2]) {
      await poll();
      expect(service.requests).toHaveLength(requests);
      advance(slotMs);
    }
  });

  it('is not retried if another run writes the feed meanwhile', async () => {
    const setting = pollRun({
      logins: [reply('', 500), threeAgents],
      async onRequest() {
        const { feed } = await readAgents(setting.run, 'demo');
        await writeFeed(setting.run, { ...feed, version: feed.version + 1 });
      },
    });

    expect(await setting.poll()).toBeUndefined();
    expect(setting.service.requests).toHaveLength(1);
  });
});

describe('a permanent failure', () => {
  it.each(permanent)('is not retried in the slot: %s', async (reason, failure) => {
    const { poll, service, feed } = pollRun({ logins: [failure, threeAgents] });
    await poll();

    expect(service.requests).toHaveLength(1);
    expect(feed()).toMatchObject({ lastProblem: { reason } });
  });

  it('is every one that is not transient, nor of tokens, nor of the run', () => {
    const ofTokens = ['no-token', 'token-limit', 'token-renewed'];
    const ofRuns = ['aborted', 'not-polled'];
    const covered = new Set<string>([...transient, ...permanent].map(([reason]) => reason));

    expect(pollProblems.filter((reason) => !covered.has(reason))).toEqual([...ofTokens, ...ofRuns]);
  });

  it('is the rejection of a configured token', async () => {
    const account = { ...polledAccount, token: { kind: 'static', value: 'fixed' } };
    const { poll, service } = pollRun({ account, logins: [unauthorised, threeAgents] });
    await poll();

    expect(service.requests).toMatchObject([{ headers: { Authorization: 'Bearer fixed' } }]);
  });
});

describe('a request', () => {
  it.each([
    ['answered', threeAgents],
    ['failed', noReply('too-large')],
  ])('counts for the rate limit from its end: %s', async (_title, answer) => {
    const setting = pollRun({ logins: [answer], onRequest: () => setting.advance(700) });
    await setting.poll();

    expect(setting.feed()).toMatchObject({ poller: { requests: [Date.parse('2026-11-20T06:00:01.700Z')] } });
  });

  it('dates its answer to when it was sent', async () => {
    const setting = pollRun({ logins: [threeAgents], onRequest: () => setting.advance(3_900) });
    await setting.poll();

    expect(setting.feed()).toMatchObject({ asOf: '2026-11-20T06:00:01.000Z' });
  });
});

describe('a poll with a generated token', () => {
  const withTokens = (logins: readonly Reply[], token: readonly Reply[] = ['token-1', 'token-2'].map(tokenReply)) => {
    const setting = pollRun({ account: tokenAccount, token, logins });
    const bearers = () => setting.service.requests.map(({ headers }) => headers['Authorization'] ?? 'none');
    return { ...setting, bearers };
  };

  it('generates a token once, and sends it with every request', async () => {
    const { poll, bearers, advance } = withTokens([threeAgents]);
    await poll();
    advance(slotMs);
    await poll();

    expect(bearers()).toEqual(['none', 'Bearer token-1', 'Bearer token-1']);
  });

  it.each([
    ['accepted', [threeAgents, unauthorised, threeAgents], { status: 'live', asOf: '2026-11-20T06:10:01.000Z' }],
    [
      'rejected too, and then backs off',
      [threeAgents, unauthorised],
      { lastProblem: { reason: 'unauthorised' }, poller: { backOff: { times: 1 } } },
    ],
  ])('renews a rejected token once and retries with the new one, which is %s', async (_title, logins, feed) => {
    const setting = withTokens(logins);
    await setting.poll();
    setting.advance(10 * minuteMs);
    await setting.poll();

    expect(setting.service.operations()).toEqual(['token', 'logins', 'logins', 'token', 'logins']);
    expect(setting.bearers().at(-1)).toBe('Bearer token-2');
    expect(setting.feed()).toMatchObject(feed);
  });

  it('does not renew a token for another permanent failure', async () => {
    const { poll, service, advance, feed } = withTokens([threeAgents, reply({})]);
    await poll();
    advance(10 * minuteMs);
    await poll();

    expect(service.operations()).toEqual(['token', 'logins', 'logins']);
    expect(feed()).toMatchObject({ lastProblem: { reason: 'unexpected-answer' } });
  });

  it('leaves a new token to the next slot where the rate limit has no capacity, without a back-off', async () => {
    const { poll, service, bearers, advance, feed } = withTokens([
      threeAgents,
      reply('', 500),
      threeAgents,
      threeAgents,
      unauthorised,
      threeAgents,
    ]);
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
    expect(bearers().at(-1)).toBe('Bearer token-2');
    expect(feed()).toMatchObject({ asOf: '2026-11-20T06:10:46.000Z' });
  });

  it('requests no logins without a token, and backs off: by the next slot at first, then longer and longer', async () => {
    const { poll, advance, service, clock, feed } = withTokens([threeAgents], [reply('', 503)]);
    const requestedAt: string[] = [];
    for (let slot = 0; slot < 28; slot++) {
      const { length } = service.requests;
      await poll();
      if (service.requests.length > length) requestedAt.push(clock().toISOString().slice(14, 19));
      advance(slotMs);
    }

    expect(new Set(service.operations())).toEqual(new Set(['token']));
    expect(feed()).toMatchObject({ lastProblem: { reason: 'http-error' } });
    // 1, 2, 4 and 8 slots later.
    expect(requestedAt).toEqual(['00:01', '00:16', '00:46', '01:46', '03:46']);
  });

  it.each<[PollProblem, Reply]>([
    ['connection', { ok: false, problem: { reason: 'connection', isUnsent: true } }],
    ['timeout', noReply('timeout')],
    ['http-error', reply('', 500)],
  ])('names the same problem for an hour without a token, whatever the limit of tokens: %s', async (reason, answer) => {
    const { poll, advance, feed } = withTokens([threeAgents], [answer]);
    for (let slot = 0; slot < 240; slot++) {
      await poll();
      expect(feed()).toMatchObject({ lastProblem: { reason } });
      advance(slotMs);
    }
  });

  it('requests no token before the Retry-After of a token request is over', async () => {
    const { poll, advance, service } = withTokens([threeAgents], [reply('', 503, 40), tokenReply('token-2')]);
    const requests: number[] = [];
    for (let slot = 0; slot < 4; slot++) {
      await poll();
      requests.push(service.requests.length);
      advance(slotMs);
    }

    expect(requests).toEqual([1, 1, 1, 3]);
  });
});

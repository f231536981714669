import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { type ServiceProblem, type ServiceRequest, serviceProblems } from '../../../lib/service/service.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import {
  answer,
  type Deployment,
  deployment,
  errorAnswer,
  type Failure,
  manyAgents,
  noAnswer,
  type ServiceAnswer,
  success,
  threeAgents,
  tokenAnswer,
} from '../../deployment/index.ts';
import { polledAccount, tokenAccount } from '../../fixtures/accounts.ts';

const startedAt = '2026-11-20T05:59:50.000Z';
const at = (time: string): string => `2026-11-20T06:${time}Z`;
const rejection = errorAnswer('userName or apiKey is Invalid');
const maxLimit = errorAnswer('Max limit exceeded');
const unauthorised = answer({ status: 'false', message: 'Token expired' }, 401);

/** An answer that takes so long. */
const late = (d: Deployment, ms: number, then: ServiceAnswer) => () => {
  d.advance(ms);
  return then;
};

/** In each slot: how many requests of logins there were. */
const requestsBySlot = async (d: Deployment, slots: number): Promise<readonly number[]> => {
  const counts: number[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const before = d.service.requests('logins').length;
    await d.poll();
    counts.push(d.service.requests('logins').length - before);
  }
  return counts;
};

type Process = ReturnType<Deployment['startAnother']>;

/** The writes of polls. One of a run that loses a race is among them too. */
const writesOf = (d: Deployment) => d.operations().filter((each) => ['PutItem', 'TransactWriteItems'].includes(each));

describe('a slot', () => {
  it('is polled by one process, however many try at once, with one measurement', async () => {
    const d = await deployment({ service: { logins: [threeAgents] } });
    const processes = Array.from({ length: 8 }, () => d.startAnother());
    await Promise.all(processes.map(({ tick }) => tick()));

    expect(d.service.requests()).toHaveLength(1);
    expect(d.measured()['FeedAgeSeconds']).toEqual([0]);
  });

  it('is polled once by processes that take turns, without a conflict', async () => {
    const d = await deployment({ service: { logins: [threeAgents] } });
    const other = d.startAnother();
    await d.tick();
    d.advance(1_000);
    await other.tick();
    await d.tick();

    expect(d.service.requests()).toHaveLength(1);
    expect(writesOf(d)).toEqual(['PutItem', 'TransactWriteItems']);
  });

  it('is written with its request, and the latest time of its arrival, before anything is sent', async () => {
    const d = await deployment({ startedAt: at('00:01.000') });
    const seen: unknown[] = [];
    const seeing = async () => {
      seen.push(await d.feed());
      return threeAgents;
    };
    d.service.answers({ logins: [seeing] });
    await d.tick();

    expect(seen).toMatchObject([
      {
        version: 1,
        status: 'starting',
        attemptedAt: at('00:00.000'),
        poller: { inFlight: true, requests: [Date.parse(at('00:14.000'))] },
      },
    ]);
  });

  it.each([
    ['reads the poll status alone where it is taken', 9_000, ['GetSecretValue', 'Query']],
    ['reads all agents where it is free', 15_000, ['GetSecretValue', 'Query', 'Query']],
  ])('%s', async (_title, ms, operations) => {
    const d = await deployment({ startedAt: at('00:01.000'), service: { logins: [threeAgents] } });
    await d.tick();
    d.restart();
    d.advance(ms);
    const before = d.operations().length;
    await d.tick();

    expect(
      d
        .operations()
        .slice(before, before + operations.length + 1)
        .filter((each) => each !== 'BatchWriteItem'),
    ).toEqual(expect.arrayContaining(operations));
    expect(d.service.requests()).toHaveLength(ms < 15_000 ? 1 : 2);
  });

  it('begins with the agents as they are where another process has changed what this one remembers', async () => {
    const d = await deployment({ service: { logins: [threeAgents, success([]), threeAgents] } });
    await d.poll();
    d.advance(15_000);
    await d.startAnother().tick();
    await d.poll();
    await d.settled();

    expect(d.published().map(({ type }) => type)).toEqual(
      ['Agent Logged In', 'Agent Logged Out', 'Agent Logged In'].flatMap((type) => Array(3).fill(type)),
    );
    const changed = 'TransactWriteItems';
    expect(writesOf(d)).toEqual(['PutItem', changed, 'PutItem', changed, changed, 'PutItem', changed]);
  });

  it.each([
    ['taken', 0],
    ['free', 15_000],
  ])(
    'is no interruption for a process that has not polled for long, while another has: it is %s',
    async (_title, ms) => {
      const d = await deployment({ service: { logins: [1, 2, 3, 4, 5, 6].map((count) => manyAgents(count)) } });
      await d.poll();
      const other = d.startAnother();
      for (let slot = 1; slot <= 4; slot++) {
        d.advance(15_000);
        await other.tick();
      }
      d.advance(ms);
      await d.tick();
      await d.settled();

      expect(new Set((await d.snapshots()).map(({ status }) => status))).toEqual(new Set(['live']));
      expect(d.published().filter(({ type }) => type.startsWith('Agent Feed'))).toEqual([]);
    },
  );
});

/** Each problem that a poll can meet: its answer, how many requests there are in its slot, and slots that are then skipped. */
const problems: Readonly<Partial<Record<ServiceProblem, readonly [ServiceAnswer, requests: number, skipped: number]>>> =
  {
    timeout: [noAnswer('timeout'), 2, 0],
    connection: [noAnswer('connection'), 2, 0],
    'http-error': [answer('Bad Gateway', 502), 2, 0],
    'not-json': [answer('<html>'), 2, 0],
    'too-large': [noAnswer('too-large'), 1, 0],
    redirect: [noAnswer('redirect'), 1, 0],
    unsendable: [noAnswer('unsendable'), 1, 0],
    'unexpected-answer': [answer({}), 1, 0],
    'rate-limited': [maxLimit, 1, 0],
    unauthorised: [unauthorised, 1, 3],
    rejected: [errorAnswer('userName should not be empty'), 1, 3],
    'unknown-error': [errorAnswer('Internal Server Error'), 1, 0],
  };

describe('a poll that fails', () => {
  it.each(Object.entries(problems))(
    'is tried again in its slot or not, and pauses or not: %s',
    async (reason, [failure, requests, skipped]) => {
      const d = await deployment({ startedAt, service: { logins: [...Array(requests).fill(failure), threeAgents] } });

      expect(await requestsBySlot(d, skipped + 2)).toEqual([requests, ...Array(skipped).fill(0), 1]);
      expect(await d.feed()).toMatchObject({ status: 'live', lastProblem: { reason } });
    },
  );

  it('backs off as at first after an answer', async () => {
    const d = await deployment({ startedAt, service: { logins: [rejection, threeAgents, rejection, threeAgents] } });

    expect(await requestsBySlot(d, 10)).toEqual([1, 0, 0, 0, 1, 1, 0, 0, 0, 1]);
  });

  it('has one of these problems, or one of tokens or of the run', () => {
    expect(serviceProblems.filter((reason) => problems[reason] === undefined)).toEqual([
      ...['no-token', 'token-limit', 'token-renewed'],
      ...['aborted', 'not-polled'],
    ]);
  });

  it('succeeds by its second request, and none of the next polls is skipped: each waits for a moment', async () => {
    const d = await deployment({
      startedAt,
      service: { logins: [...Array(3).fill(threeAgents), answer('', 500), threeAgents] },
    });

    expect(await requestsBySlot(d, 8)).toEqual([1, 1, 1, 2, 1, 1, 1, 1]);
    const sent = d.service.requests().map((request) => Date.parse(request.at));
    for (const [index, first] of sent.slice(0, -5).entries())
      expect((sent[index + 5] ?? 0) - first).toBeGreaterThan(60_000);
    expect(await d.feed()).toMatchObject({ status: 'live', asOf: at('01:46.000') });
  });

  it.each([
    ['in time', 4_999, 2, { status: 'live' }],
    ['too late', 5_000, 1, { lastProblem: { reason: 'http-error' } }],
  ])('is tried again only if the run can wait for the answer: %s', async (_title, requestMs, requests, status) => {
    const d = await deployment({ startedAt });
    // The second answer comes after the run's time for new work. It is written all the same.
    d.service.answers({ logins: [late(d, requestMs, answer('', 500)), late(d, 4_002, threeAgents)] });
    await d.poll(at('00:00.000'));

    expect(d.service.requests()).toHaveLength(requests);
    expect(await d.feed()).toMatchObject(status);
  });

  it('is not tried again before the Retry-After of the service', async () => {
    const d = await deployment({ startedAt, service: { logins: [answer('', 503, 20), threeAgents] } });

    expect(await requestsBySlot(d, 3)).toEqual([1, 0, 1]);
  });

  it('is not tried again if another process has written the poll status meanwhile', async () => {
    const slow = async () => {
      d.advance(12_000);
      await d.startAnother().tick();
      d.advance(-11_000);
      return answer('', 500);
    };
    const d: Deployment = await deployment({ startedAt, service: { logins: [slow, threeAgents] } });
    await d.poll(at('00:05.000'));

    expect([d.service.requests().length, d.faults()]).toEqual([2, []]);
    // The other process has found this run unfinished. Its answer was not written after that.
    expect(await d.feed()).toMatchObject({ status: 'live', lastProblem: { reason: 'aborted' } });
  });

  it.each([
    ['answered', threeAgents],
    ['failed', noAnswer('too-large')],
  ])(
    'counts for the rate limit from the end of its request, and dates its answer to the beginning: %s',
    async (_title, end) => {
      const d = await deployment({ startedAt });
      d.service.answers({ logins: [late(d, 3_700, end)] });
      await d.poll();

      expect(await d.feed()).toMatchObject({ poller: { requests: [Date.parse(at('00:04.700'))] } });
      expect((await d.feed())?.['asOf'] ?? at('00:01.000')).toBe(at('00:01.000'));
    },
  );

  it('interrupts polling in the slots that it makes skip, once', async () => {
    const d = await deployment({ startedAt, service: { logins: [threeAgents, rejection] } });

    expect(await requestsBySlot(d, 4)).toEqual([1, 1, 0, 0]);
    await d.settled();
    expect(d.published().slice(3)).toMatchObject([
      { type: 'Agent Feed Interrupted', detail: { reason: 'unauthorised', occurredAt: at('00:31.001') } },
    ]);
    expect((await d.snapshots()).map(({ at: from }) => from)).toEqual([at('00:01.000'), at('00:31.001')]);
  });
});

describe('a slot without capacity in the rate limit', () => {
  /** Everything as after so many requests, which arrived at these times. */
  const withRequests = async (...requests: readonly number[]) => {
    const d = await deployment({ startedAt, service: { logins: [threeAgents] } });
    await d.poll();
    const { poller, ...row } = (await d.feed()) ?? {};
    const Item = marshalled({ ...row, poller: { ...Object(poller), requests } });
    await d.dynamodb.send(new PutItemCommand({ TableName: d.tables.agents, Item }));
    return d;
  };
  const next = Date.parse(at('00:16.000'));
  /** Capacity comes so long after the next slot's tick. */
  const fullFor = (waitMs: number) => withRequests(next + waitMs - 60_001, ...Array(4).fill(next - 1_000));

  it.each<[string, number, number, string | undefined]>([
    ['waits for a millisecond, and 5 ms more because timers fire early', 1, 0, at('00:16.006')],
    ['waits for five seconds', 5_000, 0, at('00:21.005')],
    ['is skipped at once where it would wait for longer', 5_001, 0, undefined],
    ['waits where the answer can then just come before the run ends', 3_000, 2_000, at('00:21.005')],
    ['is skipped where the answer could come too late', 3_000, 2_001, undefined],
  ])('%s', async (_title, waitMs, lateMs, sentAt) => {
    const d = await fullFor(waitMs + lateMs);
    d.restart();
    await d.before('agents', { operation: 'Query', times: 1 }, () => d.advance(lateMs)).during(() => d.poll());

    expect(d.service.requests()[1]?.at).toBe(sentAt);
    expect(d.now()).toBe(sentAt ?? new Date(next + lateMs).toISOString());
  });

  it.each<[string, of: Omit<Failure, 'kind'>, happens: (d: Deployment, other: Process) => unknown, requests: number]>([
    ['another process that acquires it', { operation: 'PutItem', times: 1 }, (_d, other) => other.tick(), 2],
    ['the next one as a clock is set back', { operation: 'Query', after: 1, times: 1 }, (d) => d.advance(-20_000), 1],
  ])('is left during the wait to %s', async (_title, of, happens, requests) => {
    const d = await fullFor(2_500);
    const other = d.startAnother();
    d.restart();
    await d.before('agents', of, () => happens(d, other)).during(() => d.poll());

    expect(d.service.requests()).toHaveLength(requests);
  });

  it('is left to the next one where a clock is set back while an aborted run is cleaned up', async () => {
    const d = await deployment({ startedAt, service: { logins: [threeAgents] } });
    await d.poll();
    await d.fail('telephony', { kind: 'crash-before' }).during(() => d.poll());
    await d.before('agents', { operation: 'PutItem', times: 1 }, () => d.advance(-20_000)).during(() => d.poll());

    expect(d.service.requests()).toHaveLength(1);
    expect(await d.feed()).toMatchObject({ lastProblem: { reason: 'aborted' } });
  });

  it('interrupts polling with the reason rate-limited when the rows are stale', async () => {
    const d = await withRequests(...Array(5).fill(Date.parse(at('00:25.000'))));
    await d.poll(at('00:31.000'));
    await d.settled();

    expect(d.service.requests()).toHaveLength(1);
    expect(await d.feed()).toMatchObject({
      status: 'interrupted',
      failingSince: at('00:31.000'),
      lastProblem: { reason: 'rate-limited', at: at('00:31.000') },
    });
    expect(d.published().at(-1)?.detail).toMatchObject({ reason: 'rate-limited' });
  });
});

describe('an account whose key is rejected', () => {
  const withKey = (key: string) => ({ ...polledAccount, apiKeys: [key] });
  const accepting =
    (key?: string) =>
    ({ headers }: ServiceRequest): ServiceAnswer =>
      headers['apiKey'] === key ? threeAgents : rejection;
  const { baseUrl: _baseUrl, token: _token, ...unpolled } = polledAccount;
  const keysSent = (d: Deployment) => d.service.requests().map(({ headers }) => headers['apiKey']);
  const reads = (d: Deployment) => d.operations().filter((operation) => operation === 'GetSecretValue').length;

  it.each<[string, ReturnType<typeof accepting>, next: object, polls: number, sent: string, reads: number, object]>([
    [
      'with its new key once the secret may be read again, despite the back-off of the old one',
      accepting('new'),
      withKey('new'),
      6,
      'old new new new new new',
      3,
      { status: 'live', asOf: at('01:46.000') },
    ],
    [
      'no more while its key is the same, though the secret is read again',
      accepting(),
      withKey('old'),
      2,
      'old',
      3,
      {},
    ],
    [
      'once with a new key that is rejected too, and then backs off as at first',
      accepting(),
      withKey('new'),
      4,
      'old new',
      4,
      { poller: { backOff: { until: at('01:45.000'), times: 1 } } },
    ],
    ['no more, nor is its secret read, once its address is gone', accepting(), unpolled, 11, 'old', 3, {}],
    [
      'with its old key after a rate limit: a new one would not help',
      () => maxLimit,
      withKey('new'),
      4,
      'old old old',
      2,
      {},
    ],
  ])('is polled %s', async (_title, logins, next, polls, sent, expectedReads, feed) => {
    const d = await deployment({ startedAt, accounts: [withKey('old')], service: { logins: [logins] } });
    await d.poll();
    expect(await d.feed()).toMatchObject({ poller: { backOff: { times: 1 } } });
    // A process that reads of the rejection knows of it like the one that met it.
    d.restart();
    await d.poll();
    d.putAccounts([next]);
    await d.polls(polls);

    expect([keysSent(d).join(' '), reads(d)]).toEqual([sent, expectedReads]);
    expect(await d.feed()).toMatchObject(feed);
    expect('backOff' in Object((await d.feed())?.['poller'])).toBe(Object(feed).status !== 'live');
  });

  it('is polled with its new key in the next slot, though the second tick of a slot has seen the key first', async () => {
    const logins = [threeAgents, threeAgents, rejection, threeAgents];
    const d = await deployment({ startedAt, accounts: [withKey('old')], service: { logins } });
    await d.polls(3);
    d.putAccounts([withKey('new')]);
    d.advance(1_000);
    await d.tick();
    expect(reads(d)).toBe(2);
    expect(keysSent(d)).toEqual(['old', 'old', 'old']);
    await d.poll();

    expect(keysSent(d).slice(3)).toEqual(['new']);
  });
});

describe('a poll with a generated token', () => {
  const withTokens = (
    logins: readonly ServiceAnswer[],
    token: readonly ServiceAnswer[] = ['token-1', 'token-2'].map(tokenAnswer),
  ) => deployment({ startedAt, accounts: [tokenAccount], service: { token, logins } });
  const sentIn = (d: Deployment) =>
    d.service.requests().map(({ operation, headers }) => (operation === 'token' ? 'token' : headers['Authorization']));

  it.each<[string, readonly ServiceAnswer[], readonly (string | undefined)[], object]>([
    ['sends one each time', [threeAgents], ['token', 'Bearer token-1', 'Bearer token-1'], { asOf: at('10:01.000') }],
    [
      'renews a rejected token once, and tries again with the new one',
      [threeAgents, unauthorised, threeAgents],
      ['token', 'Bearer token-1', 'Bearer token-1', 'token', 'Bearer token-2'],
      { status: 'live', asOf: at('10:01.000') },
    ],
    [
      'backs off where the new token is rejected too',
      [threeAgents, unauthorised],
      ['token', 'Bearer token-1', 'Bearer token-1', 'token', 'Bearer token-2'],
      { lastProblem: { reason: 'unauthorised' }, poller: { backOff: { times: 1 } } },
    ],
    [
      'renews no token for another failure',
      [threeAgents, answer({})],
      ['token', 'Bearer token-1', 'Bearer token-1'],
      { lastProblem: { reason: 'unexpected-answer' } },
    ],
  ])('%s', async (_title, logins, sent, status) => {
    const d = await withTokens(logins);
    await d.poll();
    await d.poll(at('10:01.000'));

    expect(sentIn(d)).toEqual(sent);
    expect(await d.feed()).toMatchObject(status);
  });

  it('leaves a new token to the next slot where the rate limit has no capacity, without a back-off', async () => {
    const d = await withTokens([threeAgents, answer('', 500), threeAgents, threeAgents, unauthorised, threeAgents]);
    await d.poll();
    await d.poll(at('10:01.000'));
    await d.polls(2);
    expect(sentIn(d).slice(-2)).toEqual(['Bearer token-1', 'token']);
    expect(await d.feed()).toMatchObject({ status: 'live', lastProblem: { reason: 'token-renewed' } });
    expect((await d.feed())?.['poller']).not.toHaveProperty('backOff');
    await d.poll();

    expect(sentIn(d).at(-1)).toBe('Bearer token-2');
    expect(await d.feed()).toMatchObject({ asOf: at('10:46.000') });
  });

  it('asks for no logins without a token, and waits for longer after each failure', async () => {
    const d = await withTokens([threeAgents], [answer('', 503)]);
    await d.polls(28);

    expect(new Set(sentIn(d))).toEqual(new Set(['token']));
    expect(await d.feed()).toMatchObject({ lastProblem: { reason: 'http-error' } });
    // 1, 2, 4 and 8 slots later.
    const times = d.service.requests().map((request) => request.at.slice(14, 19));
    expect(times).toEqual(['00:01', '00:16', '00:46', '01:46', '03:46']);
  });

  it('asks for no token before the Retry-After of a token request is over', async () => {
    const d = await withTokens([threeAgents], [answer('', 503, 40), tokenAnswer('token-2')]);
    const counts: number[] = [];
    for (let slot = 0; slot < 4; slot++) {
      await d.poll();
      counts.push(d.service.requests().length);
    }

    expect(counts).toEqual([1, 1, 1, 3]);
  });

  it('does not renew a token that the account’s settings have', async () => {
    const accounts = [{ ...polledAccount, token: { kind: 'static', value: 'fixed' } }];
    const d = await deployment({ startedAt, accounts, service: { logins: [unauthorised, threeAgents] } });
    await d.poll();

    expect(sentIn(d)).toEqual(['Bearer fixed']);
  });
});

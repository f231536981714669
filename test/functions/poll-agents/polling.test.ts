import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { namedAccounts } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { Snapshot } from '../../../lib/agents/schema.ts';
import { agentEvents } from '../../../lib/contract/agent-events.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import {
  type Deployment,
  type DeploymentOptions,
  deployment,
  manyAgents,
  noAnswer,
  type ServiceAnswer,
  success,
  threeAgents,
} from '../../deployment/index.ts';
import { otherAccount, polledAccount, specificationLogins } from '../../fixtures/accounts.ts';

/** Polls in one slot after the other, the first at 06:00:01, each with its answer. */
const polled = async (answers: readonly ServiceAnswer[], options: DeploymentOptions = {}): Promise<Deployment> => {
  const d = await deployment({ startedAt: '2026-11-20T05:59:50.000Z', ...options });
  d.service.answers({ logins: answers });
  await d.polls(answers.length);
  return d;
};

const at = (time: string): string => `2026-11-20T06:${time}Z`;

const statesOf = async (d: Deployment) =>
  Object.fromEntries(Object.entries(await d.agents()).map(([agentId, { state }]) => [agentId, state]));

/** The events about agents and polling, in short. */
const eventsOf = async (d: Deployment): Promise<readonly string[]> => {
  await d.settled();
  return d.published().map(({ type, detail }) => [type.slice('Agent '.length), detail['agentId']].join(' ').trim());
};

/** Which writes the slot of a poll. */
const firstPut = { operation: 'PutItem', times: 1 };

/** How many transactions a poll takes. */
const transactions = async (d: Deployment): Promise<number> => {
  const before = d.operations().length;
  await d.poll();
  return d
    .operations()
    .slice(before)
    .filter((operation) => operation === 'TransactWriteItems').length;
};

const [asha, ravi, meera] = specificationLogins;
const allIn = ['Logged In asha', 'Logged In meera', 'Logged In ravi'];
const redirect = noAnswer('redirect');

describe('polls', () => {
  it.each<[string, readonly ServiceAnswer[], Readonly<Record<string, string>>, readonly string[], object]>([
    [
      'log agents in',
      [threeAgents],
      { asha: 'ready', meera: 'idle', ravi: 'acw' },
      allIn,
      { status: 'live', statusSince: at('00:01.000'), asOf: at('00:01.000'), staleAt: at('00:31.000'), agentCount: 3 },
    ],
    [
      'change a state, and log out who is missing',
      [threeAgents, success([{ ...asha, AgentState: 'INCALL' }, ravi])],
      { asha: 'in-call', ravi: 'acw' },
      [...allIn, 'State Changed asha', 'Logged Out meera'],
      { status: 'live', statusSince: at('00:01.000'), asOf: at('00:16.000'), counts: { 'in-call': 1, acw: 1 } },
    ],
    [
      'tell of nothing where nothing is new',
      [threeAgents, success([meera, ravi, asha])],
      { asha: 'ready', meera: 'idle', ravi: 'acw' },
      allIn,
      { asOf: at('00:16.000') },
    ],
    [
      'log in again an agent who was away',
      [threeAgents, success([]), success([asha])],
      { asha: 'ready' },
      [...allIn, 'Logged Out asha', 'Logged Out meera', 'Logged Out ravi', 'Logged In asha'],
      { agentCount: 1 },
    ],
    [
      'log out nobody whom an unreadable record may mean, and count such records',
      [threeAgents, success([asha, { AgentId: 'ravi' }, { AgentName: 'Nobody here' }])],
      { asha: 'ready', ravi: 'acw' },
      [...allIn, 'Logged Out meera'],
      { unreadableRecords: 2, agentCount: 2 },
    ],
    [
      'tell of no interruption for one failure, and keep what is known',
      [threeAgents, redirect],
      { asha: 'ready', meera: 'idle', ravi: 'acw' },
      allIn,
      { status: 'live', asOf: at('00:01.000'), failingSince: at('00:16.000'), lastProblem: { reason: 'redirect' } },
    ],
    [
      'tell of one interruption while they fail, dated to when the rows became stale',
      [threeAgents, ...Array(6).fill(redirect)],
      { asha: 'ready', meera: 'idle', ravi: 'acw' },
      [...allIn, 'Feed Interrupted'],
      { status: 'interrupted', statusSince: at('00:31.001'), asOf: at('00:01.000'), agentCount: 3 },
    ],
    [
      'tell of an interruption after 30 seconds of failures without any answer',
      [redirect, redirect, redirect],
      {},
      ['Feed Interrupted'],
      { status: 'interrupted', statusSince: at('00:31.001'), failingSince: at('00:01.000') },
    ],
    [
      'tell of nothing for 15 seconds of failures without any answer',
      [redirect, redirect],
      {},
      [],
      { status: 'starting', statusSince: at('00:01.000'), failingSince: at('00:01.000') },
    ],
    [
      'tell of the end of an interruption together with what is new',
      [threeAgents, redirect, redirect, success([asha])],
      { asha: 'ready' },
      [...allIn, 'Feed Interrupted', 'Feed Restored', 'Logged Out meera', 'Logged Out ravi'],
      { status: 'live', statusSince: at('00:46.000') },
    ],
  ])('%s', async (_title, answers, agents, events, status) => {
    const d = await polled(answers);

    expect(await statesOf(d)).toEqual(agents);
    expect((await eventsOf(d)).toSorted()).toEqual(events.toSorted());
    expect(await d.feed()).toMatchObject({ ...status, poller: { inFlight: false } });
    expect(d.faults()).toEqual([]);
    expect(await d.floor()).toMatchObject({ feed: status });
  });

  it('tell of each change what was before and after it, and keep timeline and snapshots', async () => {
    const nila = { AgentId: 'nila', AgentName: 'Nila Rao', PhoneNumber: '12' };
    const d = await polled([
      success([{ ...nila, AgentState: 'READY', SkillName: 'Sales' }]),
      success([{ ...nila, AgentState: 'PAUSE', SkillName: 'Support, Sales' }]),
      success([]),
    ]);
    await d.settled();
    const first = at('00:01.000');
    const second = at('00:16.000');
    const third = at('00:31.000');
    const person = { agentId: 'nila', name: 'Nila Rao', phoneNumber: '12', loggedInSince: first };
    const ready = { ...person, state: 'ready', stateAsSent: 'READY', skills: ['Sales'], since: first };
    const paused = { ...person, state: 'pause', stateAsSent: 'PAUSE', skills: ['Support', 'Sales'], since: second };
    const { stateAsSent: _sent, ...left } = { ...paused, state: 'logged-out', since: third };
    const change = { occurredAt: second, version: 2, previous: ready, current: paused, secondsInPreviousState: 15 };

    expect(d.published()).toMatchObject([
      {
        type: 'Agent Logged In',
        detail: { occurredAt: first, version: 1, previous: { state: 'logged-out' }, current: ready },
      },
      { type: 'Agent State Changed', detail: change },
      { type: 'Agent Details Changed', detail: { ...change, changedFields: ['skills'] } },
      {
        type: 'Agent Logged Out',
        detail: { occurredAt: third, version: 3, previous: paused, current: left, secondsInPreviousState: 15 },
      },
    ]);
    for (const { type, detail } of d.published()) agentEvents[type as keyof typeof agentEvents].parse(detail);
    expect(await d.intervals('nila')).toMatchObject([
      { state: 'ready', from: first, to: second, seconds: 15 },
      { state: 'pause', from: second, to: third, seconds: 15 },
    ]);
    const states = (await d.snapshots()).map((row) => Snapshot.parse(row).agents.map(({ state }) => state));
    expect(states).toEqual([['ready'], ['pause'], []]);
  });

  it('write one row for the slot and one for the answer where nothing is new', async () => {
    const d = await polled([threeAgents, threeAgents]);
    const before = d.operations().length;
    await d.poll();

    const request = 'https://service.invalid/ca_apis/getAgentLogins';
    expect(d.operations().slice(before)).toEqual(['PutItem', request, 'PutItem']);
    expect(d.measured()['EventsPublished']).toEqual([0]);
    expect(await d.snapshots()).toHaveLength(1);
    expect(await eventsOf(d)).toHaveLength(3);
  });

  it.each([
    ['an empty record', [null], ['asha', 'meera', 'ravi'], ['asha']],
    ['a record with a number and no id', [{ PhoneNumber: '09000000003' }], ['asha', 'meera'], ['asha']],
    ['one beside a Meera without a state', [null, { AgentID: 'meera' }], ['asha', 'meera', 'ravi'], ['asha', 'meera']],
  ])('log out who is missing once %s has come for more than five minutes', async (_title, records, present, left) => {
    const d = await polled([threeAgents, success([asha, ...records])]);
    for (let slot = 0; slot < 20; slot++) {
      expect(Object.keys(await d.agents())).toEqual(present);
      await d.poll();
    }
    expect(Object.keys(await d.agents())).toEqual(present);
    await d.poll();

    expect(Object.keys(await d.agents())).toEqual(left);
    expect(await d.feed()).toMatchObject({ unreadableRecords: left.length });
  });

  it('skip an agent’s row that something else wrote, and write that agent anew', async () => {
    const d = await polled([threeAgents]);
    const Item = marshalled({ pk: 'demo', sk: 'agent#asha', kind: 'agent', agentId: 'asha' });
    await d.dynamodb.send(new PutItemCommand({ TableName: d.tables.agents, Item }));
    d.restart();
    await d.poll();

    expect(await statesOf(d)).toEqual({ asha: 'ready', meera: 'idle', ravi: 'acw' });
    expect(d.faults()).toEqual(['row']);
  });

  it.each([
    ['the second of their request', 1_999, at('00:17.000')],
    ['a second after the last one, where a clock was set back to its second', -14_700, at('00:02.000')],
    ['a second after the last one, where a clock was set back further', -60_000, at('00:02.000')],
  ])('are dated to %s', async (_title, ms, asOf) => {
    const d = await polled([threeAgents]);
    await d.before('agents', firstPut, () => d.advance(ms)).during(() => d.poll());

    expect(await d.feed()).toMatchObject({ asOf });
  });

  it('are dated after the interruption that they end, though both are in one second', async () => {
    const d = await polled([threeAgents, redirect, redirect]);
    d.service.answers({ logins: [threeAgents] });
    await d.before('agents', firstPut, () => d.advance(-14_700)).during(() => d.poll());
    await d.settled();

    expect(await d.feed()).toMatchObject({ status: 'live', statusSince: at('00:32.000') });
    expect(d.published().at(-1)?.detail).toMatchObject({ secondsInterrupted: 1 });
    expect((await d.snapshots()).map(({ at: from, status }) => [from, status])).toEqual([
      [at('00:01.000'), 'live'],
      [at('00:31.001'), 'interrupted'],
      [at('00:32.000'), 'live'],
    ]);
  });

  it.each([
    ['as the agents are', threeAgents, 3],
    ['while nobody is logged in', success([]), 0],
  ])('save a snapshot on each new day, of which nothing is told: %s', async (_title, answer, count) => {
    const d = await polled([answer]);
    await d.poll('2026-11-20T18:29:50.000Z');
    const told = [await eventsOf(d), d.measured()['EventsPublished']];
    await d.poll('2026-11-20T18:30:05.000Z');
    const counted = d.measured()['EventsPublished'];

    expect((await d.snapshots()).at(-1)).toMatchObject({ at: '2026-11-20T18:30:05.000Z', status: 'live' });
    expect((await d.snapshots()).at(-1)?.['agents']).toHaveLength(count);
    expect((await d.rows('agents')).filter(({ kind }) => kind === 'interval')).toHaveLength(2 * count);
    expect([await eventsOf(d), counted]).toEqual(told);
  });
});

describe('an interruption', () => {
  it('has a snapshot of the agents as they were last known', async () => {
    const d = await polled([threeAgents, redirect, redirect]);
    await d.settled();

    expect((await d.snapshots()).at(-1)).toMatchObject({
      at: at('00:31.001'),
      asOf: at('00:01.000'),
      status: 'interrupted',
      counts: { ready: 1, acw: 1, idle: 1 },
    });
    expect(await d.feed()).toMatchObject({ poller: { snapshotAt: at('00:31.001') } });
    expect(d.published().at(-1)?.detail).toMatchObject({
      occurredAt: at('00:31.001'),
      recordedAt: at('00:31.000'),
      asOf: at('00:01.000'),
      reason: 'redirect',
    });
  });

  it('is told of even if its snapshot cannot be saved, which nothing then names', async () => {
    const d = await polled([threeAgents, redirect]);
    await d.fail('agents', { operation: 'BatchWriteItem' }).during(() => d.poll());

    expect(d.faults()).toEqual(['agent-store']);
    expect(await eventsOf(d)).toEqual([...allIn, 'Feed Interrupted']);
    expect(await d.snapshots()).toHaveLength(1);
    expect(await d.feed()).toMatchObject({ status: 'interrupted', poller: { snapshotAt: at('00:01.000') } });
  });

  it('is not told of where it cannot be written', async () => {
    const d = await polled([threeAgents, redirect]);
    await d.fail('agents', { operation: 'TransactWriteItems' }).during(() => d.poll());

    expect(await eventsOf(d)).toEqual(allIn);
    expect(d.faults()).toEqual(['agent-store']);
  });

  it('is recorded before anything is sent after a time without polls, and ends with the next answer', async () => {
    const d = await polled([threeAgents]);
    const seen: unknown[] = [];
    const seeing = async () => {
      await d.settled();
      seen.push(d.published().at(-1)?.detail);
      return redirect;
    };
    d.service.answers({ logins: [seeing, threeAgents] });
    await d.poll(at('10:01.000'));
    await d.poll();
    await d.settled();

    expect(seen).toMatchObject([{ reason: 'not-polled', asOf: at('00:01.000'), occurredAt: at('00:31.001') }]);
    expect(d.published().slice(3)).toMatchObject([
      { type: 'Agent Feed Interrupted' },
      { type: 'Agent Feed Restored', detail: { interruptedAt: at('00:31.001'), secondsInterrupted: 585 } },
    ]);
    expect((await d.snapshots()).map(({ at: from, status }) => [from, status])).toEqual([
      [at('00:01.000'), 'live'],
      [at('00:31.001'), 'interrupted'],
      [at('10:16.000'), 'live'],
    ]);
  });
});

describe('many agents', () => {
  it('are written in few transactions, and those who have logged out are removed in few', async () => {
    const d = await polled([manyAgents(300)]);
    d.service.answers({ logins: [manyAgents(300, 'ACW'), success([])] });

    // An agent has three rows when the state changes, two at the log-out, and one to remove.
    expect(await transactions(d)).toBe(Math.ceil(300 / 32));
    expect(await transactions(d)).toBe(Math.ceil(300 / 49) + Math.ceil(300 / 98));
    expect(await d.agents()).toEqual({});
    expect(await transactions(d)).toBe(0);
    expect(await eventsOf(d)).toHaveLength(900);
  });

  it('fill one transaction beside the end of an interruption', async () => {
    const named = (AgentName: string, count: number) =>
      success(Array.from({ length: count }, (_, index) => ({ AgentId: `${index}`, AgentState: 'READY', AgentName })));
    const d = await polled([named('before', 98), redirect, redirect]);
    d.service.answers({ logins: [named('after', 98)] });

    expect(await transactions(d)).toBe(1);
    expect((await eventsOf(d)).slice(-99).toSorted()[98]).toBe('Feed Restored');
  });

  it('have snapshots in parts that fit into rows, each agent in one of them', async () => {
    const people = (count: number, more: object) =>
      success(
        Array.from({ length: count }, (_, index) => ({
          AgentId: `agent-${index}`,
          AgentState: 'READY',
          AgentName: 'Nobody',
          SkillName: 'Sales, Support',
          ...more,
        })),
      );
    const skills = Array.from({ length: 50 }, (_, skill) => `${skill}`.padEnd(100, '漢')).join(',');
    for (const [answer, count, parts] of [
      [people(1_400, { PhoneNumber: '12345678901' }), 1_400, 1],
      [people(2_000, { PhoneNumber: '12345678901' }), 2_000, 2],
      [people(40, { SkillName: skills }), 40, 2],
    ] as const) {
      const d = await polled([answer]);
      const rows = await d.snapshots();
      const ids = rows.flatMap((row) => Snapshot.parse(row).agents.map(({ agentId }) => agentId));

      expect(rows.map((row) => [row['part'], row['parts']])).toEqual(rows.map((_, index) => [index, parts]));
      expect([ids.length, new Set(ids).size]).toEqual([count, count]);
      // All that is left to write is read from the parts together.
      await d.polls(12);
      expect(Object.keys(await d.agents())).toHaveLength(count);
    }
  });
});

describe('several accounts', () => {
  const polledToo = { ...otherAccount, baseUrl: polledAccount.baseUrl };
  const accounts = [polledAccount, polledToo];

  it('measure the age of the oldest', async () => {
    const d = await deployment({ accounts });
    d.service.answers({ logins: [threeAgents, threeAgents, redirect, threeAgents] });
    await d.tick();
    await d.poll();

    expect(d.measured()['FeedAgeSeconds']).toEqual([0, 15]);
  });

  it.each<[string, readonly boolean[], readonly number[]]>([
    ['from its last answer', [false, true, true, true, false], [0, 15, 30, 45, 0]],
    ['from its first failure, where it was never answered', [true, true, true], [0, 15, 30]],
  ])('measure the age of one whose rows cannot be read or written: %s', async (_title, slots, ages) => {
    const d = await deployment({ accounts, service: { logins: [threeAgents] } });
    for (const isDown of slots)
      await (isDown ? d.fail('agents', { holding: '"other' }).during(() => d.poll()) : d.poll());

    expect(d.measured()['FeedAgeSeconds']).toEqual(ages);
    expect(await d.feed('demo')).toMatchObject({ status: 'live' });
    expect(new Set(d.faults())).toEqual(new Set(['agent-store']));
  });

  it('measure an age of zero where none is polled', async () => {
    const d = await deployment({ accounts: [otherAccount] });
    await d.tick();

    expect(d.measured()).toMatchObject({ FeedAgeSeconds: [0], CallbackSilenceSeconds: [0] });
    expect(d.service.requests()).toEqual([]);
  });

  it('are forgotten when they are polled no more, and hide no other while nothing is known of them', async () => {
    const d = await deployment({ accounts, service: { logins: [threeAgents] } });
    await d.tick();
    d.putAccounts([polledAccount]);
    d.advance(300_000);
    await d.poll();
    d.putAccounts(accounts);
    d.restart();
    await d.tick();

    expect(d.measured()['FeedAgeSeconds']).toEqual([0, 0, 0]);
  });

  it('are not polled where the secret cannot be read, as nobody knows them', async () => {
    const d = await deployment();
    await d.fail('secrets').during(() => d.poll());

    expect(d.service.requests()).toEqual([]);
    expect(d.faults()).toEqual(['accounts']);
    expect(d.metrics()).toEqual({});
  });

  it('are named in a row without keys, which follows the secret and is written again after a failure', async () => {
    const d = await deployment({ accounts: [polledAccount] });
    const named = async () => (await d.rows('agents')).find(({ kind }) => kind === 'accounts')?.['accounts'];
    const demo = { userName: 'demo', timeZone: 'Asia/Kolkata', country: 'IN', isPolled: true };
    await d.fail('agents', { operation: 'BatchWriteItem', holding: 'timeZone' }).during(() => d.poll());
    expect(await named()).toBeUndefined();
    expect(d.faults()).toEqual(['agent-store']);
    await d.poll();
    expect(await named()).toEqual([demo]);
    d.putAccounts([polledAccount, otherAccount]);
    d.advance(300_000);
    await d.poll();

    const other = { userName: 'other', timeZone: 'Europe/London', country: 'GB', isPolled: false };
    expect(await named()).toEqual([demo, other]);

    const changes = { timeZone: 'America/New_York', country: 'CA', sharedNumbers: ['100'], baseUrl: undefined };
    for (const [name, value] of Object.entries(changes)) {
      const changed = { ...polledAccount, [name]: value } as Account;
      d.putAccounts([changed]);
      d.advance(300_000);
      await d.poll();

      expect(await named(), name).toEqual(JSON.parse(JSON.stringify(namedAccounts([changed]))));
    }
  });
});

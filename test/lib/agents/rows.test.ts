import { describe, expect, it } from 'vitest';
import { newPollStatus } from '../../../functions/poll-agents/poll-status.ts';
import { agentIn, changeOf } from '../../../lib/agents/diff-agents.ts';
import {
  afterSnapshot,
  agentKey,
  agentOf,
  agentRow,
  agentsKey,
  changeRows,
  feedChangesKey,
  intervalRow,
  pollStatusKey,
  pollStatusOf,
  snapshotOf,
  snapshotPartKey,
  snapshotsKey,
  stateKey,
  timelineKey,
} from '../../../lib/agents/rows.ts';
import { tokenKey } from '../../../lib/service/token-cache.ts';
import { agentFacts, loggedIn, moment } from '../../support/posted-records.ts';

const at = '2026-11-20T06:00:00.000Z';

describe('the keys of the agents’ table', () => {
  it.each([
    ['an agent', agentKey('demo', 'asha'), { pk: 'demo', sk: 'agent#asha' }],
    [
      'an agent whose id has digits beyond 2^53',
      agentKey('demo', '98765432109876543210'),
      { pk: 'demo', sk: 'agent#98765432109876543210' },
    ],
    ['names with separators', agentKey('a#b', 'c d'), { pk: 'a%23b', sk: 'agent#c%20d' }],
    ['the poll status', pollStatusKey('demo'), { pk: 'demo', sk: 'feed' }],
    ['a part of a snapshot', snapshotPartKey('demo', at, 7), { pk: 'demo#floor', sk: `${at}#007` }],
    ['the token', tokenKey('demo'), { pk: 'demo#token', sk: 'token' }],
    ['the agents and the poll status', agentsKey('demo'), 'demo'],
    ['an agent’s timeline', timelineKey('demo', 'asha'), 'demo#agent#asha'],
    ['snapshots', snapshotsKey('demo'), 'demo#floor'],
    ['interruptions', feedChangesKey('demo'), 'demo#feed'],
    ['the agents in a state', stateKey('demo', 'in-call'), 'demo#in-call'],
  ])('are those of the contract: %s', (_title, key, expected) => {
    expect(key).toEqual(expected);
  });

  it('sort the poll status after every agent', () => {
    for (const id of ['0', 'zzz', '~', '漢', '😀', 'feed'])
      expect(agentKey('demo', id).sk < pollStatusKey('demo').sk).toBe(true);
  });

  it('sort the parts of a snapshot by number, before `afterSnapshot`, and snapshots by time', () => {
    const keys = [
      ...[0, 2, 10, 999].map((part) => snapshotPartKey('demo', at, part).sk),
      afterSnapshot(at),
      snapshotPartKey('demo', '2026-11-20T06:00:00.001Z', 0).sk,
      afterSnapshot('2026-11-20T06:00:15.000Z'),
      '~',
    ];

    expect(keys.toSorted()).toEqual(keys);
  });

  it('differ for different accounts and agents, whatever their names', () => {
    const accounts = ['demo', 'Demo', 'demo#floor', 'demo#agent#asha', 'demo%23floor', 'a b', 'é'];
    const keys = accounts.flatMap((account) => [
      ...[agentsKey, snapshotsKey, feedChangesKey].map((keyOf) => keyOf(account)),
      tokenKey(account).pk,
      ...['asha', 'a#sha'].map((agentId) => timelineKey(account, agentId)),
    ]);

    expect(new Set(keys).size).toBe(keys.length);
  });
});

const asha = loggedIn(at, { AgentName: 'Asha' });
const loggedOut = changeOf(asha, undefined, moment('2026-11-20T06:00:15.000Z'))?.after ?? asha;

describe('a row', () => {
  it('of an agent has the agent, and is in the index by state', () => {
    const row = agentRow('demo', asha);

    expect(row).toEqual({
      ...asha,
      pk: 'demo',
      sk: 'agent#asha',
      kind: 'agent',
      account: 'demo',
      agentsInState: 'demo#ready',
    });
    expect(agentOf(row)).toEqual(asha);
    expect(Object.values(agentRow('demo', loggedIn(at)))).not.toContain(undefined);
  });

  it('of an agent who has logged out is in no index', () => {
    expect(agentRow('demo', loggedOut)).not.toHaveProperty('agentsInState');
    expect(agentOf(agentRow('demo', loggedOut))).toEqual(loggedOut);
  });

  it.each([
    ['some days after its end', { to: '2026-11-20T18:30:00.000Z', seconds: 45_000 }, '2027-02-18T18:30:00.000Z'],
    ['some days after its beginning while it is open', {}, '2027-02-18T06:00:00.000Z'],
  ])('of an interval expires %s', (_title, end, expires) => {
    const interval = { agentId: 'asha', state: 'ready', stateAsSent: 'READY', since: at, from: at, ...end } as const;

    expect(intervalRow('demo', interval, 90)).toEqual({
      ...interval,
      pk: 'demo#agent#asha',
      sk: at,
      kind: 'interval',
      account: 'demo',
      expiresAt: Date.parse(expires) / 1000,
    });
  });

  it.each([{}, { agentId: 'asha' }, { ...asha, state: 'dancing' }, { ...asha, version: 0 }])(
    'is rejected where something else wrote it: %j',
    (row) => {
      expect(() => agentOf(row)).toThrow();
      expect(() => pollStatusOf({ pk: 'demo', sk: 'feed', ...row })).toThrow();
    },
  );
});

it('the poll status and snapshots are read, though a newer version knows more words', () => {
  const lastProblem = { reason: 'maintenance', at };
  const row = { ...newPollStatus('demo', new Date(at)), ...pollStatusKey('demo'), lastProblem };

  const agents = [{ ...agentIn(asha), state: 'dancing' }];
  const snapshot = { at, status: 'live', part: 0, parts: 1, counts: { dancing: 1 }, agents };

  expect(pollStatusOf(row)).toMatchObject({ lastProblem });
  expect(snapshotOf({ pk: 'demo#floor', sk: at, ...snapshot })).toEqual(snapshot);
});

it('the row of an agent is put at the log-in, and removed at the poll after the log-out', () => {
  const logIn = changeOf(undefined, agentFacts({}), moment(at));
  const removal = changeOf(loggedOut, undefined, moment('2026-11-20T06:00:30.000Z'));
  const rows = (change = logIn) => change && changeRows('demo', change, 90);

  expect(rows()?.puts.map(({ kind }) => kind)).toEqual(['agent', 'interval']);
  expect(rows()?.removes).toEqual([]);
  expect(rows(removal)).toMatchObject({ puts: [], removes: [agentKey('demo', loggedOut.agentId)] });
});

import { describe, expect, it } from 'vitest';
import {
  afterSnapshot,
  agentKey,
  agentOf,
  agentRow,
  agentsKey,
  changeRows,
  feedChangeRow,
  feedChangesKey,
  feedKey,
  feedOf,
  feedRow,
  intervalRow,
  snapshotPartKey,
  snapshotsKey,
  stateKey,
  timelineKey,
  tokenKey,
} from '../../../lib/agents/agent-rows.ts';
import { changeOf } from '../../../lib/agents/diff-agents.ts';
import { newFeed } from '../../../lib/agents/feed.ts';
import { pollAnswered, pollFailed } from '../../../lib/agents/feed-transitions.ts';
import { agentsTable } from '../../../lib/schema/tables.ts';
import { agentFacts, loggedIn, moment } from '../../support/agents.ts';

const at = '2026-11-20T06:00:00.000Z';

describe('the keys of the agents’ table', () => {
  it.each([
    ['an agent', agentKey('demo', 'asha'), { pk: 'demo', sk: 'agent#asha' }],
    ['the feed', feedKey('demo'), { pk: 'demo', sk: 'feed' }],
    ['a part of a kept floor', snapshotPartKey('demo', at, 7), { pk: 'demo#floor', sk: `${at}#007` }],
    ['the token', tokenKey('demo'), { pk: 'demo#token', sk: 'token' }],
  ])('name %s', (_title, key, expected) => {
    expect(key).toEqual(expected);
  });

  it.each([
    ['the floor as it is now', agentsKey('demo'), 'demo'],
    ['an agent’s timeline', timelineKey('demo', 'asha'), 'demo#agent#asha'],
    ['floors of the past', snapshotsKey('demo'), 'demo#floor'],
    ['what became of the feed', feedChangesKey('demo'), 'demo#feed'],
    ['the agents in a state', stateKey('demo', 'in-call'), 'demo#in-call'],
  ])('name %s', (_title, key, expected) => {
    expect(key).toBe(expected);
  });

  it('sort the feed after every agent', () => {
    for (const id of ['0', 'zzz', '~', '漢', '😀', 'feed'])
      expect(agentKey('demo', id).sk < feedKey('demo').sk).toBe(true);
  });

  it('sort the parts of a floor by number, before what comes after it, and floors by time', () => {
    const keys = [
      snapshotPartKey('demo', at, 0).sk,
      snapshotPartKey('demo', at, 2).sk,
      snapshotPartKey('demo', at, 10).sk,
      snapshotPartKey('demo', at, 999).sk,
      afterSnapshot(at),
      snapshotPartKey('demo', '2026-11-20T06:00:00.001Z', 0).sk,
      afterSnapshot('2026-11-20T06:00:15.000Z'),
      '~',
    ];

    expect(keys.toSorted()).toEqual(keys);
  });

  it('keep accounts and agents apart, whatever they are called', () => {
    const accounts = ['demo', 'Demo', 'demo#floor', 'demo#agent#asha', 'demo%23floor', 'a b', 'é'];
    const keys = accounts.flatMap((account) => [
      agentsKey(account),
      snapshotsKey(account),
      feedChangesKey(account),
      tokenKey(account).pk,
      timelineKey(account, 'asha'),
      timelineKey(account, 'a#sha'),
    ]);

    expect(new Set(keys).size).toBe(keys.length);
  });

  it('keep digits and letters as they are', () => {
    expect(agentKey('demo', '98765432109876543210')).toEqual({ pk: 'demo', sk: 'agent#98765432109876543210' });
    expect(agentKey('a#b', 'c d')).toEqual({ pk: 'a%23b', sk: 'agent#c%20d' });
  });
});

const began = '2026-11-20T06:00:00.000Z';
const then = moment('2026-11-20T06:00:15.000Z');
const asha = loggedIn(began, { AgentName: 'Asha' });
const left = changeOf(asha, undefined, then)?.after ?? asha;
const live = pollAnswered(newFeed('demo', new Date(began)), { at: began, counts: { ready: 1 }, unreadableRecords: 2 });

describe('an agent’s row', () => {
  it('has the agent, and is found by state', () => {
    expect(agentRow('demo', asha)).toEqual({
      ...asha,
      pk: 'demo',
      sk: 'agent#asha',
      kind: 'agent',
      account: 'demo',
      agentsInState: 'demo#ready',
    });
    expect(agentOf(agentRow('demo', asha))).toEqual(asha);
  });

  it('has every attribute that the index shows', () => {
    const { projection = [], key } = agentsTable.indexes[0] ?? {};
    const row = agentRow('demo', loggedIn(began, { AgentName: 'Asha', PhoneNumber: '1', SkillName: 'x' }));

    expect(projection.filter((name) => !(name in row))).toEqual([]);
    expect(row).toHaveProperty(key?.partition ?? '');
    expect(row).toHaveProperty(key?.sort ?? '');
  });

  it('is found under no state once the agent has left', () => {
    expect(agentRow('demo', left)).not.toHaveProperty('agentsInState');
    expect(agentOf(agentRow('demo', left))).toEqual(left);
  });

  it('has no attribute where nothing is known', () => {
    expect(Object.values(agentRow('demo', loggedIn(began)))).not.toContain(undefined);
  });

  it.each([{}, { agentId: 'asha' }, { ...asha, state: 'dancing' }, { ...asha, version: 0 }])(
    'is not taken for one that something else wrote: %j',
    (row) => {
      expect(() => agentOf(row)).toThrow();
    },
  );
});

describe('the row of a piece of a timeline', () => {
  const piece = { agentId: 'asha', state: 'ready', stateAsSent: 'READY', since: began, from: began } as const;

  it('expires so many days after its end', () => {
    const to = '2026-11-20T18:30:00.000Z';

    expect(intervalRow('demo', { ...piece, to, seconds: 45_000 }, 90)).toEqual({
      ...piece,
      to,
      seconds: 45_000,
      pk: 'demo#agent#asha',
      sk: began,
      kind: 'interval',
      account: 'demo',
      expiresAt: Date.parse('2027-02-18T18:30:00.000Z') / 1000,
    });
  });

  it('expires so many days after its beginning while it is open', () => {
    expect(intervalRow('demo', piece, 90)['expiresAt']).toBe(Date.parse('2027-02-18T06:00:00.000Z') / 1000);
  });
});

describe('rowsOf', () => {
  it('has the agent’s row and the timeline’s', () => {
    const step = changeOf(asha, agentFacts({ AgentState: 'ACW' }), then);
    const { puts, removes } = changeRows('demo', step ?? never(), 90);

    expect(puts.map(({ kind, sk }) => [kind, sk])).toEqual([
      ['agent', 'agent#asha'],
      ['interval', began],
      ['interval', then.at],
    ]);
    expect(removes).toEqual([]);
  });

  it('has a removal for one who is gone', () => {
    expect(changeRows('demo', { agentId: 'asha', after: undefined, timeline: [] }, 90)).toEqual({
      puts: [],
      removes: [{ pk: 'demo', sk: 'agent#asha' }],
    });
  });
});

const never = (): never => {
  throw new Error('no step');
};

describe('the feed’s row', () => {
  it('has the feed', () => {
    expect(feedRow(live)).toEqual({ ...live, pk: 'demo', sk: 'feed', kind: 'feed' });
    expect(feedOf(feedRow(live))).toEqual(live);
  });

  it('is not taken for one that something else wrote', () => {
    expect(() => feedOf({ pk: 'demo', sk: 'feed' })).toThrow();
  });

  it('has beside it a row for an interruption, with its reason', () => {
    const interrupted = pollFailed(live, { reason: 'timeout' }, new Date('2026-11-20T06:00:31.250Z'));

    expect(feedChangeRow(live, interrupted, then.recordedAt, 90)).toEqual({
      pk: 'demo#feed',
      sk: '2026-11-20T06:00:30.001Z',
      kind: 'feed-change',
      account: 'demo',
      status: 'interrupted',
      at: '2026-11-20T06:00:30.001Z',
      asOf: began,
      previousSince: began,
      reason: 'timeout',
      recordedAt: then.recordedAt,
      expiresAt: Math.floor(Date.parse('2027-02-18T06:00:30.001Z') / 1000),
    });
  });

  it('has beside it a row for an interruption, without a reason that is not known', () => {
    const { lastProblem: _problem, ...interrupted } = pollFailed(
      live,
      { reason: 'timeout' },
      new Date('2026-11-20T06:00:31Z'),
    );
    const row = feedChangeRow(live, interrupted, then.recordedAt, 90);

    expect(row).toMatchObject({ status: 'interrupted' });
    expect(row).not.toHaveProperty('reason');
  });

  it('has beside it a row for its restoration, without a reason', () => {
    const interrupted = pollFailed(live, { reason: 'timeout' }, new Date('2026-11-20T06:00:31.250Z'));
    const at = '2026-11-20T06:00:46.000Z';
    const restored = pollAnswered(interrupted, { at, counts: {}, unreadableRecords: 0 });
    const row = feedChangeRow(interrupted, restored, then.recordedAt, 90);

    expect(row).toMatchObject({ sk: at, status: 'live', asOf: at, previousSince: '2026-11-20T06:00:30.001Z' });
    expect(row).not.toHaveProperty('previousStatus');
    expect(row).not.toHaveProperty('reason');
  });
});

import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../lib/agents/diff-agents.ts';
import { newFeed, pollAnswered, pollFailed } from '../../../lib/agents/feed.ts';
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
} from '../../../lib/agents/rows.ts';
import type { Feed } from '../../../lib/agents/schema.ts';
import { tokenKey } from '../../../lib/telephony/service/token-cache.ts';
import { agentFacts, loggedIn, moment } from '../../support/agents.ts';

const at = '2026-11-20T06:00:00.000Z';

describe('the keys of the agents’ table', () => {
  it.each([
    ['an agent', agentKey('demo', 'asha'), { pk: 'demo', sk: 'agent#asha' }],
    ['the feed', feedKey('demo'), { pk: 'demo', sk: 'feed' }],
    ['a part of a snapshot', snapshotPartKey('demo', at, 7), { pk: 'demo#floor', sk: `${at}#007` }],
    ['the token', tokenKey('demo'), { pk: 'demo#token', sk: 'token' }],
  ])('name %s', (_title, key, expected) => {
    expect(key).toEqual(expected);
  });

  it.each([
    ['the agents and the feed', agentsKey('demo'), 'demo'],
    ['an agent’s timeline', timelineKey('demo', 'asha'), 'demo#agent#asha'],
    ['snapshots', snapshotsKey('demo'), 'demo#floor'],
    ['changes of the feed', feedChangesKey('demo'), 'demo#feed'],
    ['the agents in a state', stateKey('demo', 'in-call'), 'demo#in-call'],
  ])('name %s', (_title, key, expected) => {
    expect(key).toBe(expected);
  });

  it('sort the feed after every agent', () => {
    for (const id of ['0', 'zzz', '~', '漢', '😀', 'feed'])
      expect(agentKey('demo', id).sk < feedKey('demo').sk).toBe(true);
  });

  it('sort the parts of a snapshot by number, before `afterSnapshot`, and snapshots by time', () => {
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

  it('differ for different accounts and agents, whatever their names', () => {
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

  it('encode only what could be mistaken for a separator', () => {
    expect(agentKey('demo', '98765432109876543210')).toEqual({ pk: 'demo', sk: 'agent#98765432109876543210' });
    expect(agentKey('a#b', 'c d')).toEqual({ pk: 'a%23b', sk: 'agent#c%20d' });
  });
});

const began = '2026-11-20T06:00:00.000Z';
const then = moment('2026-11-20T06:00:15.000Z');
const asha = loggedIn(began, { AgentName: 'Asha' });
const loggedOut = changeOf(asha, undefined, then)?.after ?? asha;
const live = pollAnswered(newFeed('demo', new Date(began)), { at: began, counts: { ready: 1 }, unreadableRecords: 2 });

describe('an agent’s row', () => {
  it('has the agent, and is in the index by state', () => {
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

  it('is in no index once the agent has logged out', () => {
    expect(agentRow('demo', loggedOut)).not.toHaveProperty('agentsInState');
    expect(agentOf(agentRow('demo', loggedOut))).toEqual(loggedOut);
  });

  it('has no attribute without a value', () => {
    expect(Object.values(agentRow('demo', loggedIn(began)))).not.toContain(undefined);
  });

  it.each([{}, { agentId: 'asha' }, { ...asha, state: 'dancing' }, { ...asha, version: 0 }])(
    'is rejected where something else wrote it: %j',
    (row) => {
      expect(() => agentOf(row)).toThrow();
    },
  );
});

describe('the row of an interval', () => {
  const open = { agentId: 'asha', state: 'ready', stateAsSent: 'READY', since: began, from: began } as const;

  it('expires some days after its end', () => {
    const to = '2026-11-20T18:30:00.000Z';

    expect(intervalRow('demo', { ...open, to, seconds: 45_000 }, 90)).toEqual({
      ...open,
      to,
      seconds: 45_000,
      pk: 'demo#agent#asha',
      sk: began,
      kind: 'interval',
      account: 'demo',
      expiresAt: Date.parse('2027-02-18T18:30:00.000Z') / 1000,
    });
  });

  it('expires some days after its beginning while it is open', () => {
    expect(intervalRow('demo', open, 90)['expiresAt']).toBe(Date.parse('2027-02-18T06:00:00.000Z') / 1000);
  });
});

describe('changeRows', () => {
  it('puts the agent’s row and those of the intervals', () => {
    const change = changeOf(asha, agentFacts({ AgentState: 'ACW' }), then);
    const { puts, removes } = changeRows('demo', change ?? never(), 90);

    expect(puts.map(({ kind, sk }) => [kind, sk])).toEqual([
      ['agent', 'agent#asha'],
      ['interval', began],
      ['interval', then.at],
    ]);
    expect(removes).toEqual([]);
  });

  it('removes the row of an agent who has logged out', () => {
    expect(changeRows('demo', { agentId: 'asha', after: undefined, timeline: [] }, 90)).toEqual({
      puts: [],
      removes: [{ pk: 'demo', sk: 'agent#asha' }],
    });
  });
});

const never = (): never => {
  throw new Error('no change');
};

describe('the feed’s row', () => {
  it('has every field of the feed', () => {
    expect(feedRow(live)).toEqual({ ...live, pk: 'demo', sk: 'feed', kind: 'feed' });
    expect(feedOf(feedRow(live))).toEqual(live);
  });

  it('is rejected where something else wrote it', () => {
    expect(() => feedOf({ pk: 'demo', sk: 'feed' })).toThrow();
  });

  const failedAt = (feed: Feed, at: string) => pollFailed(feed, { reason: 'timeout' }, new Date(at));
  const interrupted = failedAt(failedAt(live, '2026-11-20T06:00:16.000Z'), '2026-11-20T06:00:31.250Z');

  it('comes with a row for an interruption and its reason', () => {
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
    const { lastProblem: _problem, ...unexplained } = interrupted;
    expect(feedChangeRow(live, unexplained, then.recordedAt, 90)).not.toHaveProperty('reason');
  });

  it('comes with a row for its restoration, which has no reason', () => {
    const at = '2026-11-20T06:00:46.000Z';
    const restored = pollAnswered(interrupted, { at, counts: {}, unreadableRecords: 0 });
    const row = feedChangeRow(interrupted, restored, then.recordedAt, 90);

    expect(row).toMatchObject({ sk: at, status: 'live', asOf: at, previousSince: '2026-11-20T06:00:30.001Z' });
    expect(row).not.toHaveProperty('reason');
  });
});

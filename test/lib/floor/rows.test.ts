import { describe, expect, it } from 'vitest';
import { agentsTable } from '../../../lib/contract/tables.ts';
import { newFeed } from '../../../lib/feed/feed.ts';
import { answered, failing } from '../../../lib/feed/settle.ts';
import { agentOf, agentRow, feedChangeRow, feedOf, feedRow, rowsOf, stretchRow } from '../../../lib/floor/rows.ts';
import { stepOf } from '../../../lib/floor/step.ts';
import { agentFacts, loggedIn, moment } from '../support/agents.ts';

const began = '2026-11-20T06:00:00.000Z';
const then = moment('2026-11-20T06:00:15.000Z');
const asha = loggedIn(began, { AgentName: 'Asha' });
const left = stepOf(asha, undefined, then)?.after ?? asha;
const live = answered(newFeed('demo', new Date(began)), { at: began, counts: { ready: 1 }, unreadableRecords: 2 });

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

    expect(stretchRow('demo', { ...piece, to, seconds: 45_000 }, 90)).toEqual({
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
    expect(stretchRow('demo', piece, 90)['expiresAt']).toBe(Date.parse('2027-02-18T06:00:00.000Z') / 1000);
  });
});

describe('rowsOf', () => {
  it('has the agent’s row and the timeline’s', () => {
    const step = stepOf(asha, agentFacts({ AgentState: 'ACW' }), then);
    const { puts, removes } = rowsOf('demo', step ?? never(), 90);

    expect(puts.map(({ kind, sk }) => [kind, sk])).toEqual([
      ['agent', 'agent#asha'],
      ['interval', began],
      ['interval', then.at],
    ]);
    expect(removes).toEqual([]);
  });

  it('has a removal for one who is gone', () => {
    expect(rowsOf('demo', { agentId: 'asha', after: undefined, timeline: [] }, 90)).toEqual({
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
    const interrupted = failing(live, { reason: 'timeout' }, new Date('2026-11-20T06:00:31.250Z'));

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
    const { lastProblem: _problem, ...interrupted } = failing(
      live,
      { reason: 'timeout' },
      new Date('2026-11-20T06:00:31Z'),
    );
    const row = feedChangeRow(live, interrupted, then.recordedAt, 90);

    expect(row).toMatchObject({ status: 'interrupted' });
    expect(row).not.toHaveProperty('reason');
  });

  it('has beside it a row for its restoration, without a reason', () => {
    const interrupted = failing(live, { reason: 'timeout' }, new Date('2026-11-20T06:00:31.250Z'));
    const at = '2026-11-20T06:00:46.000Z';
    const restored = answered(interrupted, { at, counts: {}, unreadableRecords: 0 });
    const row = feedChangeRow(interrupted, restored, then.recordedAt, 90);

    expect(row).toMatchObject({ sk: at, status: 'live', asOf: at, previousSince: '2026-11-20T06:00:30.001Z' });
    expect(row).not.toHaveProperty('previousStatus');
    expect(row).not.toHaveProperty('reason');
  });
});

import { describe, expect, it } from 'vitest';
import type { AgentFacts } from '../../../lib/agents/agent.ts';
import { applyChanges, changeOf, countsByState, diffAgents, loggedInAgents } from '../../../lib/agents/diff-agents.ts';
import { newFeed } from '../../../lib/agents/feed.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import { agentsInSnapshot, snapshotRows } from '../../../lib/agents/snapshot.ts';
import { agentFacts, agentsOf, loggedIn, moment } from '../../support/agents.ts';
import { received } from '../../support/call-records.ts';

describe('changeOf', () => {
  const began = '2026-11-20T06:00:00.000Z';
  const then = moment('2026-11-20T06:00:15.000Z');
  const posted = { AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales, Support' };
  const asha = loggedIn(began, posted);
  const seenAs = (changed: object) => agentFacts({ ...posted, ...changed });

  const loggedOutAsha = () => {
    const agent = changeOf(asha, undefined, then)?.after;
    if (agent === undefined) throw new Error('not logged out');
    return agent;
  };

  /** The interval that began with the log-in: open, or closed at an instant. */
  const ready = (to?: string, seconds?: number) => ({
    agentId: 'asha',
    state: 'ready',
    stateAsSent: 'READY',
    since: began,
    from: began,
    ...(to && { to, seconds }),
  });

  it('logs in an agent who was not known', () => {
    expect(changeOf(undefined, seenAs({}), moment(began))).toEqual({
      agentId: 'asha',
      after: {
        agentId: 'asha',
        name: 'Asha',
        phoneNumber: '1',
        skills: ['Sales', 'Support'],
        state: 'ready',
        stateAsSent: 'READY',
        since: began,
        loggedInSince: began,
        version: 1,
        changedAt: began,
        recordedAt: '2026-11-20T06:00:00.300Z',
        intervalFrom: began,
      },
      timeline: [ready()],
    });
  });

  it('changes the state, closes its interval and opens the next', () => {
    const change = changeOf(asha, seenAs({ AgentState: 'INCALL' }), then);

    expect(change?.after).toEqual({
      ...asha,
      state: 'in-call',
      stateAsSent: 'INCALL',
      since: then.at,
      version: 2,
      changedAt: then.at,
      recordedAt: then.recordedAt,
      intervalFrom: then.at,
    });
    expect(change?.timeline).toEqual([
      ready(then.at, 15),
      { agentId: 'asha', state: 'in-call', stateAsSent: 'INCALL', since: then.at, from: then.at },
    ]);
  });

  it.each([
    ['the name', { AgentName: 'Asha Rao' }, { name: 'Asha Rao' }],
    ['the number', { PhoneNumber: '2' }, { phoneNumber: '2' }],
    ['a skill more', { SkillName: 'Sales, Support, VIP' }, { skills: ['Sales', 'Support', 'VIP'] }],
    ['a skill less', { SkillName: 'Sales' }, { skills: ['Sales'] }],
    ['no name any more', { AgentName: '' }, { name: undefined }],
    ['no skills any more', { SkillName: '' }, { skills: undefined }],
  ])('changes details and not the timeline: %s', (_title, changed, details) => {
    const change = changeOf(asha, seenAs(changed), then);

    expect(change?.after).toEqual({ ...asha, ...details, version: 2, changedAt: then.at, recordedAt: then.recordedAt });
    expect(change?.timeline).toEqual([]);
  });

  it('changes state and details at once, as one version', () => {
    const change = changeOf(asha, seenAs({ AgentState: 'ACW', AgentName: 'Asha Rao' }), then);

    expect(change?.after).toMatchObject({ state: 'acw', name: 'Asha Rao', version: 2, since: then.at });
    expect(change?.timeline).toHaveLength(2);
  });

  it.each([
    ['nothing', {}],
    ['the same word in another letter case', { AgentState: 'Ready' }],
    ['the same word in another spelling', { AgentState: 'Rea_dy' }],
    ['skills in another order', { SkillName: 'Support,Sales' }],
    ['a skill twice', { SkillName: 'Sales, Support, Sales' }],
  ])('writes nothing where %s is new', (_title, changed) => {
    expect(changeOf(asha, seenAs(changed), then)).toBeUndefined();
  });

  it.each([
    ['another unknown word', 'Lunch', 'Tea', true],
    ['the same unknown word in another letter case', 'Lunch', 'LUNCH', false],
    ['an unknown word after a known one', 'READY', 'Lunch', true],
    ['a known word after an unknown one', 'Lunch', 'READY', true],
  ])('compares unknown words: %s', (_title, before, after, isChange) => {
    const change = changeOf(loggedIn(began, { AgentState: before }), agentFacts({ AgentState: after }), then);

    expect(change !== undefined).toBe(isChange);
    if (isChange) expect(change?.after).toMatchObject({ stateAsSent: after, version: 2, since: then.at });
  });

  it('logs out an agent who is missing, and leaves the row for the stream', () => {
    const change = changeOf(asha, undefined, then);
    const { stateAsSent: _sent, ...known } = asha;

    expect(change?.after).toEqual({
      ...known,
      state: 'logged-out',
      since: then.at,
      version: 2,
      changedAt: then.at,
      recordedAt: then.recordedAt,
    });
    expect(change?.timeline).toEqual([ready(then.at, 15)]);
  });

  it('removes the row of an agent who has logged out', () => {
    expect(changeOf(loggedOutAsha(), undefined, then)).toEqual({ agentId: 'asha', after: undefined, timeline: [] });
  });

  it('logs in an agent whose row still has the log-out', () => {
    const again = moment('2026-11-20T06:00:30.000Z');

    expect(changeOf(loggedOutAsha(), seenAs({}), again)).toEqual(changeOf(undefined, seenAs({}), again));
  });

  it('changes nothing for an unknown agent who is missing', () => {
    expect(changeOf(undefined, undefined, then)).toBeUndefined();
  });

  const repeated: readonly (readonly [string, AgentFacts | undefined])[] = [
    ['a change of state', seenAs({ AgentState: 'ACW' })],
    ['a change of details', seenAs({ AgentName: 'Asha Rao' })],
    ['a change of both', seenAs({ AgentState: 'Tea', PhoneNumber: '2' })],
  ];

  it.each(repeated)('is the same from a snapshot, and nothing when it is repeated: %s', (_title, seen) => {
    const after = changeOf(asha, seen, then)?.after ?? asha;
    const [stored] = agentsInSnapshot(snapshotRows(newFeed('demo', new Date(began)), then.at, agentsOf(after), 7));

    expect(changeOf(asha, stored, then)).toEqual(changeOf(asha, seen, then));
    expect(changeOf(after, stored, then)).toBeUndefined();
    expect(changeOf(after, seen, then)).toBeUndefined();
  });
});

describe('diffAgents after an answer', () => {
  const began = '2026-11-20T06:00:00.000Z';
  const asha = loggedIn(began, { AgentId: 'asha', AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales' });
  const ravi = loggedIn(began, { AgentId: 'ravi', AgentName: 'Ravi', PhoneNumber: '2', AgentState: 'ACW' });
  const meera = loggedIn(began, { AgentId: 'meera', AgentName: 'Meera', PhoneNumber: '3' });
  const known = agentsOf(asha, ravi, meera);

  const later = moment('2026-11-20T06:00:15.000Z');
  const seen = (...records: readonly unknown[]) => normaliseAgentLogins(records.map(received));

  /** Who is logged in after an answer, and who has just logged out. */
  const agentsAfter = (...records: readonly unknown[]) => {
    const agents = [...applyChanges(known, diffAgents(known, loggedInAgents(known, seen(...records)), later)).values()];
    const ids = (list: typeof agents) => list.map(({ agentId }) => agentId).sort();
    return {
      loggedIn: ids(agents.filter(({ state }) => state !== 'logged-out')),
      loggedOut: ids(agents.filter(({ state }) => state === 'logged-out')),
    };
  };

  const ready = (AgentId: string) => ({ AgentId, AgentState: 'READY' });

  describe('with unreadable records', () => {
    it.each<[string, readonly unknown[], readonly string[]]>([
      ['a record that names the agent without a state', [ready('asha'), { AgentId: 'ravi' }], ['asha', 'ravi']],
      [
        'a record without an id that has the name',
        [ready('asha'), { AgentName: 'Ravi', AgentState: 'ACW' }],
        ['asha', 'ravi'],
      ],
      ['a record without an id that has the number', [ready('asha'), { PhoneNumber: 2 }], ['asha', 'ravi']],
      [
        'a record without an id that has a new name and the number',
        [ready('asha'), { AgentName: 'R.', PhoneNumber: '2' }],
        ['asha', 'ravi'],
      ],
      ['a nested id beside the name', [ready('asha'), { AgentId: ['ravi'], AgentName: 'Ravi' }], ['asha', 'ravi']],
      ['null, which may be anybody', [ready('asha'), null], ['asha', 'meera', 'ravi']],
      ['an empty record', [ready('asha'), {}], ['asha', 'meera', 'ravi']],
      [
        'one for each of those who are missing',
        [ready('asha'), { AgentId: 'ravi' }, { AgentId: 'meera' }],
        ['asha', 'meera', 'ravi'],
      ],
    ])('logs nobody out whom one may mean: %s', (_title, records, present) => {
      expect(agentsAfter(...records).loggedIn).toEqual(present);
    });

    it.each<[string, readonly unknown[], readonly string[]]>([
      ['nothing is unreadable', [ready('asha')], ['meera', 'ravi']],
      ['the unreadable one is somebody else by id', [ready('asha'), { AgentId: 'new' }], ['meera', 'ravi']],
      ['the unreadable one is ravi by id', [ready('asha'), { AgentId: 'ravi' }], ['meera']],
      [
        'the unreadable one is ravi by id, though his name is asha’s',
        [{ AgentId: 'ravi', AgentName: 'Asha' }, ready('x')],
        ['asha', 'meera'],
      ],
      ['the floor is empty', [], ['asha', 'meera', 'ravi']],
    ])('logs the others out: %s', (_title, records, missing) => {
      expect(agentsAfter(...records).loggedOut).toEqual(missing);
    });

    it('leaves an agent whom one may mean unchanged', () => {
      const present = loggedInAgents(known, seen(ready('asha'), { AgentId: 'ravi', AgentName: 'Another' }));

      expect(present.find(({ agentId }) => agentId === 'ravi')).toEqual({
        agentId: 'ravi',
        name: 'Ravi',
        phoneNumber: '2',
        state: 'acw',
        stateAsSent: 'ACW',
        skills: undefined,
      });
      expect(diffAgents(agentsOf(ravi), present, later).map(({ agentId }) => agentId)).toEqual(['asha']);
    });

    it('logs out no agent without a known name, where a record without an id may be theirs', () => {
      const nameless = agentsOf(loggedIn(began, { AgentId: 'zoe' }));
      const present = (...records: readonly unknown[]) => loggedInAgents(nameless, seen(ready('x'), ...records)).length;

      expect(present({ AgentName: 'Zoe' })).toBe(2);
      expect(present({ AgentId: 'ravi', AgentName: 'Zoe' })).toBe(1);
    });

    it('logs nobody in', () => {
      expect(agentsAfter(ready('asha'), { AgentId: 'new' }, { AgentName: 'New' }, null).loggedIn).toEqual([
        'asha',
        'meera',
        'ravi',
      ]);
    });

    it('logs nobody in again who has just logged out', () => {
      const loggedOut = diffAgents(known, [], later).flatMap((change) => change.after ?? []);

      expect(loggedInAgents(agentsOf(...loggedOut), seen(ready('x'), null)).map(({ agentId }) => agentId)).toEqual([
        'x',
      ]);
    });
  });

  describe('countsByState', () => {
    it('counts logged-in agents by state', () => {
      const changes = diffAgents(
        known,
        loggedInAgents(known, seen(ready('asha'), ready('new'), { AgentId: 'meera', AgentState: 'Tea' })),
        later,
      );

      expect(countsByState(applyChanges(known, changes))).toEqual({ ready: 2, unknown: 1 });
      expect(countsByState(new Map())).toEqual({});
    });
  });

  describe('without unreadable records', () => {
    it('has no changes where nothing is new', () => {
      expect(diffAgents(known, [asha, ravi, meera], later)).toEqual([]);
    });

    it('has one change for each agent, in the order of ids', () => {
      const changes = diffAgents(known, loggedInAgents(known, seen(ready('zoe'), ready('ravi'), ready('bo'))), later);

      expect(changes.map(({ agentId }) => agentId)).toEqual(['asha', 'bo', 'meera', 'ravi', 'zoe']);
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { AgentFacts } from '../../../lib/agents/agent.ts';
import { applyChanges, changeOf, countsByState, diffAgents, loggedInAgents } from '../../../lib/agents/diff-agents.ts';
import { newFeed } from '../../../lib/agents/feed.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import { agentsInSnapshot, snapshotRows } from '../../../lib/agents/snapshot.ts';
import { agentFacts, agentsOf, loggedIn, moment } from '../../support/agents.ts';
import { received } from '../../support/call-records.ts';

describe('stepOf', () => {
  const began = '2026-11-20T06:00:00.000Z';
  const then = moment('2026-11-20T06:00:15.000Z');
  const posted = { AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales, Support' };
  const asha = loggedIn(began, posted);
  const seenAs = (changed: object) => agentFacts({ ...posted, ...changed });

  const leave = (at = then) => {
    const left = changeOf(asha, undefined, at)?.after;
    if (left === undefined) throw new Error('not left');
    return left;
  };

  /** The open piece of a timeline that began with the log-in, closed at an instant. */
  const ready = (to?: string, seconds?: number) => ({
    agentId: 'asha',
    state: 'ready',
    stateAsSent: 'READY',
    since: began,
    from: began,
    ...(to && { to, seconds }),
  });

  it('logs an agent in who was not there', () => {
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

  it('changes the state, closes the piece of the old one and opens one of the new', () => {
    const step = changeOf(asha, seenAs({ AgentState: 'INCALL' }), then);

    expect(step?.after).toEqual({
      ...asha,
      state: 'in-call',
      stateAsSent: 'INCALL',
      since: then.at,
      version: 2,
      changedAt: then.at,
      recordedAt: then.recordedAt,
      intervalFrom: then.at,
    });
    expect(step?.timeline).toEqual([
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
  ])('changes details and leaves the timeline alone: %s', (_title, changed, details) => {
    const step = changeOf(asha, seenAs(changed), then);

    expect(step?.after).toEqual({ ...asha, ...details, version: 2, changedAt: then.at, recordedAt: then.recordedAt });
    expect(step?.timeline).toEqual([]);
  });

  it('changes state and details at once, and counts that as one version', () => {
    const step = changeOf(asha, seenAs({ AgentState: 'ACW', AgentName: 'Asha Rao' }), then);

    expect(step?.after).toMatchObject({ state: 'acw', name: 'Asha Rao', version: 2, since: then.at });
    expect(step?.timeline).toHaveLength(2);
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
  ])('knows unknown words apart: %s', (_title, before, after, isChange) => {
    const step = changeOf(loggedIn(began, { AgentState: before }), agentFacts({ AgentState: after }), then);

    expect(step !== undefined).toBe(isChange);
    if (isChange) expect(step?.after).toMatchObject({ stateAsSent: after, version: 2, since: then.at });
  });

  it('logs an agent out who is not there any more: the row stands to be told of', () => {
    const step = changeOf(asha, undefined, then);
    const { stateAsSent: _sent, ...known } = asha;

    expect(step?.after).toEqual({
      ...known,
      state: 'logged-out',
      since: then.at,
      version: 2,
      changedAt: then.at,
      recordedAt: then.recordedAt,
    });
    expect(step?.timeline).toEqual([ready(then.at, 15)]);
  });

  it('removes the row of one who has left', () => {
    expect(changeOf(leave(), undefined, then)).toEqual({ agentId: 'asha', after: undefined, timeline: [] });
  });

  it('logs one in anew whose row still stands', () => {
    const again = moment('2026-11-20T06:00:30.000Z');

    expect(changeOf(leave(), seenAs({}), again)).toEqual(changeOf(undefined, seenAs({}), again));
  });

  it('writes nothing of one who neither was nor is there', () => {
    expect(changeOf(undefined, undefined, then)).toBeUndefined();
  });

  const onceMore: readonly (readonly [string, AgentFacts | undefined])[] = [
    ['a change of state', seenAs({ AgentState: 'ACW' })],
    ['a change of details', seenAs({ AgentName: 'Asha Rao' })],
    ['a change of both', seenAs({ AgentState: 'Tea', PhoneNumber: '2' })],
  ];

  it.each(onceMore)('gives nothing when it is taken again: %s', (_title, seen) => {
    const once = changeOf(asha, seen, then)?.after;

    expect(changeOf(once, seen, then)).toBeUndefined();
  });

  it('gives nothing when a log-in is taken again', () => {
    expect(changeOf(asha, seenAs({}), moment(began))).toBeUndefined();
  });

  it.each(onceMore)('comes out the same from the floor as it was kept: %s', (_title, seen) => {
    const after = changeOf(asha, seen, then)?.after ?? asha;
    const [kept] = agentsInSnapshot(snapshotRows(newFeed('demo', new Date(began)), then.at, agentsOf(after), 7));

    expect(changeOf(asha, kept, then)).toEqual(changeOf(asha, seen, then));
    expect(changeOf(after, kept, then)).toBeUndefined();
  });
});

describe('who is there', () => {
  const began = '2026-11-20T06:00:00.000Z';
  const asha = loggedIn(began, { AgentId: 'asha', AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales' });
  const ravi = loggedIn(began, { AgentId: 'ravi', AgentName: 'Ravi', PhoneNumber: '2', AgentState: 'ACW' });
  const meera = loggedIn(began, { AgentId: 'meera', AgentName: 'Meera', PhoneNumber: '3' });
  const known = agentsOf(asha, ravi, meera);

  const later = moment('2026-11-20T06:00:15.000Z');
  const seen = (...records: readonly unknown[]) => normaliseAgentLogins(records.map(received));

  /** Who is on the floor once an answer is taken in, and who has just left it. */
  const agentsAfter = (...records: readonly unknown[]) => {
    const agents = [...applyChanges(known, diffAgents(known, loggedInAgents(known, seen(...records)), later)).values()];
    const ids = (list: typeof agents) => list.map(({ agentId }) => agentId).sort();
    return {
      there: ids(agents.filter(({ state }) => state !== 'logged-out')),
      left: ids(agents.filter(({ state }) => state === 'logged-out')),
    };
  };

  const ready = (AgentId: string) => ({ AgentId, AgentState: 'READY' });

  describe('an answer with records that cannot be read', () => {
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
    ])('logs nobody out whom it may mean: %s', (_title, records, there) => {
      expect(agentsAfter(...records).there).toEqual(there);
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
    ])('logs the others out: %s', (_title, records, left) => {
      expect(agentsAfter(...records).left).toEqual(left);
    });

    it('leaves an agent whom it may mean as they were', () => {
      const there = loggedInAgents(known, seen(ready('asha'), { AgentId: 'ravi', AgentName: 'Another' }));

      expect(there.find(({ agentId }) => agentId === 'ravi')).toEqual({
        agentId: 'ravi',
        name: 'Ravi',
        phoneNumber: '2',
        state: 'acw',
        stateAsSent: 'ACW',
        skills: undefined,
      });
      expect(diffAgents(agentsOf(ravi), there, later).map(({ agentId }) => agentId)).toEqual(['asha']);
    });

    it('logs nobody out of whom no name is known, where a record without an id may be theirs', () => {
      const nameless = agentsOf(loggedIn(began, { AgentId: 'zoe' }));
      const idsThere = (...records: readonly unknown[]) =>
        loggedInAgents(nameless, seen(ready('x'), ...records)).length;

      expect(idsThere({ AgentName: 'Zoe' })).toBe(2);
      expect(idsThere({ AgentId: 'ravi', AgentName: 'Zoe' })).toBe(1);
    });

    it('brings nobody in who was not there', () => {
      expect(agentsAfter(ready('asha'), { AgentId: 'new' }, { AgentName: 'New' }, null).there).toEqual([
        'asha',
        'meera',
        'ravi',
      ]);
    });

    it('brings nobody back who has just left', () => {
      const left = diffAgents(known, [], later).flatMap((step) => step.after ?? []);

      expect(loggedInAgents(agentsOf(...left), seen(ready('x'), null)).map(({ agentId }) => agentId)).toEqual(['x']);
    });
  });

  describe('countsOf', () => {
    it('counts those who are there by state', () => {
      const steps = diffAgents(
        known,
        loggedInAgents(known, seen(ready('asha'), ready('new'), { AgentId: 'meera', AgentState: 'Tea' })),
        later,
      );

      expect(countsByState(applyChanges(known, steps))).toEqual({ ready: 2, unknown: 1 });
      expect(countsByState(new Map())).toEqual({});
    });
  });

  describe('changes', () => {
    it('has nothing to write of a floor that is as it was', () => {
      expect(diffAgents(known, [asha, ravi, meera], later)).toEqual([]);
    });

    it('has one step for each agent, by id', () => {
      const steps = diffAgents(known, loggedInAgents(known, seen(ready('zoe'), ready('ravi'), ready('bo'))), later);

      expect(steps.map(({ agentId }) => agentId)).toEqual(['asha', 'bo', 'meera', 'ravi', 'zoe']);
    });
  });
});

import { describe, expect, it } from 'vitest';
import { seenFloor } from '../../../lib/agent-login/seen-floor.ts';
import { after, changes, countsOf, whoIsThere } from '../../../lib/floor/changes.ts';
import { agentsOf, loggedIn, moment } from '../support/agents.ts';
import { received } from '../support/facts-of.ts';

const began = '2026-11-20T06:00:00.000Z';
const asha = loggedIn(began, { AgentId: 'asha', AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales' });
const ravi = loggedIn(began, { AgentId: 'ravi', AgentName: 'Ravi', PhoneNumber: '2', AgentState: 'ACW' });
const meera = loggedIn(began, { AgentId: 'meera', AgentName: 'Meera', PhoneNumber: '3' });
const known = agentsOf(asha, ravi, meera);

const later = moment('2026-11-20T06:00:15.000Z');
const seen = (...records: readonly unknown[]) => seenFloor(records.map(received));

/** Who is on the floor once an answer is taken in, and who has just left it. */
const taken = (...records: readonly unknown[]) => {
  const agents = [...after(known, changes(known, whoIsThere(known, seen(...records)), later)).values()];
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
    expect(taken(...records).there).toEqual(there);
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
    expect(taken(...records).left).toEqual(left);
  });

  it('leaves an agent whom it may mean as they were', () => {
    const there = whoIsThere(known, seen(ready('asha'), { AgentId: 'ravi', AgentName: 'Another' }));

    expect(there.find(({ agentId }) => agentId === 'ravi')).toEqual({
      agentId: 'ravi',
      name: 'Ravi',
      phoneNumber: '2',
      state: 'acw',
      stateAsSent: 'ACW',
      skills: undefined,
    });
    expect(changes(agentsOf(ravi), there, later).map(({ agentId }) => agentId)).toEqual(['asha']);
  });

  it('logs nobody out of whom no name is known, where a record without an id may be theirs', () => {
    const nameless = agentsOf(loggedIn(began, { AgentId: 'zoe' }));
    const idsThere = (...records: readonly unknown[]) => whoIsThere(nameless, seen(ready('x'), ...records)).length;

    expect(idsThere({ AgentName: 'Zoe' })).toBe(2);
    expect(idsThere({ AgentId: 'ravi', AgentName: 'Zoe' })).toBe(1);
  });

  it('brings nobody in who was not there', () => {
    expect(taken(ready('asha'), { AgentId: 'new' }, { AgentName: 'New' }, null).there).toEqual([
      'asha',
      'meera',
      'ravi',
    ]);
  });

  it('brings nobody back who has just left', () => {
    const left = changes(known, [], later).flatMap((step) => step.after ?? []);

    expect(whoIsThere(agentsOf(...left), seen(ready('x'), null)).map(({ agentId }) => agentId)).toEqual(['x']);
  });
});

describe('countsOf', () => {
  it('counts those who are there by state', () => {
    const steps = changes(
      known,
      whoIsThere(known, seen(ready('asha'), ready('new'), { AgentId: 'meera', AgentState: 'Tea' })),
      later,
    );

    expect(countsOf(after(known, steps))).toEqual({ ready: 2, unknown: 1 });
    expect(countsOf(new Map())).toEqual({});
  });
});

describe('changes', () => {
  it('has nothing to write of a floor that is as it was', () => {
    expect(changes(known, [asha, ravi, meera], later)).toEqual([]);
  });

  it('has one step for each agent, by id', () => {
    const steps = changes(known, whoIsThere(known, seen(ready('zoe'), ready('ravi'), ready('bo'))), later);

    expect(steps.map(({ agentId }) => agentId)).toEqual(['asha', 'bo', 'meera', 'ravi', 'zoe']);
  });
});

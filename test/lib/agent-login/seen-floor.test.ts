import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../lib/agent-login/answer.ts';
import { mayBeThere, seenFloor } from '../../../lib/agent-login/seen-floor.ts';
import { received } from '../support/facts-of.ts';
import { holds } from '../support/property.ts';

const floorOf = (records: readonly unknown[]) => seenFloor(records.map(received));

const posted = fc.record(
  {
    AgentId: fc.constantFrom('1', '2', 3, '', null, ['1']),
    AgentName: fc.constantFrom('Asha', 'Ravi', ''),
    AgentState: fc.constantFrom('READY', 'ACW', 'Lunching', null),
    SkillName: fc.constantFrom('a,b', 'b, a', ''),
  },
  { requiredKeys: [] },
);

describe('seenFloor', () => {
  it('has each agent once, by id', () => {
    const { agents } = floorOf([
      { AgentId: 'b', AgentState: 'READY' },
      { AgentId: 'a', AgentState: 'ACW' },
      { AgentId: 'B', AgentState: 'READY' },
    ]);

    expect(agents.map(({ agentId }) => agentId)).toEqual(['B', 'a', 'b']);
  });

  it.each([
    ['in two states', { AgentState: 'READY' }, { AgentState: 'ACW' }],
    ['with two names', { AgentState: 'READY', AgentName: 'Asha' }, { AgentState: 'READY', AgentName: 'Asha Rao' }],
    ['with and without a number', { AgentState: 'READY' }, { AgentState: 'READY', PhoneNumber: '1' }],
    ['in one state, spelt in two ways', { AgentState: 'READY' }, { AgentState: 'Ready' }],
  ])('makes the same of an agent who is listed twice, in either order: %s', (_title, one, other) => {
    const records = [one, other].map((record) => ({ AgentId: 'asha', ...record }));
    const { agents, unreadable } = floorOf(records);

    expect(agents).toHaveLength(1);
    expect(unreadable).toEqual([]);
    expect(floorOf(records.toReversed()).agents).toEqual(agents);
  });

  it('takes an agent who is listed twice, once without a state, from the readable record', () => {
    const { agents, unreadable } = floorOf([{ AgentId: 'asha' }, { AgentId: 'asha', AgentState: 'READY' }]);

    expect(agents).toMatchObject([{ agentId: 'asha', state: 'ready' }]);
    expect(unreadable).toEqual([{ agentId: 'asha' }]);
  });

  it('has the good ones, whatever is among them', () => {
    const { agents, unreadable } = floorOf([
      null,
      { AgentId: '1', AgentState: 'READY' },
      'x',
      [],
      { AgentName: 'Ravi' },
    ]);

    expect(agents).toMatchObject([{ agentId: '1' }]);
    expect(unreadable).toEqual([{}, {}, {}, { name: 'Ravi' }]);
  });

  it('does not depend on the order of records, has each id once, and counts every record that is not read', () => {
    holds(
      fc.property(fc.array(posted), fc.infiniteStream(fc.nat()), (records, keys) => {
        const shuffled = records
          .map((record) => ({ record, key: keys.next().value }))
          .sort((a, b) => Number(a.key) - Number(b.key))
          .map(({ record }) => record);
        const floor = floorOf(records);
        const ids = floor.agents.map(({ agentId }) => agentId);
        const readable = records.filter(
          ({ AgentId, AgentState }) => AgentId && typeof AgentId !== 'object' && AgentState,
        );

        expect(floorOf(shuffled).agents).toEqual(floor.agents);
        expect(ids).toEqual([...new Set(readable.map(({ AgentId }) => String(AgentId)))].sort());
        expect(floor.unreadable).toHaveLength(records.length - readable.length);
      }),
    );
  });

  it('has 10,000 agents of one answer', () => {
    const message = Array.from({ length: 10_000 }, (_, index) => ({
      AgentId: `agent-${index}`,
      AgentName: `Agent ${index}`,
      PhoneNumber: String(9_000_000_000 + index),
      AgentState: index % 2 === 0 ? 'READY' : 'ACW',
      SkillName: 'Sales, Support',
    }));
    const seen = readAnswer({ status: 200, text: JSON.stringify({ status: 'success', message }) });

    expect(seen.ok && seen.value.agents.length).toBe(10_000);
    expect(seen.ok && seen.value.unreadable).toEqual([]);
  });
});

describe('mayBeThere', () => {
  const asha = { agentId: 'asha', name: 'Asha Rao', phoneNumber: '1' };

  it.each([
    ['no record is unreadable', [], false],
    ['one names the agent without a state', [{ agentId: 'asha' }], true],
    ['one names another agent', [{ agentId: 'ravi' }], false],
    ['one names another agent with the same name', [{ agentId: 'ravi', name: 'Asha Rao' }], false],
    ['one without an id has the agent’s name', [{ name: 'Asha Rao', phoneNumber: '2' }], true],
    ['one without an id has the agent’s number', [{ name: 'Ravi', phoneNumber: '1' }], true],
    ['one without an id has another name', [{ name: 'Ravi' }], false],
    ['one without an id has another number', [{ phoneNumber: '2' }], false],
    ['one tells nothing at all', [{}], true],
    ['the second of two means the agent', [{ agentId: 'ravi' }, { agentId: 'asha' }], true],
  ])('tells of an agent who is not listed, where %s: %j', (_title, unreadable, isThere) => {
    expect(mayBeThere(unreadable)(asha)).toBe(isThere);
  });

  it('compares only what is known of both', () => {
    expect(mayBeThere([{ phoneNumber: '2' }])({ agentId: 'asha', name: 'Asha Rao' })).toBe(false);
    expect(mayBeThere([{ name: 'Ravi' }])({ agentId: 'asha', phoneNumber: '1' })).toBe(false);
    expect(mayBeThere([{ phoneNumber: '2' }])({ agentId: 'asha', phoneNumber: '1' })).toBe(false);
    expect(mayBeThere([{ name: 'Ravi' }])({ agentId: 'asha', name: 'Asha Rao' })).toBe(false);
  });
});

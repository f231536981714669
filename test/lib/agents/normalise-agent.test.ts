import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentFacts } from '../../../lib/agents/agent.ts';
import { mayStillBeLoggedIn, normaliseAgent, normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import { parseAgentLogins } from '../../../lib/agents/parse-agent-logins.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { wireAgentFields } from '../../../lib/telephony/agent-fields.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { agentFacts, parsedAgent } from '../../support/agents.ts';
import { received } from '../../support/call-records.ts';
import { holds } from '../../support/property.ts';

const good = { AgentId: 'asha', AgentState: 'READY' };
const blanks = ['', ' ', 'None', 'none', 'null', '-', null];

const fieldRows = [
  ['AgentId', 'asha', { agentId: 'asha' }],
  ['AgentName', 'Asha Rao', { name: 'Asha Rao' }],
  ['PhoneNumber', '09000000001', { phoneNumber: '09000000001' }],
  ['AgentState', 'ACW', { state: 'acw', stateAsSent: 'ACW' }],
  ['SkillName', 'Sales, Support', { skills: ['Sales', 'Support'] }],
] as const;

describe('an agent’s record', () => {
  it.each(fieldRows)('has %s: %s', (field, sent, facts) => {
    const read = agentFacts({ [field]: sent });

    expect(read).toEqual({ agentId: 'asha', state: 'ready', stateAsSent: 'READY', ...facts });
    expect(AgentFacts.parse(read)).toEqual(read);
  });

  it('has a row for every field that the service sends, and for every fact of ours', () => {
    expect(fieldRows.map(([field]) => field)).toEqual(wireAgentFields);
    expect(new Set(fieldRows.flatMap(([, , facts]) => Object.keys(facts)))).toEqual(
      new Set(AgentFacts.keyof().options),
    );
  });

  it('is read as the specification has it', () => {
    expect(parsedAgent(specificationLogins[2])).toEqual({
      kind: 'agent',
      agent: {
        agentId: 'meera',
        name: 'Meera Iyer',
        phoneNumber: '09000000003',
        state: 'idle',
        stateAsSent: 'Idle',
        skills: ['Support'],
      },
    });
  });

  it.each(fieldRows)('has %s under a key in any letter case', (field, sent, facts) => {
    for (const key of [
      field.toLowerCase(),
      field.toUpperCase(),
      `${field.slice(0, 1).toLowerCase()}${field.slice(1)}`,
    ]) {
      const { [field]: _given, ...rest }: Record<string, string> = good;
      expect(parsedAgent({ ...rest, [key]: sent })).toMatchObject({ kind: 'agent', agent: facts });
    }
  });

  it.each(['AgentName', 'PhoneNumber', 'SkillName'])('leaves %s out where it is blank in any spelling', (field) => {
    for (const blank of blanks) expect(agentFacts({ [field]: blank })).toEqual(agentFacts());
  });

  it.each([
    ['an id beyond 2^53', '98765432109876543210'],
    ['an id with zeros at its end', '41781234567890000'],
    ['a small id', '7'],
  ])('keeps every digit of %s that is sent as a number', (_title, digits) => {
    const json = parseJson(`{"AgentId":${digits},"AgentState":"READY","PhoneNumber":${digits}}`);

    expect(json.ok && normaliseAgent(json.value)).toMatchObject({ agent: { agentId: digits, phoneNumber: digits } });
  });

  it('trims what is sent', () => {
    expect(agentFacts({ AgentId: ' asha ', AgentName: ' Asha ', AgentState: ' READY ' })).toEqual({
      agentId: 'asha',
      name: 'Asha',
      state: 'ready',
      stateAsSent: 'READY',
    });
  });

  it('is read whatever else it has', () => {
    expect(agentFacts({ Location: 'Pune', Extra: { nested: [1] } })).toEqual(agentFacts());
  });

  it.each([
    ['a name', 'AgentName', 'name'],
    ['a number', 'PhoneNumber', 'phoneNumber'],
    ['a state', 'AgentState', 'stateAsSent'],
  ])('keeps the first 255 characters of %s', (_title, field, fact) => {
    expect(agentFacts({ [field]: 'x'.repeat(255) })).toMatchObject({ [fact]: 'x'.repeat(255) });
    expect(agentFacts({ [field]: 'x'.repeat(256) })).toMatchObject({ [fact]: 'x'.repeat(255) });
    expect(agentFacts({ [field]: `${'x'.repeat(254)}😀` })).toMatchObject({ [fact]: `${'x'.repeat(254)}\uFFFD` });
  });

  it.each(['AgentName', 'PhoneNumber'])('takes a list or an object for no %s', (field) => {
    for (const nested of [['x'], { first: 'x' }, []]) expect(agentFacts({ [field]: nested })).toEqual(agentFacts());
  });
});

describe('an agent’s skills', () => {
  it.each([
    ['with a space after the comma', 'Sales, Support'],
    ['without a space', 'Sales,Support'],
    ['in another order', 'Support, Sales'],
    ['repeated', 'Sales, Support, Sales'],
    ['with blanks among them', ' , Sales,, -, None, Support,'],
    ['with more space', '  Sales  ,   Support  '],
  ])('are a set: %s', (_title, sent) => {
    expect(agentFacts({ SkillName: sent }).skills).toEqual(['Sales', 'Support']);
  });

  it.each([...blanks, ',', ' , , '])('are absent where there is none: %j', (sent) => {
    expect(agentFacts({ SkillName: sent })).not.toHaveProperty('skills');
  });

  it('keep their letter case', () => {
    expect(agentFacts({ SkillName: 'sales, Sales' }).skills).toEqual(['Sales', 'sales']);
  });

  it('may hold a space', () => {
    expect(agentFacts({ SkillName: 'After sales, New York' }).skills).toEqual(['After sales', 'New York']);
  });

  it('are fifty at most, of 100 characters each', () => {
    const names = Array.from({ length: 51 }, (_, index) => `${String(index).padStart(3, '0')}${'x'.repeat(300)}`);
    const skills = agentFacts({ SkillName: names.join(',') }).skills ?? [];

    expect(skills).toEqual(names.slice(0, 50).map((name) => name.slice(0, 100)));
  });

  it.each<[string, unknown, readonly string[] | undefined]>([
    ['a list', ['Support', 'Sales', 'Sales'], ['Sales', 'Support']],
    ['a list of one that holds a comma', ['Sales, north'], ['Sales, north']],
    ['a list with what is no text in it', ['Sales', { name: 'x' }, ['y'], null, ''], ['Sales']],
    ['a list of objects', [{ name: 'Sales' }, { name: 'Support' }], undefined],
    ['an empty list', [], undefined],
    ['an object', { name: 'Sales', level: 'a,b' }, undefined],
  ])('are never pieces of JSON: sent as %s', (_title, sent, skills) => {
    expect(agentFacts({ SkillName: sent }).skills).toEqual(skills);
  });
});

describe('a record that cannot be read', () => {
  it.each<[string, unknown, object]>([
    ['null', null, {}],
    ['text', 'asha', {}],
    ['a number', 7, {}],
    ['a list', [good], {}],
    ['an empty object', {}, {}],
    ['one without an id', { AgentState: 'READY' }, {}],
    [
      'one without an id, with a name and a number',
      { AgentName: 'Asha', PhoneNumber: '1', AgentState: 'READY' },
      { name: 'Asha', phoneNumber: '1' },
    ],
    ['one without a state', { AgentId: 'asha' }, { agentId: 'asha' }],
    ['one without a state, with a name', { AgentId: 'asha', AgentName: 'Asha' }, { agentId: 'asha', name: 'Asha' }],
    ['one with a nested id', { ...good, AgentId: { id: 'asha' } }, {}],
    ['one with an id in a list', { ...good, AgentId: ['asha'] }, {}],
    ['one with a nested state', { ...good, AgentState: ['READY'] }, { agentId: 'asha' }],
    ['one with nested everything', { AgentId: [], AgentName: {}, PhoneNumber: [1], AgentState: {} }, {}],
    [
      'one whose id is longer than any, which cut could be another’s',
      { ...good, AgentId: 'x'.repeat(256), AgentName: 'Asha' },
      { name: 'Asha' },
    ],
    ['one whose id makes no key', { ...good, AgentId: '漢'.repeat(200) }, {}],
  ])('tells whom it may be: %s', (_title, posted, hint) => {
    expect(parsedAgent(posted)).toEqual({ kind: 'unreadable', hint });
  });

  it.each(blanks)('is one with the id or the state %j', (blank) => {
    expect(parsedAgent({ ...good, AgentId: blank })).toEqual({ kind: 'unreadable', hint: {} });
    expect(parsedAgent({ ...good, AgentState: blank })).toEqual({ kind: 'unreadable', hint: { agentId: 'asha' } });
  });

  it('is none with an id as long as may be', () => {
    expect(agentFacts({ AgentId: 'x'.repeat(255) }).agentId).toBe('x'.repeat(255));
    expect(agentFacts({ AgentId: '漢'.repeat(111) }).agentId).toBe('漢'.repeat(111));
    expect(agentFacts({ AgentId: '#%/ "é' }).agentId).toBe('#%/ "é');
  });
});

const floorOf = (records: readonly unknown[]) => normaliseAgentLogins(records.map(received));

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
    const seen = parseAgentLogins({ status: 200, text: JSON.stringify({ status: 'success', message }) });

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
    expect(mayStillBeLoggedIn(unreadable)(asha)).toBe(isThere);
  });

  it('compares only what is known of both', () => {
    expect(mayStillBeLoggedIn([{ phoneNumber: '2' }])({ agentId: 'asha', name: 'Asha Rao' })).toBe(false);
    expect(mayStillBeLoggedIn([{ name: 'Ravi' }])({ agentId: 'asha', phoneNumber: '1' })).toBe(false);
    expect(mayStillBeLoggedIn([{ phoneNumber: '2' }])({ agentId: 'asha', phoneNumber: '1' })).toBe(false);
    expect(mayStillBeLoggedIn([{ name: 'Ravi' }])({ agentId: 'asha', name: 'Asha Rao' })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { AgentFacts } from '../../../lib/agent-login/model.ts';
import { readAgent } from '../../../lib/agent-login/normalise.ts';
import { wireAgentFields } from '../../../lib/agent-login/wire.ts';
import { parseJson } from '../../../lib/json/parse-json.ts';
import { specificationLogins } from '../../fixtures/agents.ts';
import { agentFacts, reading } from '../support/agents.ts';

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
    expect(reading(specificationLogins[2])).toEqual({
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
      expect(reading({ ...rest, [key]: sent })).toMatchObject({ kind: 'agent', agent: facts });
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

    expect(json.ok && readAgent(json.value)).toMatchObject({ agent: { agentId: digits, phoneNumber: digits } });
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
    expect(reading(posted)).toEqual({ kind: 'unreadable', hint });
  });

  it.each(blanks)('is one with the id or the state %j', (blank) => {
    expect(reading({ ...good, AgentId: blank })).toEqual({ kind: 'unreadable', hint: {} });
    expect(reading({ ...good, AgentState: blank })).toEqual({ kind: 'unreadable', hint: { agentId: 'asha' } });
  });

  it('is none with an id as long as may be', () => {
    expect(agentFacts({ AgentId: 'x'.repeat(255) }).agentId).toBe('x'.repeat(255));
    expect(agentFacts({ AgentId: '漢'.repeat(111) }).agentId).toBe('漢'.repeat(111));
    expect(agentFacts({ AgentId: '#%/ "é' }).agentId).toBe('#%/ "é');
  });
});

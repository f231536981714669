import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mayStillBeLoggedIn,
  normaliseAgent,
  normaliseAgentLogins,
  wireAgentFields,
} from '../../../lib/agents/normalise-agent.ts';
import { AgentFacts } from '../../../lib/agents/schema.ts';
import { parseJson } from '../../../lib/core/json.ts';
import { holds } from '../../support/arbitraries.ts';
import { agentFacts, originOf, parsedAgent, received } from '../../support/posted-records.ts';

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
    const agent = agentFacts({ [field]: sent });

    expect(agent).toEqual({ agentId: 'asha', state: 'ready', stateAsSent: 'READY', ...facts });
    expect(AgentFacts.parse(agent)).toEqual(agent);
    for (const fact of Object.keys(facts)) expect(originOf(AgentFacts, fact)).toBe(field);
  });

  it('is tested with every field of the service and every fact of ours', () => {
    expect(fieldRows.map(([field]) => field)).toEqual(wireAgentFields);
    expect(new Set([...fieldRows.flatMap(([, , facts]) => Object.keys(facts)), 'extra'])).toEqual(
      new Set(Object.keys(AgentFacts.shape)),
    );
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

  it.each(['AgentName', 'PhoneNumber', 'SkillName'])('omits a blank %s in any spelling', (field) => {
    for (const blank of blanks) expect(agentFacts({ [field]: blank })).toEqual(agentFacts());
  });

  it.each([
    ['an id beyond 2^53', '98765432109876543210'],
    ['an id with zeros at its end', '41781234567890000'],
    ['a small id', '7'],
  ])('has every digit of %s that is sent as a number', (_title, digits) => {
    const json = parseJson(`{"AgentId":${digits},"AgentState":"READY","PhoneNumber":${digits}}`);

    expect(json.ok && normaliseAgent(json.value)).toMatchObject({ agent: { agentId: digits, phoneNumber: digits } });
  });

  it('trims every field', () => {
    expect(agentFacts({ AgentId: ' asha ', AgentName: ' Asha ', AgentState: ' READY ' })).toEqual(
      agentFacts({ AgentName: 'Asha' }),
    );
  });

  it('has undocumented fields as text, without blank ones and keys', () => {
    const facts = agentFacts({ Team: ' Pune ', Calls: 7, Since: { at: [1] }, Note: '', ApiKey: 'k', agentname: 'A' });

    expect(facts).toEqual({
      ...agentFacts({ AgentName: 'A' }),
      extra: { Calls: '7', Since: '{"at":["1"]}', Team: 'Pune' },
    });
    expect(AgentFacts.parse(facts)).toEqual(facts);
  });

  it('has the first 255 characters of an undocumented field', () => {
    expect(agentFacts({ Team: `${'x'.repeat(254)}😀` }).extra).toEqual({ Team: `${'x'.repeat(254)}\uFFFD` });
  });

  it('has 3,000 characters of undocumented fields at most, names included', () => {
    const fields = (last: number) =>
      Object.fromEntries('abcdefghijklmno'.split('').map((name) => [name, 'x'.repeat(name === 'o' ? last : 199)]));

    expect(Object.keys(agentFacts(fields(199)).extra ?? {})).toHaveLength(15);
    expect(Object.keys(agentFacts(fields(200)).extra ?? {})).toHaveLength(14);
    expect(agentFacts({ ...fields(200), p: 'x' }).extra).not.toHaveProperty('p');
  });

  it.each([
    ['a name', 'AgentName', 'name'],
    ['a number', 'PhoneNumber', 'phoneNumber'],
    ['a state', 'AgentState', 'stateAsSent'],
  ])('has the first 255 characters of %s', (_title, field, fact) => {
    expect(agentFacts({ [field]: 'x'.repeat(255) })).toMatchObject({ [fact]: 'x'.repeat(255) });
    expect(agentFacts({ [field]: 'x'.repeat(256) })).toMatchObject({ [fact]: 'x'.repeat(255) });
    expect(agentFacts({ [field]: `${'x'.repeat(254)}😀` })).toMatchObject({ [fact]: `${'x'.repeat(254)}\uFFFD` });
  });

  it.each(['AgentName', 'PhoneNumber'])('ignores a list or an object as %s', (field) => {
    for (const nested of [['x'], { first: 'x' }, []]) expect(agentFacts({ [field]: nested })).toEqual(agentFacts());
  });
});

describe('an agent’s skills', () => {
  const inOrder = ['Support', 'Sales'];
  it.each<[string, unknown, readonly string[] | undefined]>([
    ['with a space after the comma', 'Support, Sales', inOrder],
    ['without a space', 'Support,Sales', inOrder],
    ['repeated', 'Support, Sales, Support', inOrder],
    ['with blanks among them', ' , Support,, -, None, Sales,', inOrder],
    ['with more space', '  Support  ,   Sales  ', inOrder],
    ...[...blanks, ',', ' , , '].map((blank): [string, unknown, undefined] => ['blank', blank, undefined]),
    ['in their letter case', 'sales, Sales', ['sales', 'Sales']],
    ['with a space', 'After sales, New York', ['After sales', 'New York']],
    ['a list', ['Support', 'Sales', 'Sales'], inOrder],
    ['a list of one that holds a comma', ['Sales, north'], ['Sales, north']],
    ['a list with what is no text in it', ['Sales', { name: 'x' }, ['y'], null, ''], ['Sales']],
    // They are never fragments of JSON.
    ['a list of objects', [{ name: 'Sales' }, { name: 'Support' }], undefined],
    ['an empty list', [], undefined],
    ['an object', { name: 'Sales', level: 'a,b' }, undefined],
  ])('are read in the order sent, each once: %s: %j', (_title, sent, skills) => {
    expect(agentFacts({ SkillName: sent }).skills).toEqual(skills);
  });

  it('are fifty at most, of 100 characters each', () => {
    const names = Array.from({ length: 51 }, (_, index) => `${String(index).padStart(3, '0')}${'x'.repeat(300)}`);
    const skills = agentFacts({ SkillName: names.join(',') }).skills ?? [];

    expect(skills).toEqual(names.slice(0, 50).map((name) => name.slice(0, 100)));
    expect(agentFacts({ SkillName: names.toReversed().join(',') }).skills).toEqual(skills.toReversed());
  });
});

describe('an unreadable record', () => {
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
      'one whose shortened id could be another’s',
      { ...good, AgentId: 'x'.repeat(256), AgentName: 'Asha' },
      { name: 'Asha' },
    ],
    ['one whose id does not fit a key', { ...good, AgentId: '漢'.repeat(200) }, {}],
  ])('has a hint about its agent: %s', (_title, posted, hint) => {
    expect(parsedAgent(posted)).toEqual({ kind: 'unreadable', hint });
  });

  it.each(blanks)('is one with the id or the state %j', (blank) => {
    expect(parsedAgent({ ...good, AgentId: blank })).toEqual({ kind: 'unreadable', hint: {} });
    expect(parsedAgent({ ...good, AgentState: blank })).toEqual({ kind: 'unreadable', hint: { agentId: 'asha' } });
  });

  it('is none with an id of the maximum length', () => {
    expect(agentFacts({ AgentId: 'x'.repeat(255) }).agentId).toBe('x'.repeat(255));
    expect(agentFacts({ AgentId: '漢'.repeat(111) }).agentId).toBe('漢'.repeat(111));
    expect(agentFacts({ AgentId: '#%/ "é' }).agentId).toBe('#%/ "é');
  });
});

const loginsIn = (records: readonly unknown[]) => normaliseAgentLogins(records.map(received));

const posted = fc.record(
  {
    AgentId: fc.constantFrom('1', '2', 3, '', null, ['1']),
    AgentName: fc.constantFrom('Asha', 'Ravi', ''),
    AgentState: fc.constantFrom('READY', 'ACW', 'Lunching', null),
    SkillName: fc.constantFrom('a,b', 'b, a', ''),
  },
  { requiredKeys: [] },
);

describe('normaliseAgentLogins', () => {
  it('has the agents in the order of their ids', () => {
    const { agents } = loginsIn([
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
  ])('has the same one of two records of an agent, in either order: %s', (_title, one, other) => {
    const records = [one, other].map((record) => ({ AgentId: 'asha', ...record }));
    const { agents, unreadable } = loginsIn(records);

    expect(agents).toHaveLength(1);
    expect(unreadable).toEqual([]);
    expect(loginsIn(records.toReversed()).agents).toEqual(agents);
  });

  it('has the same one of two records of an agent, whatever their undocumented fields are', () => {
    const withCalls = (ready: number, acw: number) =>
      loginsIn([
        { AgentId: 'asha', AgentState: 'READY', Calls: ready },
        { AgentId: 'asha', AgentState: 'ACW', Calls: acw },
      ]).agents[0]?.state;

    expect([withCalls(1, 2), withCalls(2, 1)]).toEqual(['acw', 'acw']);
  });

  it('has the readable one of two records of an agent', () => {
    const { agents, unreadable } = loginsIn([{ AgentId: 'asha' }, { AgentId: 'asha', AgentState: 'READY' }]);

    expect(agents).toMatchObject([{ agentId: 'asha', state: 'ready' }]);
    expect(unreadable).toEqual([{ agentId: 'asha' }]);
  });

  it('does not depend on the order of records, has each id once, and has every unreadable record', () => {
    holds(
      fc.property(fc.array(posted), fc.infiniteStream(fc.nat()), (records, keys) => {
        const shuffled = records
          .map((record) => ({ record, key: keys.next().value }))
          .sort((a, b) => Number(a.key) - Number(b.key))
          .map(({ record }) => record);
        const logins = loginsIn(records);
        const ids = logins.agents.map(({ agentId }) => agentId);
        const readable = records.filter(
          ({ AgentId, AgentState }) => AgentId && typeof AgentId !== 'object' && AgentState,
        );

        expect(loginsIn(shuffled).agents).toEqual(logins.agents);
        expect(ids).toEqual([...new Set(readable.map(({ AgentId }) => String(AgentId)))].sort());
        expect(logins.unreadable).toHaveLength(records.length - readable.length);
      }),
    );
  });
});

describe('mayStillBeLoggedIn', () => {
  const named = { agentId: 'asha', name: 'Asha Rao' };
  const numbered = { agentId: 'asha', phoneNumber: '1' };

  it.each<[string, readonly object[], boolean, { readonly agentId: string }?]>([
    ['no record is unreadable', [], false],
    ['one names the agent without a state', [{ agentId: 'asha' }], true],
    ['one names another agent', [{ agentId: 'ravi' }], false],
    ['one names another agent with the same name', [{ agentId: 'ravi', name: 'Asha Rao' }], false],
    ['one without an id has the agent’s name', [{ name: 'Asha Rao', phoneNumber: '2' }], true],
    ['one without an id has the agent’s number', [{ name: 'Ravi', phoneNumber: '1' }], true],
    ['one without an id has another name', [{ name: 'Ravi' }], false],
    ['one without an id has another number', [{ phoneNumber: '2' }], false],
    ['one has no id, name and number', [{}], true],
    ['the second of two means the agent', [{ agentId: 'ravi' }, { agentId: 'asha' }], true],
    ['one has a number, and the agent none', [{ phoneNumber: '2' }], false, named],
    ['one has another name, and the agent no number', [{ name: 'Ravi' }], false, named],
    ['one has a name, and the agent none', [{ name: 'Ravi' }], false, numbered],
    ['one has another number, and the agent no name', [{ phoneNumber: '2' }], false, numbered],
  ])('decides about a missing agent where %s: %j', (_title, unreadable, mayBe, agent = { ...named, ...numbered }) => {
    expect(mayStillBeLoggedIn(unreadable)(agent)).toBe(mayBe);
  });
});

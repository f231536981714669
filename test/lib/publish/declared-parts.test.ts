import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { declaredPartsOf } from '../../../lib/publish/project-event.ts';

const agent = z.strictObject({ id: z.string(), skills: z.array(z.string()).readonly().optional() });
const schema = z.strictObject({
  agent: agent.optional(),
  agents: z.array(agent).min(1).readonly().optional(),
  agentId: z.string(),
  word: z.string(),
  count: z.int(),
});
const read = (value: object) => declaredPartsOf(schema, value);

describe('declaredPartsOf', () => {
  it.each<[string, object, object]>([
    ['declared fields', { count: 1, word: 'b' }, { count: 1, word: 'b' }],
    ['no object in place of a text', { word: { a: 'b' } }, {}],
    ['no list in place of a text', { word: ['b'], count: [1] }, {}],
    ['no null in place of a text', { word: null }, {}],
    ['no JSON of an object in place of a text', { word: '{"a":"b"}' }, {}],
    ['no JSON of a list in place of a text', { word: '[9198]' }, {}],
    ['no list of texts with JSON among it', { agent: { id: '1', skills: ['Sales', '["b"]'] } }, { agent: { id: '1' } }],
    ['no JSON that was split like a chain', { agent: { id: '1', skills: ['[9,"', '"]'] } }, { agent: { id: '1' } }],
    ['a text in brackets', { word: '[VIP] {Sales}' }, { word: '[VIP] {Sales}' }],
    ['an id as it is', { agentId: '{"a":"b"}' }, { agentId: '{"a":"b"}' }],
    ['no object in place of an id', { agentId: { a: 'b' } }, {}],
    ['no undeclared field', { count: 1, name: 'Asha' }, { count: 1 }],
    ['no undeclared field of an inner object', { agent: { id: '1', name: 'Asha', ucid: '7' } }, { agent: { id: '1' } }],
    ['no undeclared field of an object in a list', { agents: [{ id: '1', name: 'Asha' }] }, { agents: [{ id: '1' }] }],
    ['no text in place of an object', { agent: 'Asha', agents: ['Asha', { id: '1' }] }, { agents: [{ id: '1' }] }],
    ['no object in place of a list', { agents: { name: 'Asha' } }, {}],
    ['no list in place of an object', { agent: [{ id: '1' }] }, {}],
    ['no null in place of an object', { agent: null, agents: [null] }, { agents: [] }],
    ['no undefined value', { agent: undefined, count: undefined }, {}],
    ['fields in their order', { word: '', count: 0, agent: { id: '' } }, { word: '', count: 0, agent: { id: '' } }],
  ])('copies %s', (_title, value, taken) => {
    expect(JSON.stringify(read(value))).toBe(JSON.stringify(taken));
  });
});

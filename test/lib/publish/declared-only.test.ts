import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { declaredOnly } from '../../../lib/publish/declared-only.ts';

const agent = z.strictObject({ id: z.string(), skills: z.array(z.string()).readonly().optional() });
const read = declaredOnly(
  z.strictObject({
    agent: agent.optional(),
    agents: z.array(agent).min(1).readonly().optional(),
    map: z.record(z.string(), z.string()),
    count: z.int(),
  }),
);

describe('declaredOnly', () => {
  it.each<[string, object, object]>([
    ['what is declared', { count: 1, map: { a: 'b' } }, { count: 1, map: { a: 'b' } }],
    ['nothing beside it', { count: 1, name: 'Asha' }, { count: 1 }],
    ['nothing beside it further in', { agent: { id: '1', name: 'Asha' } }, { agent: { id: '1' } }],
    [
      'nothing beside it in a list',
      {
        agents: [
          { id: '1', name: 'Asha' },
          { id: '2', skills: ['Sales'] },
        ],
      },
      { agents: [{ id: '1' }, { id: '2', skills: ['Sales'] }] },
    ],
    [
      'nothing of a text where an object should be',
      { agent: 'Asha', agents: ['Asha', { id: '1' }] },
      { agents: [{ id: '1' }] },
    ],
    ['nothing of an object where a list should be', { agents: { name: 'Asha' } }, {}],
    ['nothing of a list where an object should be', { agent: [{ id: '1' }] }, {}],
    ['nothing of null where an object should be', { agent: null, agents: [null] }, { agents: [] }],
    ['nothing that is undefined', { agent: undefined, count: undefined }, {}],
    ['values in their order', { map: {}, count: 0, agent: { id: '' } }, { map: {}, count: 0, agent: { id: '' } }],
  ])('takes %s', (_title, value, taken) => {
    expect(JSON.stringify(read(value))).toBe(JSON.stringify(taken));
  });

  it('leaves what it read as it was', () => {
    const value = { agent: { id: '1', name: 'Asha' } };
    read(value);

    expect(value).toEqual({ agent: { id: '1', name: 'Asha' } });
  });
});

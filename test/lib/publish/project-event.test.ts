import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CallSummaryRecorded } from '../../../lib/contract/call-events.ts';
import { declaredPartsOf, maxDetailBytes, projectEvent, truncateToLimit } from '../../../lib/publish/project-event.ts';
import { fieldRows } from '../../fixtures/call-fields.ts';
import { callEventOf, newCall } from '../../support/posted-records.ts';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const project = projectEvent('keep');

const detailOf = (call: object) => {
  const event = callEventOf(newCall(1, { status: 'answered', timeZone: 'UTC', ...call }));
  return (event && project(event).detail) as unknown as Readonly<Record<string, unknown>> & {
    call: Record<string, unknown>;
  };
};

const lists = ['agentIds', 'agentNames', 'comments', 'dispositions', 'fallbackSteps', 'transferredTo', 'recordings'];
const manyOf = (text: string, count: number) =>
  Object.fromEntries(lists.map((name) => [name, Array.from({ length: count }, (_, index) => text + index)]));

/** A leg with every fact, so with more than a truncated map keeps. */
const leg = {
  ...Object.fromEntries(fieldRows.filter(({ fact }) => fact !== 'callId').map(({ fact, value }) => [fact, value])),
  status: 'answered',
  timeZone: 'UTC',
  ucid: '1',
};

const tooLarge: readonly (readonly [string, object])[] = [
  ['one long text', { uui: 'x'.repeat(300_000) }],
  ['a list of many entries', { comments: Array.from({ length: 60_000 }, (_, index) => `c${index}`) }],
  ['one long entry of a list', { comments: ['x'.repeat(300_000)] }],
  [
    'many unknown fields',
    { extra: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, 'x'])) },
  ],
  ['an unknown field with a long name', { extra: { ['k'.repeat(300_000)]: 'x' } }],
  ['a note on a long value', { notes: [{ field: 'endedAt', reason: 'unparsable-time', asSent: 'x'.repeat(300_000) }] }],
  ['characters of three bytes', { uui: '€'.repeat(90_000) }],
  ['characters of two units', { uui: '😀'.repeat(70_000), extra: { ['😀'.repeat(70_000)]: '😀' } }],
  ['control characters, which JSON makes six bytes of', { uui: '\u0001'.repeat(50_000) }],
  ['many long lists', manyOf('x'.repeat(5_000), 30)],
  ['many long lists of control characters', manyOf('\u0001'.repeat(2_000), 30)],
  ['quotes and backslashes', { uui: '"\\'.repeat(100_000) }],
  ['many legs', { legs: Array.from({ length: 50 }, () => ({ ...leg, comments: ['x'.repeat(9_000)] })) }],
  ['a long text beside legs', { uui: 'x'.repeat(300_000), legs: [leg, { ...leg, ucid: '2' }] }],
];

describe('truncateToLimit, of a call’s event', () => {
  it.each(tooLarge)('makes %s fit, satisfies the contract, and names the truncated fields', (_title, call) => {
    const detail = detailOf(call);
    const sent = { status: 'answered', timeZone: 'UTC', ...call } as Record<string, unknown>;
    const different = Object.keys(sent).filter(
      (field) => JSON.stringify(detail.call[field]) !== JSON.stringify(sent[field]),
    );

    expect(bytesOf(detail)).toBeLessThanOrEqual(maxDetailBytes);
    expect(CallSummaryRecorded.safeParse(detail).error).toBeUndefined();
    expect(detail['shortenedFields']).toEqual(different.sort());
    expect(JSON.stringify(detail)).not.toMatch(/\\ud[89a-f]/i);
  });

  it('truncates the largest values first, and no more of them than needed', () => {
    expect(detailOf({ uui: 'x'.repeat(150_000), skillName: 'y'.repeat(150_001) })).toMatchObject({
      shortenedFields: ['skillName'],
      call: { uui: 'x'.repeat(150_000), skillName: 'y'.repeat(1_000) },
    });
  });

  it('keeps the beginning of a truncated list', () => {
    const comments = Array.from({ length: 60_000 }, (_, index) => `c${index}`);

    expect(detailOf({ comments }).call['comments']).toEqual(comments.slice(0, 20));
  });
});

describe('truncateToLimit', () => {
  it('keeps numbers, null and booleans, even if everything else is truncated', () => {
    const lists = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, ['x'.repeat(1_500)]]));
    const detail = truncateToLimit({ call: { ...lists, seconds: 1_234_567, nothing: null, yes: true } }, 'call');

    expect(detail.call).toMatchObject({ f0: ['x'.repeat(100)], seconds: 1_234_567, nothing: null, yes: true });
    expect(truncateToLimit({ call: { list: Array(40_000).fill(1_234_567) } }, 'call').call.list).toEqual(
      Array(20).fill(1_234_567),
    );
  });

  it('leaves a detail of exactly the limit as it is', () => {
    const room = maxDetailBytes - bytesOf({ call: { uui: '' } });
    const detail = { call: { uui: 'x'.repeat(room) } };

    expect(truncateToLimit(detail, 'call')).toBe(detail);
    expect(truncateToLimit({ call: { uui: 'x'.repeat(room + 1) } }, 'call')).not.toHaveProperty(
      'call.uui.length',
      room + 1,
    );
  });

  it('stops as soon as a detail fits', () => {
    const cut = { a: 'x'.repeat(1_000), b: '' };
    const room = maxDetailBytes - bytesOf({ call: cut, shortenedFields: ['a'] });
    const whole = 'y'.repeat(room);

    expect(truncateToLimit({ call: { a: 'x'.repeat(room + 1), b: whole } }, 'call')).toEqual({
      call: { ...cut, b: whole },
      shortenedFields: ['a'],
    });
  });

  it('truncates to 100 characters and 10 entries at most', () => {
    // Nothing that is cut makes room enough.
    const other = 'x'.repeat(maxDetailBytes);
    const call = { texts: Array.from({ length: 12 }, () => 'x'.repeat(110)), text: 'y'.repeat(110) };

    expect(truncateToLimit({ call, other }, 'call').call).toEqual({
      texts: Array.from({ length: 10 }, () => 'x'.repeat(100)),
      text: 'y'.repeat(100),
    });
  });
});

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
    [
      'no list of texts with JSON among them',
      { agent: { id: '1', skills: ['Sales', '["b"]'] } },
      { agent: { id: '1' } },
    ],
    ['no JSON that was split like a chain', { agent: { id: '1', skills: ['[9,"', '"]'] } }, { agent: { id: '1' } }],
    ['a text in brackets', { word: '[VIP] {Sales}' }, { word: '[VIP] {Sales}' }],
    ['an id as it is', { agentId: '{"a":"b"}' }, { agentId: '{"a":"b"}' }],
    ['no object in place of an id', { agentId: { a: 'b' } }, {}],
    ['no undeclared field', { count: 1, name: 'Asha' }, { count: 1 }],
    ['no undeclared field of an inner object', { agent: { id: '1', name: 'Asha' } }, { agent: { id: '1' } }],
    [
      'no undeclared field of an object in a list',
      {
        agents: [
          { id: '1', name: 'Asha' },
          { id: '2', skills: ['Sales'] },
        ],
      },
      { agents: [{ id: '1' }, { id: '2', skills: ['Sales'] }] },
    ],
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

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fieldTable, typeWords } from '../../../docs/contract/field-tables.ts';
import { field, instant, seconds, text, texts, word } from '../../../lib/schema/field.ts';

const titled = z.object({ a: text }).meta({ title: 'Some thing' });

describe('typeWords', () => {
  it.each<[string, z.ZodType, string]>([
    ['skillName', text, 'text'],
    ['skillName', text.optional(), 'text'],
    ['agentIds', texts.optional(), 'list of texts'],
    ['startedAt', instant.optional(), 'instant'],
    ['holdSeconds', seconds, 'seconds'],
    ['secondsInPreviousState', seconds, 'seconds'],
    ['expiresAt', z.int(), 'seconds since 1970'],
    ['revision', z.int().positive(), 'whole number'],
    ['share', z.number(), 'number'],
    ['isThere', z.boolean(), 'true or false'],
    ['revision', z.literal(1), '`1`'],
    ['status', z.enum(['a', 'b']), '`a`, `b`'],
    ['status', word(['a', 'b', 'c', 'd']), '[word](#words)'],
    ['statuses', z.array(word(['a', 'b', 'c', 'd'])).readonly(), 'list of [words](#words)'],
    ['extra', z.record(z.string(), text), 'map of texts by name'],
    ['call', titled, '[Some thing](#some-thing)'],
    [
      'previous',
      z.object({ state: z.literal('ready'), at: instant }),
      'object of `state` (`ready`) and `at` (instant)',
    ],
    ['anything', z.unknown(), 'anything'],
  ])('describes %s', (name, schema, words) => {
    expect(typeWords(name, schema)).toBe(words);
  });
});

describe('fieldTable', () => {
  it('has the meaning, the source and the marks of each field', () => {
    const listed = { id: text };
    const schema = z.object({
      ...listed,
      name: field(text.optional(), 'A | name.', { origin: 'AgentName', personal: true }),
      count: field(z.int(), 'How many.').optional(),
    });

    expect(fieldTable(schema, listed).split('\n')).toEqual([
      '| Field | Type | Meaning | From | Personal |',
      '| --- | --- | --- | --- | --- |',
      '| `name`? | text | A \\| name. | `AgentName` | yes |',
      '| `count`? | whole number | How many. |  |  |',
    ]);
  });
});

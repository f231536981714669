import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fieldTable, ownWordTable, serviceWordTables, typeWords } from '../../../docs/contract/field-tables.ts';
import { field, instant, seconds, text, texts, word } from '../../../lib/schema/field.ts';
import { agentStates } from '../../../lib/telephony/agent-fields.ts';
import * as vocabularies from '../../../lib/telephony/vocabularies.ts';

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

describe('serviceWordTables', () => {
  const rows = serviceWordTables().split('\n');

  it.each(Object.entries({ ...vocabularies, agentStates }))('has a table of %s', (_name, { words, spellings }) => {
    const expected = words.map(
      (word) => `| \`${word}\` | ${spellings[word]?.map((each) => `\`${each}\``).join(', ')} |`,
    );
    const from = rows.indexOf(expected[0] ?? '');

    expect(rows.slice(from, from + words.length)).toEqual(expected);
    expect(rows[from + words.length]).toBe('| `unknown` | any other word |');
  });

  it('names the fields before each table', () => {
    expect(rows).toContain('`customerStatuses`, `dialStatuses`, `agentStatuses`, `dialStatus`:');
    expect(rows).toContain('| `logged-out` | none: the agent is no longer in the list |');
  });
});

describe('ownWordTable', () => {
  it('has the other sets only', () => {
    expect(ownWordTable()).toContain('| `changedFields` | `name`, `phoneNumber`, `skills` |');
    expect(ownWordTable()).not.toMatch(/`unknown`/);
  });
});

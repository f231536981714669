import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { eventSchemasFor, objectWithoutPersonal } from '../../../lib/contract/events.ts';
import { field, nonEmpty } from '../../../lib/storage/field.ts';

const personal = { personal: true } as const;
const name = field(nonEmpty, 'A name.', personal);
const person = z.strictObject({ id: nonEmpty, name });

const namesIn = (schema: z.ZodMiniObject) => Object.keys(objectWithoutPersonal(schema).shape);
const jsonOf = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { target: 'draft-04' });

describe('objectWithoutPersonal', () => {
  it.each<[string, z.ZodMiniType]>([
    ['one that is required', name],
    ['one that may be absent', field(z.optional(nonEmpty), 'A name.', personal)],
    ['one that was made optional afterwards', z.optional(name)],
    ['a list', field(z.array(nonEmpty), 'Names.', personal)],
    ['a list of personal values', z.optional(z.readonly(z.array(name).check(z.minLength(1))))],
    ['an object', field(z.strictObject({ id: nonEmpty }), 'A person.', personal)],
    ['a map', field(z.record(z.string(), nonEmpty), 'What is known.', personal)],
  ])('leaves out what is personal: %s', (_title, schema) => {
    expect(namesIn(z.strictObject({ other: nonEmpty, schema }))).toEqual(['other']);
  });

  it.each<[string, z.ZodMiniType]>([
    ['an object', person],
    ['an object that may be absent', z.optional(person)],
    ['a list of objects', z.optional(z.readonly(z.array(person).check(z.minLength(1))))],
    ['a list of lists of objects', z.array(z.array(person))],
  ])('leaves personal parts out of a schema that is not personal as a whole: %s', (_title, schema) => {
    const left = objectWithoutPersonal(z.strictObject({ schema }));

    expect(Object.keys(left.shape)).toEqual(['schema']);
    expect(JSON.stringify(jsonOf(left))).toContain('"id"');
    expect(JSON.stringify(jsonOf(left))).not.toContain('"name"');
  });

  it.each<[string, z.ZodMiniType]>([
    ['an object', field(person, 'Who.')],
    ['an object that may be absent', field(z.optional(person), 'Who.')],
    ['a list', field(z.array(person), 'Who.')],
    ['a list that nobody changes', field(z.readonly(z.array(person)), 'Who.')],
  ])('leaves the description of what is less now: %s', (_title, schema) => {
    expect(jsonOf(objectWithoutPersonal(z.strictObject({ schema })))).toMatchObject({
      properties: { schema: { description: 'Who.' } },
    });
  });

  it('leaves everything else as it was: checks, descriptions and strictness', () => {
    const rest = {
      ids: field(z.optional(z.readonly(z.array(nonEmpty).check(z.minLength(2)))), 'Ids.'),
      count: field(z.int().check(z.positive()), 'How many.'),
      inner: field(z.strictObject({ word: z.enum(['a', 'b']) }), 'Inside.'),
    };
    const schema = z.strictObject({ name, ...rest }).register(z.globalRegistry, { title: 'Whole' });

    expect(jsonOf(objectWithoutPersonal(schema))).toEqual(
      jsonOf(z.strictObject(rest).register(z.globalRegistry, { title: 'Whole' })),
    );
  });

  it('does not change the declaration itself', () => {
    const before = jsonOf(person);
    objectWithoutPersonal(z.strictObject({ person }));

    expect(jsonOf(person)).toEqual(before);
  });
});

describe('eventSchemasFor', () => {
  const kept = eventSchemasFor('keep');
  const left = eventSchemasFor('leave-out');

  it.each(Object.keys(kept) as (keyof typeof kept)[])('has nothing personal in %s', (type) => {
    expect(JSON.stringify(jsonOf(left[type]))).not.toContain('"personal"');
  });

  it('has personal data only in events about calls, participants and agents', () => {
    const telling = Object.entries(kept).filter(([, schema]) => JSON.stringify(jsonOf(schema)).includes('"personal"'));

    expect(telling.map(([type]) => type)).toEqual(
      Object.keys(kept).filter((type) => !/^(?:Agent Feed|Call Recording)/.test(type)),
    );
  });

  it('requires the same fields as before, except those left out', () => {
    for (const [type, schema] of Object.entries(left))
      expect(jsonOf(schema).required).toEqual(jsonOf(kept[type as keyof typeof kept]).required);
  });
});

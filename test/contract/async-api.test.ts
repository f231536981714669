import { readFileSync } from 'node:fs';
import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { eventSchemas } from '../../lib/contract/event-schemas.ts';
import { eventFaults } from './support/schema-checks.ts';

const document = JSON.parse(readFileSync('docs/asyncapi.json', 'utf8'));
/** AsyncAPI's own schema is of draft 7, and has words of its own. */
const validate = new Ajv({ strict: false, validateFormats: false }).compile(specs.schemasWithoutId['3.0.0']);

/** What a reference in the document leads to. */
const resolved = ({ $ref }: { readonly $ref: string }) =>
  $ref
    .slice(2)
    .split('/')
    .reduce((within, step) => within[step], document);

describe('docs/asyncapi.json', () => {
  it('is an AsyncAPI 3.0 document, by AsyncAPI’s own schema', () => {
    validate(document);

    expect(validate.errors).toBeNull();
  });

  it.each<[string, object]>([
    ['another version', { asyncapi: '4.0.0' }],
    ['a channel that is none', { channels: { bus: 1 } }],
    ['an operation without a channel', { operations: { publish: { action: 'send' } } }],
  ])('would not be one with %s', (_title, wrong) => {
    expect(validate({ ...document, ...wrong })).toBe(false);
  });

  it('has one message for each event, on the bus and in the operation', () => {
    const sent = document.operations.publish.messages.map(resolved).map(resolved);

    expect(sent.map(({ name }: { readonly name: string }) => name)).toEqual(Object.keys(eventSchemas));
    expect(Object.values<{ $ref: string }>(document.channels.bus.messages).map(resolved)).toEqual(sent);
  });

  it.each(Object.keys(eventSchemas))('leads to the schema of %s, which its example fits', (type) => {
    const { payload, examples } = document.components.messages[type.replaceAll(' ', '')];

    expect(JSON.parse(readFileSync(`docs/${payload.schema.$ref}`, 'utf8'))).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: type,
    });
    expect(eventFaults(examples[0].payload)).toEqual([]);
  });
});

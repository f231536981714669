import { expect, it } from 'vitest';
import * as z from 'zod';
import { openJsonSchema } from '../../../lib/contract/open-json-schema.ts';

const schema = z.strictObject({
  inner: z.array(z.strictObject({ a: z.string() })),
  extra: z.record(z.string(), z.int()),
});

it.each([
  ['draft-04', 'http://json-schema.org/draft-04/schema#'],
  ['draft-2020-12', 'https://json-schema.org/draft/2020-12/schema'],
] as const)('a declaration in %s is open at every depth, and says what maps hold', (draft, $schema) => {
  const json = openJsonSchema(schema, draft);

  expect(json).toMatchObject({ $schema, properties: { extra: { additionalProperties: { type: 'integer' } } } });
  expect(JSON.stringify(z.toJSONSchema(schema))).toContain('"additionalProperties":false');
  expect(JSON.stringify(json)).not.toContain('"additionalProperties":false');
});

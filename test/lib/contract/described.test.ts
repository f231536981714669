import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent, AgentFacts } from '../../../lib/agent-login/model.ts';
import { CallFacts } from '../../../lib/call-summary/model.ts';
import { agentEvents } from '../../../lib/contract/agent-events.ts';
import { CallSummary, callEvents, Participant } from '../../../lib/contract/call-events.ts';
import { Note } from '../../../lib/contract/note.ts';
import { QuarantineEntry } from '../../../lib/contract/quarantine-entry.ts';
import { registrySchemas } from '../../../lib/contract/registry-schemas.ts';
import { rows } from '../../../lib/contract/rows.ts';
import { Feed } from '../../../lib/feed/feed.ts';
import { KeptFloor } from '../../../lib/floor/kept-floor.ts';
import { ParticipantFacts } from '../../../lib/participant/model.ts';

/** Each field of a schema says in words what it is, or is an object with a title. */
const expectDescribed = (jsonSchema: object): void => {
  const { properties } = Object(jsonSchema);
  for (const [name, field] of Object.entries<{ description?: string; title?: string }>(properties))
    expect(field.description ?? field.title, name).toMatch(/\w/);
};

/** What users read of their tables and events. */
const contract: readonly (readonly [title: string, schema: z.ZodObject])[] = [
  ['Call facts', CallFacts],
  ['Call summary', CallSummary],
  ['Participant facts', ParticipantFacts],
  ['Participant', Participant],
  ['Note', Note],
  ['Quarantine entry', QuarantineEntry],
  ['Agent facts', AgentFacts],
  ['Agent', Agent],
  ['Agent feed', Feed],
  ['Kept floor', KeptFloor],
  ...Object.entries({ ...callEvents, ...agentEvents }),
  ...Object.values(rows).map((row): [string, z.ZodObject] => [String(row.meta()?.title), row]),
];

describe('the contract', () => {
  it.each(contract)('says under its title what each field is: %s', (title, schema) => {
    expect(schema.meta()?.title).toBe(title);
    expectDescribed(z.toJSONSchema(schema));
  });

  it.each(Object.entries(registrySchemas('keep')))('says what the bus adds to an event: %s', (_type, schema) => {
    expectDescribed(schema);
  });
});

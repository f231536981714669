import ajvDraft04 from 'ajv-draft-04';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { Agent, AgentFacts, PollStatus, Snapshot } from '../../../lib/agents/schema.ts';
import { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { CallFacts, ParticipantFacts } from '../../../lib/calls/schema.ts';
import { CallSummary, Participant } from '../../../lib/contract/call-events.ts';
import {
  type EventType,
  eventSchemas,
  eventSchemasFor,
  isEventType,
  openJsonSchema,
  personalFields,
  registrySchemas,
} from '../../../lib/contract/events.ts';
import { rows } from '../../../lib/contract/rows.ts';
import type { BusEvent } from '../../../lib/publish/events-of-change.ts';
import { projectEvent } from '../../../lib/publish/project-event.ts';
import { Note } from '../../../lib/storage/field.ts';
import { delivered } from '../../docs/contract/support/event-bridge.ts';
import { everyEvent } from '../../support/every-event.ts';

describe('isEventType', () => {
  it.each(Object.keys(eventSchemas))('accepts %s', (type) => {
    expect(isEventType(type)).toBe(true);
  });

  it.each([
    ['another word', 'Call Ended'],
    ['what every object has', 'toString'],
    ['nothing', undefined],
    ['a list', ['Agent Logged In']],
  ])('is false of %s', (_title, type) => {
    expect(isEventType(type)).toBe(false);
  });
});

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

/** Strict: a word that is none of draft 4, or of ours, is a mistake. Formats are told by patterns too. */
const ajv = new ajvDraft04.default({
  strict: true,
  validateFormats: false,
  keywords: ['origin', 'personal', 'readOnly'],
});

const inventory = await everyEvent('keep');

it('describes the values of a map by their type', () => {
  const { detail } = Object(registrySchemas('keep')['Call Summary Recorded']).properties;

  expect(detail.properties.call.properties.extra).toMatchObject({ additionalProperties: { type: 'string' } });
});

describe.each(personalFields)('registrySchemas, where a deployment has it %s', (personal) => {
  const schemas = registrySchemas(personal);
  const types = Object.keys(schemas);

  it('has a schema for every event, within the registry’s limit of characters', () => {
    expect(types.sort()).toEqual(Object.keys(eventSchemasFor(personal)).sort());
    for (const schema of Object.values(schemas)) expect(JSON.stringify(schema).length).toBeLessThanOrEqual(100_000);
  });

  it('is valid JSON Schema of draft 4', () => {
    for (const [type, schema] of Object.entries(schemas)) {
      expect(schema).toMatchObject({ $schema: 'http://json-schema.org/draft-04/schema#', title: type });
      expect(() => ajv.compile(schema)).not.toThrow();
    }
  });

  it('accepts every published event, at least one of each type', async () => {
    const events = await everyEvent(personal);

    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(types));
    for (const event of events) {
      const validate = ajv.compile(schemas[event.type]);
      expect(validate(delivered(event)), `${event.type}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  it('accepts the name of an archive’s replay, and fields that a later version adds', () => {
    const project = projectEvent(personal);
    const [event] = inventory;
    const validate = ajv.compile(schemas['Call Summary Recorded']);

    expect(event?.type).toBe('Call Summary Recorded');
    const later = event && delivered({ ...event, detail: { ...event.detail, addedLater: 1 } });
    expect(validate({ ...later, 'replay-name': 'yesterday' })).toBe(true);
    const again = { ...event, detail: { ...event?.detail, replayedAt: '2026-11-21T10:00:00.000Z' } } as BusEvent;
    expect(validate(delivered(project(again)))).toBe(true);
    expect(project(again).detail).toMatchObject({ replayedAt: '2026-11-21T10:00:00.000Z' });
  });
});

describe('an invalid event', () => {
  const eventOf = (type: EventType) => {
    const event = inventory.find((candidate) => candidate.type === type);
    if (event === undefined) throw new Error(`no ${type}`);
    return event;
  };
  const schemas = registrySchemas('keep');
  const isValid = (type: EventType, event: unknown) => ajv.compile(schemas[type])(event);

  it.each<[string, EventType, object]>([
    ['another version of the shape', 'Call Summary Recorded', { schemaVersion: 2 }],
    ['an instant without its milliseconds', 'Call Summary Recorded', { occurredAt: '2026-11-20T06:00:00Z' }],
    ['a first event of a later revision', 'Call Summary Recorded', { revision: 2 }],
    ['a revision before the first', 'Call Summary Revised', { revision: 0 }],
    ['an id as a number', 'Call Summary Revised', { callId: 41_781_234_567_890 }],
    ['a word that is none of the vocabulary', 'Call Summary Revised', { call: { timeZone: 'UTC', status: 'maybe' } }],
    ['a call without its zone', 'Call Summary Recorded', { call: {} }],
    ['a list that is empty', 'Call Participant Recorded', { participant: { timeZone: 'UTC', recordings: [] } }],
    ['an agent without a state', 'Agent Logged In', { current: { agentId: 'asha' } }],
    ['seconds below nothing', 'Agent State Changed', { secondsInPreviousState: -1 }],
    ['a reason that nobody declared', 'Agent Feed Interrupted', { reason: 'moon' }],
  ])('is rejected by the schema: %s', (_title, type, wrong) => {
    const event = eventOf(type);

    expect(isValid(type, delivered(event))).toBe(true);
    expect(isValid(type, delivered({ ...event, detail: { ...event.detail, ...wrong } }))).toBe(false);
  });

  it.each(['version', 'id', 'detail-type', 'source', 'account', 'time', 'region', 'resources', 'detail'])(
    'does not fit the schema without its %s',
    (name) => {
      const whole = delivered(eventOf('Agent Logged Out'));

      expect(isValid('Agent Logged Out', { ...whole, [name]: undefined })).toBe(false);
    },
  );

  it.each(['id', 'account', 'occurredAt', 'recordedAt', 'agentId', 'version', 'previous', 'current'])(
    'does not fit the schema without its detail’s %s',
    (name) => {
      const event = eventOf('Agent Logged Out');
      const { [name]: _left, ...rest } = event.detail;
      const { id, recordedAt } = event.detail;
      const without = JSON.parse(JSON.stringify({ ...rest, ...(name !== 'id' && { id }) }));
      const envelope = delivered({ ...event, detail: { ...without, id, recordedAt } });

      expect(isValid('Agent Logged Out', { ...envelope, detail: without })).toBe(false);
    },
  );

  it('is rejected by the schema of another event', () => {
    for (const { type, ...event } of inventory) {
      const others = Object.keys(schemas).filter((other) => other !== type);
      for (const other of others) expect(isValid(other as EventType, delivered({ type, ...event }))).toBe(false);
    }
  });
});

/** Each field of a schema has a sentence that describes it, or is an object with a title. */
const expectDescribed = (jsonSchema: object): void => {
  const { properties } = Object(jsonSchema);
  for (const [name, field] of Object.entries<{ description?: string; title?: string }>(properties))
    expect(field.description ?? `${field.title}.`, name).toMatch(/^\w.*\.$/);
};

/** What users read about tables and events. */
const contract: readonly (readonly [title: string, schema: z.ZodMiniObject])[] = [
  ['Call facts', CallFacts],
  ['Call summary', CallSummary],
  ['Participant facts', ParticipantFacts],
  ['Participant', Participant],
  ['Note', Note],
  ['Quarantine entry', QuarantineEntry],
  ['Agent facts', AgentFacts],
  ['Agent', Agent],
  ['Agent feed', PollStatus],
  ['Snapshot', Snapshot],
  ...Object.entries(eventSchemas),
  ...Object.values(rows).map((row): [string, z.ZodMiniObject] => [String(z.globalRegistry.get(row)?.title), row]),
];

describe('the contract', () => {
  it.each(contract)('has a title and describes each field: %s', (title, schema) => {
    expect(z.globalRegistry.get(schema)?.title).toBe(title);
    expectDescribed(z.toJSONSchema(schema));
  });

  it.each(Object.entries(eventSchemas))('requires the envelope of %s, and is strict', (_type, schema) => {
    const { required, additionalProperties } = z.toJSONSchema(schema);

    expect(additionalProperties).toBe(false);
    expect(required).toEqual(expect.arrayContaining(['schemaVersion', 'id', 'account', 'occurredAt', 'recordedAt']));
  });

  it.each(Object.entries(registrySchemas('keep')))('describes what the bus adds to an event: %s', (_type, schema) => {
    expectDescribed(schema);
  });
});

import ajvDraft04 from 'ajv-draft-04';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { agentEvents } from '../../../lib/contract/agent-events.ts';
import { callEvents } from '../../../lib/contract/call-events.ts';
import {
  type EventType,
  eventSchemas,
  eventSchemasFor,
  guideOf,
  objectWithoutPersonal,
  openJsonSchema,
  registrySchemas,
} from '../../../lib/contract/events.ts';
import { type BusEvent, eventsOf, type RowChange } from '../../../lib/publish/events-of-change.ts';
import { projectEvent } from '../../../lib/publish/project-event.ts';
import { serviceProblems } from '../../../lib/service/service.ts';
import { eventGuides } from '../../../lib/storage/event.ts';
import { field, nonEmpty } from '../../../lib/storage/field.ts';
import { personalFields } from '../../../lib/storage/rows.ts';
import { wireCallFields } from '../../../lib/telephony/call-fields.ts';
import { deployment, noAnswer, success } from '../../deployment/index.ts';
import { delivered } from '../../docs/contract/support/event-bridge.ts';
import { arbitraryPolls, callDelivery, holds, holdsAsync, participantDelivery } from '../../support/arbitraries.ts';
import { everyEvent } from '../../support/every-event.ts';
import { callKey, changesFromDeliveries, originOf, participantKey } from '../../support/posted-records.ts';

it('lets no event without a guide into the pages', () => {
  const { 'Call Summary Recorded': schema } = eventSchemas;
  const guide = guideOf('Call Summary Recorded');
  eventGuides.remove(schema);
  try {
    expect(() => guideOf('Call Summary Recorded')).toThrow('The event Call Summary Recorded has no guide');
  } finally {
    eventGuides.add(schema, guide);
  }
});

it.each([
  ['draft-04', 'http://json-schema.org/draft-04/schema#'],
  ['draft-2020-12', 'https://json-schema.org/draft/2020-12/schema'],
] as const)('a declaration in %s is open at every depth, and says what maps hold', (draft, $schema) => {
  const inner = z.array(z.strictObject({ a: z.string() }));
  const schema = z.strictObject({ inner, extra: z.record(z.string(), z.int()) });
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

describe.each(personalFields)('registrySchemas, where a deployment has it %s', (personal) => {
  const schemas = registrySchemas(personal);
  const types = Object.keys(schemas);

  it('has a schema for every event: valid JSON Schema of draft 4, within the registry’s limit of characters', () => {
    expect(types.sort()).toEqual(Object.keys(eventSchemasFor(personal)).sort());
    for (const [type, schema] of Object.entries(schemas)) {
      expect(JSON.stringify(schema).length).toBeLessThanOrEqual(100_000);
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
});

it.each(Object.entries(eventSchemas))(
  'the schema of %s is strict, so that a field that is not declared shows in tests',
  (_type, schema) => {
    expect(z.toJSONSchema(schema)).toMatchObject({ additionalProperties: false });
  },
);

/** What is wrong with the events of a change by the contract. */
const problemsOf = (change: RowChange) =>
  eventsOf(change).flatMap(
    ({ type, detail }) => eventSchemas[type].safeParse(JSON.parse(JSON.stringify(detail))).error ?? [],
  );

describe('a published event', () => {
  it.each([
    ['call', callDelivery, callKey],
    ['participant', participantDelivery, participantKey],
  ] as const)(
    'of a %s satisfies the contract, whatever is delivered and whatever image is missing',
    (_kind, delivery, key) => {
      holds(
        fc.property(fc.array(delivery, { minLength: 1, maxLength: 5 }), (deliveries) => {
          for (const change of changesFromDeliveries(deliveries, key)) {
            expect(problemsOf(change)).toEqual([]);
            expect(problemsOf({ ...change, before: undefined })).toEqual([]);
          }
        }),
      );
    },
  );
});

/** Polls that show floors, and now and then fail. */
const polls = fc.tuple(
  arbitraryPolls,
  fc.array(fc.option(fc.constantFrom(...serviceProblems)), { minLength: 25, maxLength: 25 }),
);

describe('a published event about agents', () => {
  it('satisfies the contract and has an id of its own, whatever polls answer and whichever image is missing', async () => {
    const seen = new Set<string>();
    await holdsAsync(
      fc.asyncProperty(polls, async ([shown, failures]) => {
        const logins = shown.map(({ records }, index) => {
          const reason = failures[index];
          return reason === null || reason === undefined ? success(records) : noAnswer(reason);
        });
        const d = await deployment({ service: { logins } });
        for (const { afterSeconds } of shown) {
          await d.tick();
          d.advance(Math.max(afterSeconds, 15) * 1000);
        }
        const events = d.changes().flatMap(eventsOf);

        for (const { type } of events) seen.add(type);
        const ids = events.map(({ detail }) => detail.id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const change of d.changes()) {
          expect(problemsOf(change)).toEqual([]);
          expect(problemsOf({ ...change, before: undefined })).toEqual([]);
        }
      }),
    );

    expect(seen).toEqual(new Set(Object.keys(agentEvents)));
  });
});

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

  it.each(Object.entries(callEvents))('says from which field of the sender the ids in %s come', (_type, event) => {
    for (const id of ['callId', 'leg'].filter((name) => name in event.shape))
      expect(wireCallFields).toContain(originOf(event, id));
  });

  it('requires the same fields as before, except those left out', () => {
    for (const [type, schema] of Object.entries(left))
      expect(jsonOf(schema).required).toEqual(jsonOf(kept[type as keyof typeof kept]).required);
  });
});

import ajvDraft04 from 'ajv-draft-04';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import type { Account, PolledAccount } from '../../../lib/accounts/accounts.ts';
import { wireAgentFields } from '../../../lib/agents/normalise-agent.ts';
import { Agent, AgentFacts, PollStatus, Snapshot } from '../../../lib/agents/schema.ts';
import { QuarantineEntry, type StorableItem } from '../../../lib/callback/schema.ts';
import type { RecordKey } from '../../../lib/calls/call-record.ts';
import type { Delivery } from '../../../lib/calls/merge-deliveries.ts';
import { CallFacts, ParticipantFacts } from '../../../lib/calls/schema.ts';
import { agentEvents } from '../../../lib/contract/agent-events.ts';
import {
  type CallParticipantRecorded,
  CallSummary,
  type CallSummaryRecorded,
  type CallSummaryRevised,
  callEvents,
  eventSource,
  Participant,
} from '../../../lib/contract/call-events.ts';
import {
  type EventType,
  eventSchemas,
  eventSchemasFor,
  isEventType,
  openJsonSchema,
  registrySchemas,
} from '../../../lib/contract/events.ts';
import { personalFields } from '../../../lib/contract/personal-fields.ts';
import { rows } from '../../../lib/contract/rows.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { type BusEvent, callEventOf, eventsOf, type RowChange } from '../../../lib/publish/events-of-change.ts';
import { projectEvent } from '../../../lib/publish/project-event.ts';
import { Note } from '../../../lib/storage/field.ts';
import { pollProblems } from '../../../lib/telephony/service/service.ts';
import { deployment, noAnswer, success } from '../../deployment/index.ts';
import { delivered } from '../../docs/contract/support/event-bridge.ts';
import { arbitraryPolls, callDelivery, participantDelivery } from '../../support/arbitraries.ts';
import { callKey, changesFromDeliveries, participantKey } from '../../support/call-records.ts';
import { everyEvent } from '../../support/every-event.ts';
import { holds, holdsAsync } from '../../support/property.ts';

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

const expectValid = (change: RowChange) => {
  const event = callEventOf(change);
  if (event === undefined) return;
  const schema = callEvents[event.type as keyof typeof callEvents];
  expect(schema.safeParse(JSON.parse(JSON.stringify(event.detail))).error).toBeUndefined();
};

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
            expectValid(change);
            expectValid({ ...change, before: undefined });
          }
        }),
      );
    },
  );
});

describe('callEvents', () => {
  it.each([
    [
      'a call',
      callEvents['Call Summary Recorded'].shape.call,
      [
        'agentNames agentPhoneNumber agentStatusesAsSent campaignStatusAsSent comments conferenceRecordings',
        'customerNumber customerStatusesAsSent dialStatusesAsSent dialledNumber extra hangupByAsSent phoneName',
        'recordings statusAsSent transferTypesAsSent transferredTo typeAsSent uui',
      ],
    ],
    [
      'a participant',
      callEvents['Call Participant Recorded'].shape.participant,
      ['agentName dialStatusAsSent exitStatus extra participantNumber recordings'],
    ],
  ])('says which fields of %s may identify a person', (_kind, schema, names) => {
    const personal = Object.entries(schema.shape)
      .filter(([, field]) => z.globalRegistry.get(field)?.['personal'])
      .map(([name]) => name);

    expect(personal.sort()).toEqual(names.join(' ').split(' '));
  });

  it('marks every value as sent as personal', () => {
    expect(z.globalRegistry.get(Note.shape.asSent)).toMatchObject({ personal: true });
  });

  it('has the source callfeed on the bus', () => {
    expect(eventSource).toBe('callfeed');
  });
});

type Words<Word extends string> = readonly (Word | 'unknown')[] | undefined;

describe('the published types', () => {
  it('have the words of a call’s fields, all optional but the zone', () => {
    expectTypeOf<CallSummary['status']>().toEqualTypeOf<'answered' | 'not-answered' | 'unknown' | undefined>();
    expectTypeOf<CallSummary['hangupBy']>().toEqualTypeOf<'user' | 'agent' | 'system' | 'unknown' | undefined>();
    expectTypeOf<CallSummary['transferTypes']>().toEqualTypeOf<
      Words<'agent' | 'skill' | 'phone-number' | 'no-transfer'>
    >();
    expectTypeOf<CallSummary['recordings']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<CallSummary['callDurationSeconds']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<CallSummary['extra']>().toEqualTypeOf<Record<string, string> | undefined>();
    expectTypeOf<{ timeZone: string }>().toExtend<CallSummary>();
  });

  it('have identifiers as text', () => {
    expectTypeOf<CallSummaryRecorded['callId']>().toEqualTypeOf<string>();
    expectTypeOf<CallSummary['sourceCallId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Participant['ucid']>().toEqualTypeOf<string | undefined>();
  });

  it('distinguish a first event from a revision', () => {
    expectTypeOf<CallSummaryRecorded['revision']>().toEqualTypeOf<1>();
    expectTypeOf<CallSummaryRevised['changedFields']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<CallParticipantRecorded['changedFields']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<CallSummaryRecorded>().not.toHaveProperty('changedFields');
  });

  it('let a parked delivery be stored as it is', () => {
    type ParkedDelivery = Extract<StorableItem, { kind: 'delivery' }>;

    expectTypeOf<ParkedDelivery['delivery']>().toExtend<Delivery>();
    expectTypeOf<ParkedDelivery['key']>().toExtend<RecordKey>();
  });

  it('always have a zone in an account, and a token setting where it is polled', () => {
    expectTypeOf<Account['timeZone']>().toEqualTypeOf<string>();
    expectTypeOf<PolledAccount['token']['kind']>().toEqualTypeOf<'none' | 'static' | 'generate'>();
    expectTypeOf<Account['baseUrl']>().toEqualTypeOf<string | undefined>();
  });
});

describe('the facts of an agent', () => {
  it('name the field that each fact comes from', () => {
    const origins = Object.values(AgentFacts.shape).map((fact) => z.globalRegistry.get(fact)?.['origin']);

    expect(new Set(origins)).toEqual(new Set([...wireAgentFields, undefined]));
  });

  it('name the facts that may identify a person', () => {
    const personal = keysOf(Agent.shape).filter(
      (name) => z.globalRegistry.get(Agent.shape[name])?.['personal'] === true,
    );

    expect(personal).toEqual(['name', 'phoneNumber', 'stateAsSent', 'extra']);
  });
});

const problemsOf = (change: RowChange) =>
  eventsOf(change).map(({ type, detail }) => {
    const schema = agentEvents[type as keyof typeof agentEvents];
    return schema.safeParse(JSON.parse(JSON.stringify(detail))).error;
  });

/** Polls that show floors, and now and then fail. */
const polls = fc.tuple(
  arbitraryPolls,
  fc.array(fc.option(fc.constantFrom(...pollProblems)), { minLength: 25, maxLength: 25 }),
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
          expect(problemsOf(change).filter((error) => error !== undefined)).toEqual([]);
          expect(problemsOf({ ...change, before: undefined }).filter((error) => error !== undefined)).toEqual([]);
        }
      }),
    );

    expect(seen).toEqual(new Set(Object.keys(agentEvents)));
  });
});

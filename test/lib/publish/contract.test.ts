import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { callEvents } from '../../../lib/contract/call-events.ts';
import { eventSource } from '../../../lib/contract/envelope.ts';
import { Note } from '../../../lib/contract/note.ts';
import { callEventOf } from '../../../lib/publish/call-event-of.ts';
import type { RowChange } from '../../../lib/publish/row-change.ts';
import { specificationSummary } from '../../fixtures/call-summaries.ts';
import { specificationParticipant } from '../../fixtures/participants.ts';
import { callDelivery, participantDelivery } from '../support/arbitrary-deliveries.ts';
import { changesBy } from '../support/change-of.ts';
import { understood } from '../support/facts-of.ts';
import { holds } from '../support/property.ts';
import { callKey, participantKey } from '../support/record-of.ts';

const satisfies = (change: RowChange) => {
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
          for (const change of changesBy(deliveries, key)) {
            satisfies(change);
            satisfies({ ...change, before: undefined });
          }
        }),
      );
    },
  );

  it('of the specification’s samples satisfies the contract', () => {
    const { deliveries } = understood([specificationSummary, specificationParticipant]);
    const events = deliveries.flatMap(({ key, delivery }) => changesBy([delivery], key).map(callEventOf));

    expect(events.map((event) => event?.type)).toEqual(['Call Summary Recorded', 'Call Participant Recorded']);
    for (const { key, delivery } of deliveries) changesBy([delivery], key).forEach(satisfies);
  });
});

const propertiesOf = (schema: object = {}): Readonly<Record<string, object>> =>
  'properties' in schema ? (schema.properties as Record<string, object>) : {};

describe('callEvents', () => {
  it.each(Object.entries(callEvents))('gives %s a JSON Schema for the registry', (type, schema) => {
    const json = z.toJSONSchema(schema, { target: 'draft-04' });

    expect(json).toMatchObject({ title: type, type: 'object', additionalProperties: false });
    expect(json.required).toEqual(
      expect.arrayContaining(['schemaVersion', 'id', 'account', 'occurredAt', 'recordedAt', 'callId', 'revision']),
    );
  });

  it.each(Object.entries(callEvents))('describes every field of %s in the registry', (_type, schema) => {
    const { call, participant, ...fields } = propertiesOf(z.toJSONSchema(schema, { target: 'draft-04' }));

    for (const [name, field] of Object.entries({ ...fields, ...propertiesOf(call ?? participant) }))
      expect(field, name).toHaveProperty('description', expect.stringMatching(/^[A-Z].*\.$/));
  });

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
      .filter(([, field]) => field.meta()?.['personal'])
      .map(([name]) => name);

    expect(personal.sort()).toEqual(names.join(' ').split(' '));
  });

  it('says that a value as sent may identify a person', () => {
    expect(Note.shape.asSent.meta()).toMatchObject({ personal: true });
  });

  it('names its source on the bus', () => {
    expect(eventSource).toBe('callfeed');
  });
});

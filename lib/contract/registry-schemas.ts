import * as z from 'zod';
import { mapValues } from '../map-values.ts';
import { eventSource } from './envelope.ts';
import { type EventType, eventSchemasFor } from './event-schemas.ts';
import { field, text } from './field.ts';
import type { PersonalFields } from './personal-fields.ts';

/** An event as a subscriber gets it. */
const eventOf = (type: EventType, detail: z.ZodObject) =>
  z
    .strictObject({
      version: field(text, 'The version of this envelope, EventBridge’s own.'),
      id: field(text, 'Names this delivery to the bus; `detail.id` is the one that a repeat has too.'),
      'detail-type': field(z.literal(type), 'What happened.'),
      source: field(z.literal(eventSource), 'Who tells it.'),
      account: field(text, 'The AWS account.'),
      time: field(z.iso.datetime(), 'When it was written to the table, in whole seconds.'),
      region: field(text, 'The AWS region.'),
      resources: field(z.array(z.string()), 'Always empty.'),
      detail,
    })
    .meta({ title: type });

/**
 * Every whole event as JSON Schema of draft 4, the newest that the registry of EventBridge knows. It is open, so that who
 * checks with it takes events of a later version, to which fields were added, and replayed ones, which name their replay.
 */
export const registrySchemas = (personal: PersonalFields): Readonly<Record<EventType, object>> =>
  mapValues(eventSchemasFor(personal), (detail, type) =>
    z.toJSONSchema(eventOf(type, detail), {
      target: 'draft-04',
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    }),
  );

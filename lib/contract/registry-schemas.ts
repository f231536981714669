import { mapValues } from '../map-values.ts';
import { type EventType, eventSchemasFor } from './event-schemas.ts';
import { openJsonSchema } from './open-json-schema.ts';
import type { PersonalFields } from './personal-fields.ts';
import { wholeEvent } from './whole-event.ts';

/**
 * Every whole event as JSON Schema of draft 4, the newest that the registry of EventBridge knows. It is open, so that who
 * checks with it takes events of a later version, to which fields were added, and replayed ones, which name their replay.
 */
export const registrySchemas = (personal: PersonalFields): Readonly<Record<EventType, object>> =>
  mapValues(eventSchemasFor(personal), (detail, type) => openJsonSchema(wholeEvent(type, detail), 'draft-04'));

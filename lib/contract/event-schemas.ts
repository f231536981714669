import { mapValues } from '../map-values.ts';
import { agentEvents } from './agent-events.ts';
import { callEvents } from './call-events.ts';
import type { PersonalFields } from './personal-fields.ts';
import { objectWithoutPersonal } from './without-personal.ts';

/** The detail of every event, by its `detail-type`. */
export const eventSchemas = { ...callEvents, ...agentEvents };

/** A `detail-type` of ours. */
export type EventType = keyof typeof eventSchemas;

/** Whether something is a `detail-type` of ours. */
export const isEventType = (type: unknown): type is EventType =>
  typeof type === 'string' && Object.hasOwn(eventSchemas, type);

/** What the details of events look like in a deployment that keeps or leaves out what is personal. */
export const eventSchemasFor = (personal: PersonalFields) =>
  mapValues(eventSchemas, (schema) => (personal === 'keep' ? schema : objectWithoutPersonal(schema)));

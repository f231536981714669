import { InvalidArgumentError } from 'commander';
import { type EventType, eventSchemasFor } from '../../lib/contract/event-schemas.ts';

/** The declaration of each event’s detail. */
export const eventSchemas = eventSchemasFor('keep');

/** Whether that is an event of this version. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(eventSchemas, type);

/** Detail-types, as they were typed. */
export const eventTypes = (typed: string, before: readonly EventType[] = []): readonly EventType[] => {
  if (isEventType(typed)) return [...before, typed];
  throw new InvalidArgumentError(`There is no such event; there is ${Object.keys(eventSchemas).join(', ')}.`);
};

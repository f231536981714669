import { InvalidArgumentError } from 'commander';
import { type EventType, eventSchemas, isEventType } from '../../lib/contract/event-schemas.ts';

/** Detail-types, as they were typed. */
export const eventTypes = (typed: string, before: readonly EventType[] = []): readonly EventType[] => {
  if (isEventType(typed)) return [...before, typed];
  throw new InvalidArgumentError(`There is no such event; there is ${Object.keys(eventSchemas).join(', ')}.`);
};

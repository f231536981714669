import { eventSchemasFor } from '../contract/event-schemas.ts';
import type { PersonalFields } from '../contract/personal-fields.ts';
import { mapValues } from '../map-values.ts';
import { present } from '../present.ts';
import { declaredOnly } from './declared-only.ts';
import type { BusEvent } from './row-change.ts';
import { shortened } from './shortened.ts';

/**
 * Makes events what subscribers get to see: without what is personal, where that is left out, and small enough for the
 * bus. Whatever an event is named by stays as it was. What is left out is worked out once, from the declarations.
 */
export const subscribersView = (personal: PersonalFields): ((event: BusEvent) => BusEvent) => {
  if (personal === 'keep') return fitted;
  const readings = mapValues(eventSchemasFor(personal), declaredOnly);
  return ({ detail, ...event }) => {
    const { id, recordedAt, replayedAt } = detail;
    const named = present({ id, recordedAt, replayedAt });
    return fitted({ ...event, detail: { ...readings[event.type](detail), ...named } });
  };
};

/** What is long of an event is the record that it tells of; agents' have none, and are short. */
const fitted = (event: BusEvent): BusEvent => {
  const record = ['call', 'participant'].find((name) => name in event.detail);
  return record === undefined ? event : { ...event, detail: shortened(event.detail, record) };
};

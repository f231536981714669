import { $ZodArray, $ZodObject, $ZodOptional, $ZodReadonly, type $ZodType } from 'zod/v4/core';
import { type EventType, eventSchemasFor } from '../contract/events.ts';
import { mapValues, once } from '../core/collections.ts';

/** What events have of a value where personal data is left out: a text, number or boolean, these fields, or this of each entry. */
export type PublicParts = true | readonly [PublicParts] | PublicFields;
export interface PublicFields {
  readonly [field: string]: PublicParts;
}

/** The parts of a value that its schema declares. */
export const partsOf = (schema: $ZodType): PublicParts => {
  if (schema instanceof $ZodOptional || schema instanceof $ZodReadonly) return partsOf(schema._zod.def.innerType);
  if (schema instanceof $ZodArray) return [partsOf(schema._zod.def.element)];
  return schema instanceof $ZodObject ? fieldsOf(schema) : true;
};

const fieldsOf = (schema: $ZodObject): PublicFields => mapValues(schema._zod.def.shape, partsOf);

/** Whether parts are those of a list. */
export const isList = (parts: PublicParts): parts is readonly [PublicParts] => Array.isArray(parts);

/** What the details of events have where personal data is left out, by the type of event. */
export const publicFields: () => Readonly<Record<EventType, PublicFields>> = once(() =>
  mapValues(eventSchemasFor('leave-out'), fieldsOf),
);

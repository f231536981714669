import type * as z from 'zod/mini';
import { $ZodArray, $ZodObject, $ZodOptional, $ZodReadonly } from 'zod/v4/core';
import { eventSchemasFor } from '../contract/events.ts';
import type { PersonalFields } from '../contract/personal-data.ts';
import { type Facts, isObject, mapValues, withoutUndefined } from '../core/collections.ts';
import { jsonBytes } from '../core/json.ts';
import { type TruncationLimit, truncate } from '../core/text.ts';
import type { BusEvent } from './row-change.ts';

/** EventBridge accepts 256 KB an entry and a call. Source, type and bus need a little of it. */
export const maxDetailBytes = 240 * 1024;

/** Ever stricter limits: characters of a text, entries of a list or map. Under the last one every record fits. */
const truncationLimits = [
  { characters: 1_000, entries: 20 },
  { characters: 100, entries: 10 },
] as const satisfies readonly TruncationLimit[];

/**
 * The event's detail within the size limit. If it is too large, the largest values of `detail[name]` are truncated until
 * it fits, and `shortenedFields` names them. The row still has them whole.
 */
export const truncateToLimit = <Detail extends Facts>(detail: Detail, name: string): Detail => {
  const record = detail[name];
  if (jsonBytes(detail) <= maxDetailBytes || record === null || typeof record !== 'object') return detail;

  const values = new Map<string, unknown>(Object.entries(record));
  const shortenedFields = new Set<string>();
  const current = () => ({
    ...detail,
    [name]: Object.fromEntries(values),
    shortenedFields: [...shortenedFields].sort(),
  });
  for (const limit of truncationLimits) {
    for (const [field, value] of [...values].sort(([, a], [, b]) => jsonBytes(b) - jsonBytes(a))) {
      if (jsonBytes(current()) <= maxDetailBytes) return current();
      const truncated = truncate(limit, value);
      if (jsonBytes(truncated) >= jsonBytes(value)) continue;
      values.set(field, truncated);
      shortenedFields.add(field);
    }
  }
  return current();
};

/** Copies the declared part of a value. */
type Projection = (value: unknown) => unknown;

/**
 * Copies objects with the fields that a declaration names, and no others, at any depth. A value that does not have the
 * declared shape is left out: nobody knows what is in it.
 */
export const declaredOnly = (schema: $ZodObject): ((value: object) => Facts) => {
  const fields = new Map(Object.entries(schema._zod.def.shape).map(([name, field]) => [name, projectionOf(field)]));
  return (value) =>
    Object.fromEntries(Object.entries(value).flatMap(([name, part]) => entriesOf(name, fields.get(name)?.(part))));
};

const entriesOf = (name: string, value: unknown) => (value === undefined ? [] : [[name, value] as const]);

const projectionOf = (schema: z.core.$ZodType): Projection => {
  if (schema instanceof $ZodOptional || schema instanceof $ZodReadonly) return projectionOf(schema._zod.def.innerType);
  if (schema instanceof $ZodArray) {
    const project = projectionOf(schema._zod.def.element);
    return (value) =>
      Array.isArray(value) ? value.map(project).filter((element) => element !== undefined) : undefined;
  }
  if (!(schema instanceof $ZodObject)) return (value) => value;

  const project = declaredOnly(schema);
  return (value) => (isObject(value) ? project(value) : undefined);
};

/**
 * Makes events ready for subscribers: without personal data, if the deployment leaves it out, and small enough for the
 * bus. Ids stay as they were. What to leave out is worked out once, from the declarations.
 */
export const projectEvent = (personal: PersonalFields): ((event: BusEvent) => BusEvent) => {
  if (personal === 'keep') return truncateEvent;
  const projections = mapValues(eventSchemasFor(personal), declaredOnly);
  return ({ detail, ...event }) => {
    const { id, recordedAt, replayedAt } = detail;
    const identity = withoutUndefined({ id, recordedAt, replayedAt });
    return truncateEvent({ ...event, detail: { ...projections[event.type](detail), ...identity } });
  };
};

/** Only the record of a call or participant can be long. Events about agents are short. */
const truncateEvent = (event: BusEvent): BusEvent => {
  const record = ['call', 'participant'].find((name) => name in event.detail);
  return record === undefined ? event : { ...event, detail: truncateToLimit(event.detail, record) };
};

import { $ZodArray, $ZodObject, type $ZodType } from 'zod/v4/core';
import { type EventType, eventSchemasFor } from '../contract/events.ts';
import { isObject, once, type TruncationLimit, truncate, withoutUndefined } from '../core/collections.ts';
import { holdsNestedJson, jsonBytes } from '../core/json.ts';
import { unwrapped } from '../storage/field.ts';
import type { PersonalFields } from '../storage/rows.ts';
import type { BusEvent, EventDetail } from './events-of-change.ts';

const publicSchemas = once(() => eventSchemasFor('leave-out'));

/**
 * Our own limit. EventBridge accepts 1 MB since 2026, but some targets accept less. Source, type and bus name need the rest.
 */
export const maxDetailBytes = 240 * 1024;

/** Ever stricter limits: characters of a text, entries of a list or map. Under the last one every record fits. */
const truncationLimits = [
  { characters: 1_000, entries: 20 },
  { characters: 100, entries: 10 },
] as const satisfies readonly TruncationLimit[];

/**
 * Truncates the largest values of `detail[name]` until it fits, and names them in `shortenedFields`. The row keeps all of
 * it. Legs are left out whole: if some were missing, an agent's part of the call would be wrong.
 */
export const truncateToLimit = <Detail extends EventDetail>(detail: Detail, name: string): Detail => {
  if (jsonBytes(detail) <= maxDetailBytes) return detail;

  const values = new Map<string, unknown>(Object.entries(Object(detail[name])));
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
      if (field === 'legs') values.delete(field);
      else if (jsonBytes(truncated) < jsonBytes(value)) values.set(field, truncated);
      else continue;
      shortenedFields.add(field);
    }
  }
  return current();
};

/**
 * Copies what a schema declares of a value, at any depth. A value of another shape is left out. So is a text that holds JSON
 * of a list or object: nobody knows what is in it.
 */
export const declaredPartsOf = (declared: $ZodType, value: unknown): unknown => {
  const schema = unwrapped(declared);
  if (schema instanceof $ZodObject) return isObject(value) ? declaredFieldsOf(schema, value) : undefined;
  if (schema instanceof $ZodArray) return declaredEntriesOf(schema, value);
  return typeof value === 'object' || holdsNestedJson(value) ? undefined : value;
};

const declaredEntriesOf = (schema: $ZodArray, value: unknown): readonly unknown[] | undefined => {
  if (!Array.isArray(value) || holdsNestedJson(value)) return undefined;
  return value.map((entry) => declaredPartsOf(schema._zod.def.element, entry)).filter((entry) => entry !== undefined);
};

/** The ids of what an event is about. They stay, whatever text they hold: an event without them is of no use. */
const ids: ReadonlySet<string> = new Set(['account', 'agentId', 'callId', 'participantId', 'ucid']);

const declaredFieldsOf = (schema: $ZodObject, value: object) =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const { shape } = schema._zod.def;
      const declared = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const isId = declared !== undefined && ids.has(name) && typeof field === 'string';
      const kept = isId ? field : declared && declaredPartsOf(declared, field);
      return kept === undefined ? [] : [[name, kept] as const];
    }),
  );

export const publicDetail = (type: EventType, detail: object): EventDetail =>
  declaredFieldsOf(publicSchemas()[type], detail);

/** Leaves out personal data if the deployment does, and makes events small enough for the bus. Ids stay as they were. */
export const projectEvent = (personal: PersonalFields): ((event: BusEvent) => BusEvent) => {
  if (personal === 'keep') return truncateEvent;
  return ({ detail, ...event }) => {
    const { id, recordedAt, replayedAt } = detail;
    const identity = withoutUndefined({ id, recordedAt, replayedAt });
    return truncateEvent({ ...event, detail: { ...publicDetail(event.type, detail), ...identity } });
  };
};

/** Only the record of a call or participant can be long. Events about agents are short. */
const truncateEvent = (event: BusEvent): BusEvent => {
  const record = ['call', 'participant'].find((name) => name in event.detail);
  return record === undefined ? event : { ...event, detail: truncateToLimit(event.detail, record) };
};

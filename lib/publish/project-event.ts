import * as z from 'zod';
import { eventSchemasFor } from '../contract/events.ts';
import type { PersonalFields } from '../contract/personal-data.ts';
import { type Facts, mapValues, withoutUndefined } from '../core/objects.ts';
import { jsonBytes } from '../core/parse-json.ts';
import { type TruncationLimit, truncate } from '../core/text.ts';
import type { BusEvent } from './row-change.ts';

/** EventBridge takes 256 KB an entry and a call; source, type and bus need a little of it. */
export const maxDetailBytes = 240 * 1024;

/** Ever shorter cuts: characters of a text, entries of a list or map. The last fits whatever a record can hold. */
const truncationLimits = [
  { characters: 1_000, entries: 20 },
  { characters: 100, entries: 10 },
] as const satisfies readonly TruncationLimit[];

/**
 * The event's detail, made to fit: where it is too large, the largest values of `detail[name]` are cut until it is not,
 * and named in `shortenedFields`. Nothing is lost by it, since the row holds them whole.
 */
export const truncateToLimit = <Detail extends Facts>(detail: Detail, name: string): Detail => {
  const whole = detail[name];
  if (jsonBytes(detail) <= maxDetailBytes || whole === null || typeof whole !== 'object') return detail;

  const values = new Map<string, unknown>(Object.entries(whole));
  const shortenedFields = new Set<string>();
  const current = () => ({
    ...detail,
    [name]: Object.fromEntries(values),
    shortenedFields: [...shortenedFields].sort(),
  });
  for (const cut of truncationLimits) {
    for (const [field, value] of [...values].sort(([, a], [, b]) => jsonBytes(b) - jsonBytes(a))) {
      if (jsonBytes(current()) <= maxDetailBytes) return current();
      const short = truncate(cut, value);
      if (jsonBytes(short) >= jsonBytes(value)) continue;
      values.set(field, short);
      shortenedFields.add(field);
    }
  }
  return current();
};

/** Takes of a value what is declared. */
type Projection = (value: unknown) => unknown;

/**
 * Makes copies of objects that hold what a declaration names, and nothing beside it, at any depth. A value of another
 * shape than the declared one is left out, as nobody knows what is in it.
 */
export const declaredOnly = (schema: z.ZodObject): ((value: object) => Facts) => {
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, projectionOf(field)]));
  return (value) =>
    Object.fromEntries(Object.entries(value).flatMap(([name, part]) => entriesOf(name, fields.get(name)?.(part))));
};

const entriesOf = (name: string, value: unknown) => (value === undefined ? [] : [[name, value] as const]);

const projectionOf = (schema: z.core.$ZodType): Projection => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly) return projectionOf(schema.unwrap());
  if (schema instanceof z.ZodArray) {
    const read = projectionOf(schema.element);
    return (value) => (Array.isArray(value) ? value.map(read).filter((element) => element !== undefined) : undefined);
  }
  if (!(schema instanceof z.ZodObject)) return (value) => value;

  const read = declaredOnly(schema);
  return (value) => (isObject(value) ? read(value) : undefined);
};

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Makes events what subscribers get to see: without what is personal, where that is left out, and small enough for the
 * bus. Whatever an event is named by stays as it was. What is left out is worked out once, from the declarations.
 */
export const projectEvent = (personal: PersonalFields): ((event: BusEvent) => BusEvent) => {
  if (personal === 'keep') return truncateEvent;
  const readings = mapValues(eventSchemasFor(personal), declaredOnly);
  return ({ detail, ...event }) => {
    const { id, recordedAt, replayedAt } = detail;
    const named = withoutUndefined({ id, recordedAt, replayedAt });
    return truncateEvent({ ...event, detail: { ...readings[event.type](detail), ...named } });
  };
};

/** What is long of an event is the record that it tells of; agents' have none, and are short. */
const truncateEvent = (event: BusEvent): BusEvent => {
  const record = ['call', 'participant'].find((name) => name in event.detail);
  return record === undefined ? event : { ...event, detail: truncateToLimit(event.detail, record) };
};

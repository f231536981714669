import * as z from 'zod';
import type { Facts } from '../record/delivery.ts';

/** Takes of a value what is declared. */
type Reading = (value: unknown) => unknown;

/**
 * Makes copies of objects that hold what a declaration names, and nothing beside it, at any depth. A value of another
 * shape than the declared one is left out, as nobody knows what is in it.
 */
export const declaredOnly = (schema: z.ZodObject): ((value: object) => Facts) => {
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, readingOf(field)]));
  return (value) =>
    Object.fromEntries(Object.entries(value).flatMap(([name, part]) => entriesOf(name, fields.get(name)?.(part))));
};

const entriesOf = (name: string, value: unknown) => (value === undefined ? [] : [[name, value] as const]);

const readingOf = (schema: z.core.$ZodType): Reading => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly) return readingOf(schema.unwrap());
  if (schema instanceof z.ZodArray) {
    const read = readingOf(schema.element);
    return (value) => (Array.isArray(value) ? value.map(read).filter((element) => element !== undefined) : undefined);
  }
  if (!(schema instanceof z.ZodObject)) return (value) => value;

  const read = declaredOnly(schema);
  return (value) => (isObject(value) ? read(value) : undefined);
};

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

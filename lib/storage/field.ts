import * as z from 'zod/mini';
import { $ZodArray, $ZodObject, $ZodOptional, $ZodReadonly } from 'zod/v4/core';

interface FieldMeta {
  /** The field of the telephony service's payload from which the value comes. */
  readonly origin?: string;
  /**
   * Whether the value may identify a person. Such a value is never logged, events omit it if the deployment is
   * configured so, and subscribers must handle it with care. Names, phone numbers, recordings and unparsed text are
   * personal. Text that somebody configured for many calls, such as a campaign's name, is not. Ids are not: nothing
   * works without them.
   */
  readonly personal?: true;
}

/** Describes a field of the contract, for JSON Schemas, the schema registry and the contract page alike. */
export const field = <Schema extends z.core.$ZodType>(
  schema: Schema,
  description: string,
  about: FieldMeta = {},
): Schema => {
  // Fields share schemas such as `nonEmpty`, so each field describes a copy.
  const copy = z.clone(schema);
  z.globalRegistry.add(copy, { description, ...about });
  return copy;
};

export const nonEmpty = z.string().check(z.minLength(1));

export const nonEmptyList = z.readonly(z.array(nonEmpty).check(z.minLength(1)));

/** An instant in UTC: ISO 8601 with milliseconds, so that text order is time order. */
export const instant = z.iso.datetime({ precision: 3 });

export const count = z.int().check(z.nonnegative());

export const seconds = z.number().check(z.nonnegative());

/** Any other word becomes `unknown`; the field with `AsSent` after its name has the original. */
export const word = <const Word extends string>(words: readonly Word[]) => z.enum([...words, 'unknown']);

export const words = <const Word extends string>(list: readonly Word[]) =>
  z.readonly(z.array(word(list)).check(z.minLength(1)));

/** What is odd about a value. No such value is a reason to reject a call. */
const noteReasons = [
  'over-long',
  'unparsable-duration',
  'implausible-duration',
  'unparsable-time',
  'implausible-time',
  'approximate-time',
  'ambiguous-local-time',
  'skipped-local-time',
  'end-before-start',
  'fallback-identity',
  'rounded-id',
  'not-a-scalar',
  'no-link',
  'too-many',
] as const;

/** A warning about a field, with the value as sent if the field itself does not hold it. */
export const Note = z
  .strictObject({
    field: field(nonEmpty, 'The field, by its name in this record.'),
    reason: field(z.enum(noteReasons), 'What is odd about it.'),
    asSent: field(z.optional(nonEmpty), 'The value as sent, where the record holds it nowhere else.', {
      personal: true,
    }),
  })
  .register(z.globalRegistry, { title: 'Note' });
export type Note = z.infer<typeof Note>;

type Schema = z.core.$ZodType;

export const unwrapped = (schema: Schema): Schema =>
  schema instanceof $ZodOptional || schema instanceof $ZodReadonly ? unwrapped(schema._zod.def.innerType) : schema;

/**
 * A copy of a schema, in which the schemas right within it are changed. A field that becomes undefined is left out, and so is
 * a list of what becomes undefined. The copy preserves checks and descriptions.
 */
export const withInner = <Outer extends Schema>(
  schema: Outer,
  change: (inner: Schema) => Schema | undefined,
): Outer | undefined => {
  if (schema instanceof $ZodObject) {
    const fields = Object.entries(schema._zod.def.shape).map(([name, field]) => [name, change(field)] as const);
    const shape = Object.fromEntries(fields.flatMap(([name, field]) => (field === undefined ? [] : [[name, field]])));
    return z.clone(schema, { ...schema._zod.def, shape }, { parent: true });
  }
  if (schema instanceof $ZodArray) {
    const element = change(schema._zod.def.element);
    return element && z.clone(schema, { ...schema._zod.def, element }, { parent: true });
  }
  if (schema instanceof $ZodOptional) {
    const innerType = change(schema._zod.def.innerType);
    return innerType && z.clone(schema, { ...schema._zod.def, innerType }, { parent: true });
  }
  if (schema instanceof $ZodReadonly) {
    const innerType = change(schema._zod.def.innerType);
    return innerType && z.clone(schema, { ...schema._zod.def, innerType }, { parent: true });
  }
  return schema;
};

import * as z from 'zod';
import { DayCall } from '../../client/day-call.ts';
import { holdsNestedJson } from '../../lib/core/json.ts';
import { notesOf } from '../../lib/telephony/field-kinds.ts';

/** Replaces a value that is, or may be, personal. It shows nothing of the value, not even its length. */
export const hidden = '(hidden)';

/** Hides what the contract declares personal or does not declare, and texts that hold JSON. Texts and lists stay such. */
export function redacted<Value>(schema: z.core.$ZodType, value: Value): Value;
export function redacted(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (z.globalRegistry.get(schema)?.['personal'] === true) return redactWhole(value);
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodReadonly ||
    schema instanceof z.core.$ZodNullable
  )
    return redacted(schema._zod.def.innerType, value);
  if (schema instanceof z.core.$ZodArray)
    return Array.isArray(value) && !holdsNestedJson(value)
      ? value.map((element) => redacted(schema._zod.def.element, element))
      : redactWhole(value);
  if (schema instanceof z.core.$ZodRecord) return redactFields(value, () => schema._zod.def.valueType);
  if (schema instanceof z.core.$ZodObject)
    return redactFields(value, (name) => {
      const { shape } = schema._zod.def;
      return Object.hasOwn(shape, name) ? shape[name] : undefined;
    });
  return isPlain(schema, value) && !holdsNestedJson(value) ? value : redactWhole(value);
}

export const redactedDayCalls = (calls: readonly DayCall[]): readonly DayCall[] => redacted(z.array(DayCall), calls);

/** Whether a value is what its schema declares. A word outside of a closed set could be anything. */
const isPlain = (schema: z.core.$ZodType, value: unknown): boolean => {
  if (schema instanceof z.core.$ZodEnum) return z.safeParse(schema, value).success;
  return typeof value !== 'object' && plainSchemas.some((kind) => schema instanceof kind);
};

const plainSchemas = [z.core.$ZodString, z.core.$ZodNumber, z.core.$ZodBoolean, z.core.$ZodLiteral];

const redactFields = (value: unknown, schemaOf: (name: string) => z.core.$ZodType | undefined): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return redactWhole(value);
  const nested = nestedFields(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const schema = schemaOf(name);
      return [name, schema === undefined || nested.has(name) ? redactWhole(field) : redacted(schema, field)];
    }),
  );
};

const NotAScalar = z.object({ field: z.string(), reason: z.literal('not-a-scalar') });

/** Fields that a note marks as sent with an object. An earlier version stored its JSON there, which a limit may have cut off. */
const nestedFields = (facts: object): ReadonlySet<string> =>
  new Set(notesOf(facts).flatMap((note) => NotAScalar.safeParse(note).data?.field ?? []));

/** Hides names too: in an undeclared object they may be as personal as its values. */
const redactWhole = (value: unknown): unknown => {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(redactWhole);
  return typeof value === 'object' ? { [hidden]: hidden } : hidden;
};

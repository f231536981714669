import * as z from 'zod';
import { tryParseJson } from '../../lib/core/parse-json.ts';
import { notesOf } from '../../lib/telephony/field-reader.ts';

/** What stands for a value that was left out because it is, or may be, personal. Nothing of it shows, not even its length. */
export const hidden = '(hidden)';

/**
 * The value as the contract's declaration lets it be shown to whoever did not ask for people: fields that are declared to
 * be personal are hidden, and so is whatever the declaration does not know: where a list or object was sent in the place of
 * a text, the row has its JSON as the text. Texts stay texts and lists stay lists.
 */
export function redacted<Value>(schema: z.core.$ZodType, value: Value): Value;
export function redacted(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (z.globalRegistry.get(schema)?.['personal'] === true) return redactWhole(value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly || schema instanceof z.ZodNullable)
    return redacted(schema.unwrap(), value);
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) && !isNested(value)
      ? value.map((element) => redacted(schema.element, element))
      : redactWhole(value);
  if (schema instanceof z.ZodRecord) return redactFields(value, () => schema.valueType);
  if (schema instanceof z.ZodObject)
    return redactFields(value, (name) => (Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined));
  return isPlain(schema, value) && !isNested([value]) ? value : redactWhole(value);
}

/** A word that a vocabulary does not have could be anything. */
const isPlain = (schema: z.core.$ZodType, value: unknown): boolean => {
  if (schema instanceof z.ZodEnum) return z.safeParse(schema, value).success;
  return typeof value !== 'object' && plain.some((kind) => schema instanceof kind);
};

const plain = [z.ZodString, z.ZodStringFormat, z.ZodNumber, z.ZodBoolean, z.ZodLiteral];

/** Whether texts are JSON of a list or object, or the pieces of one that was taken for a chain. */
const isNested = (values: readonly unknown[]): boolean => {
  const texts = values.filter((value) => typeof value === 'string');
  const text = texts.join('->');
  return texts.length === values.length && /^[[{]/.test(text) && typeof tryParseJson(text) === 'object';
};

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

/** The fields of which a note says that an object was sent: what is there of it may be cut to pieces, or short of its end. */
const nestedFields = (facts: object): ReadonlySet<string> =>
  new Set(notesOf(facts).flatMap((note) => NotAScalar.safeParse(note).data?.field ?? []));

/** The names in an object of which nothing is known may say as much as its values. */
const redactWhole = (value: unknown): unknown => {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(redactWhole);
  return typeof value === 'object' ? { [hidden]: hidden } : hidden;
};

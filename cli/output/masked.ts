import * as z from 'zod';

/** What stands for a value that was left out because it is, or may be, personal. Nothing of it shows, not even its length. */
export const hidden = '(hidden)';

/**
 * The value as the contract's declaration lets it be shown to whoever did not ask for people: fields that are declared to
 * be personal are hidden, and so is whatever the declaration does not know. Texts stay texts and lists stay lists.
 */
export function masked<Value>(schema: z.core.$ZodType, value: Value): Value;
export function masked(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (z.globalRegistry.get(schema)?.['personal'] === true) return concealed(value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly || schema instanceof z.ZodNullable)
    return masked(schema.unwrap(), value);
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((element) => masked(schema.element, element)) : concealed(value);
  if (schema instanceof z.ZodRecord) return ofEach(value, () => schema.valueType);
  if (schema instanceof z.ZodObject)
    return ofEach(value, (name) => (Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined));
  return isPlain(schema) && typeof value !== 'object' ? value : concealed(value);
}

const isPlain = (schema: z.core.$ZodType): boolean =>
  [z.ZodString, z.ZodStringFormat, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral].some(
    (kind) => schema instanceof kind,
  );

const ofEach = (value: unknown, schemaOf: (name: string) => z.core.$ZodType | undefined): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return concealed(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const schema = schemaOf(name);
      return [name, schema === undefined ? concealed(field) : masked(schema, field)];
    }),
  );
};

/** The names in an object of which nothing is known may say as much as its values. */
const concealed = (value: unknown): unknown => {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(concealed);
  return typeof value === 'object' ? { [hidden]: hidden } : hidden;
};

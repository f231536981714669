import * as z from 'zod';
import { unwrapped } from '../../lib/storage/field.ts';
import { anchorOf, code, markdownTable } from './markdown.ts';

type Schema = z.core.$ZodType;
type Shape = z.core.$ZodLooseShape;

/** A longer list of words is in the section of words only. */
const maxInlineWords = 4;

/** The type of a field in words, with its unit. */
export const typeWords = (name: string, schema: Schema): string => {
  const type = unwrapped(schema);
  if (type instanceof z.core.$ZodArray) return `list of ${plural(typeWords(name, type._zod.def.element))}`;
  if (type instanceof z.core.$ZodLiteral) return type._zod.def.values.map((value) => code(String(value))).join(', ');
  if (type instanceof z.core.$ZodEnum) return wordsOf([...type._zod.values].map(String));
  if (type instanceof z.core.$ZodISODateTime) return 'instant';
  if (type instanceof z.core.$ZodString) return 'text';
  if (type instanceof z.core.$ZodNumber) return numberWords(name, type);
  if (type instanceof z.core.$ZodBoolean) return 'true or false';
  if (type instanceof z.core.$ZodRecord) return `map of ${plural(typeWords(name, type._zod.def.valueType))} by name`;
  return type instanceof z.core.$ZodObject ? objectWords(type) : 'anything';
};

const wordsOf = (options: readonly string[]): string =>
  options.length <= maxInlineWords ? options.map(code).join(', ') : '[word](#words)';

const numberWords = (name: string, type: z.core.$ZodNumber): string => {
  if (/seconds/i.test(name)) return 'seconds';
  if (name === 'expiresAt') return 'seconds since 1970';
  return type instanceof z.core.$ZodNumberFormat ? 'whole number' : 'number';
};

/** The title of a schema whose fields have a table. */
export const titleOf = (schema: Schema): string => z.globalRegistry.get(schema)?.title ?? '';

/** The link to an object's own table, or the fields of a small object without one. */
const objectWords = (type: z.core.$ZodObject): string => {
  const title = titleOf(type);
  if (title !== '') return `[${title}](${anchorOf(title)})`;
  const fields = Object.entries<Schema>(type._zod.def.shape).map(
    ([name, field]) => `${code(name)} (${typeWords(name, field)})`,
  );
  return `object of ${fields.join(' and ')}`;
};

const plural = (words: string): string =>
  words.replace(/^(text|instant|number|whole number|object)$/, '$1s').replace(/^\[word\]/, '[words]');

/** What the contract states about a field, including the schema within an `optional`. */
export const metadataOf = (field: Schema): z.core.GlobalMeta => ({
  ...(field instanceof z.core.$ZodOptional || field instanceof z.core.$ZodReadonly
    ? metadataOf(field._zod.def.innerType)
    : undefined),
  ...z.globalRegistry.get(field),
});

/** A field is described where it first occurs; another field of its name has another description. */
const isSame = (field: Schema, other: Schema | undefined): boolean =>
  other !== undefined && metadataOf(field).description === metadataOf(other).description;

const isOptional = (field: Schema): string => (field instanceof z.core.$ZodOptional ? '?' : '');

const typeOf = ([name, field]: readonly [string, Schema]): string =>
  `${typeWords(name, field)}${metadataOf(field)['personal'] === true ? ', personal' : ''}`;

/** The fields that come from the service, with how each is read. */
export const fieldTable = (
  fields: readonly (readonly [string, Schema])[],
  kindOf: (origin: string) => string,
): string =>
  markdownTable(
    ['Field', 'Type', 'From', 'Meaning'],
    fields.map(([name, field]) => {
      const { description = '', origin } = metadataOf(field);
      const from = typeof origin === 'string' ? `${code(origin)}, ${kindOf(origin)}` : '';
      return [`${code(name)}${isOptional(field)}`, typeOf([name, field]), from, description];
    }),
  );

/** Fields of our own. */
export const fieldList = (fields: readonly (readonly [string, Schema])[]): string =>
  fields
    .map(([name, field]) => {
      const { description } = metadataOf(field);
      return `- ${code(name)}${isOptional(field)} (${typeOf([name, field])})${description === undefined ? '' : `: ${description}`}`;
    })
    .join('\n');

/** The fields of a schema that the other schemas do not have, and which of the others' fields it has too. */
export const ownFields = (schema: z.core.$ZodObject, others: readonly z.core.$ZodObject[], ofEvery: Shape): string => {
  const within = ({ _zod: { def } }: z.core.$ZodObject) =>
    Object.entries<Schema>(def.shape).filter(([name, field]) => !isSame(field, ofEvery[name]));
  let own = within(schema);
  const shared = others.map((other) => {
    const isShared = ([name, field]: readonly [string, Schema]) => isSame(field, other._zod.def.shape[name]);
    const names = own.filter(isShared).map(([name]) => code(name));
    own = own.filter((entry) => !isShared(entry));
    return `And of [${titleOf(other)}](${anchorOf(titleOf(other))}) ${names.length === within(other).length ? 'every field' : names.join(', ')}.`;
  });
  return [...(own.length === 0 ? [] : [fieldList(own)]), ...shared].join('\n\n');
};

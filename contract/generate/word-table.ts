import * as z from 'zod';
import { eventSchemas } from '../../lib/contract/event-schemas.ts';
import { code, markdownTable } from './markdown.ts';
import { storedRows } from './stored-rows.ts';
import { bare } from './type-words.ts';

type Schema = z.core.$ZodType;

/** A field that has a word of a closed set, and what it is a field of. */
interface WordField {
  readonly name: string;
  readonly of: string;
  readonly words: string;
}

/** Every closed set of words, with the fields that have one of them. */
export const wordTable = (): string => {
  const fields = [...Object.values(eventSchemas), ...Object.values(storedRows)].flatMap((schema) => wordFields(schema));
  const sets = [...new Set(fields.map(({ words }) => words))];
  const isAmbiguous = (name: string): boolean =>
    new Set(fields.filter((field) => field.name === name).map(({ words }) => words)).size > 1;

  const rows = sets.map((set) => {
    const its = fields.filter(({ words }) => words === set);
    const told = its.map(({ name, of }) => (isAmbiguous(name) ? `${code(name)} (${of})` : code(name)));
    return [[...new Set(told)].join(', '), set];
  });
  return markdownTable(['Fields', 'Words'], rows);
};

const wordFields = (schema: Schema, name = '', of = ''): readonly WordField[] => {
  const type = bare(schema);
  if (type instanceof z.ZodEnum)
    return [{ name, of, words: type.options.map((word) => code(String(word))).join(', ') }];
  if (type instanceof z.ZodArray) return wordFields(type.element, name, of);
  if (!(type instanceof z.ZodObject)) return [];
  const title = z.globalRegistry.get(type)?.title ?? of;
  return Object.entries<Schema>(type.shape).flatMap(([field, inner]) => wordFields(inner, field, title));
};

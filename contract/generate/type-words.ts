import * as z from 'zod';
import { anchorOf, code } from './markdown.ts';

type Schema = z.core.$ZodType;

/** More words than these are told where the words are. */
const mostInline = 4;

/** A declaration without what says that it may be absent or does not change. */
export const bare = (schema: Schema): Schema =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly ? bare(schema.unwrap()) : schema;

/** What kind of value a field has, in words, with its unit. */
export const typeWords = (name: string, schema: Schema): string => {
  const type = bare(schema);
  if (type instanceof z.ZodArray) return `list of ${plural(typeWords(name, type.element))}`;
  if (type instanceof z.ZodLiteral) return [...type.values].map((value) => code(String(value))).join(', ');
  if (type instanceof z.ZodEnum) return wordsOf(type.options.map(String));
  if (type instanceof z.ZodISODateTime) return 'instant';
  if (type instanceof z.ZodString) return 'text';
  if (type instanceof z.ZodNumber) return numberWords(name, type);
  if (type instanceof z.ZodBoolean) return 'true or false';
  if (type instanceof z.ZodRecord) return `map of ${plural(typeWords(name, type.valueType))} by name`;
  return type instanceof z.ZodObject ? objectWords(type) : 'anything';
};

const wordsOf = (options: readonly string[]): string =>
  options.length <= mostInline ? options.map(code).join(', ') : `[word](${anchorOf('Words')})`;

const numberWords = (name: string, type: z.ZodNumber): string => {
  if (/seconds/i.test(name)) return 'seconds';
  if (name === 'expiresAt') return 'seconds since 1970';
  return type.isInt ? 'whole number' : 'number';
};

/** An object without a table of its own is small enough to be told here. */
const objectWords = (type: z.ZodObject): string => {
  const title = z.globalRegistry.get(type)?.title;
  if (title !== undefined) return `[${title}](${anchorOf(title)})`;
  const fields = Object.entries<Schema>(type.shape).map(([name, field]) => `${code(name)} (${typeWords(name, field)})`);
  return `object of ${fields.join(' and ')}`;
};

const plural = (words: string): string =>
  words.replace(/^(text|instant|number|whole number|object)$/, '$1s').replace(/^\[word\]/, '[words]');

import * as z from 'zod';
import { eventSchemas } from '../../lib/contract/events.ts';
import { unwrapped } from '../../lib/storage/field.ts';
import type { Vocabulary } from '../../lib/telephony/vocabularies.ts';
import { agentStates, callVocabularies, loggedOut } from '../../lib/telephony/vocabularies.ts';
import { code, linkTo, markdownTable } from './markdown.ts';
import { storedRows } from './schemas.ts';
import { type Meaning, wordMeanings } from './word-meanings.ts';

type Schema = z.core.$ZodType;

/** Longer lists of words are in the section “Words” only. */
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
  options.length <= maxInlineWords ? options.map(code).join(', ') : '[word](words.md)';

const numberWords = (name: string, type: z.core.$ZodNumber): string => {
  if (/seconds/i.test(name)) return 'seconds';
  if (name === 'expiresAt') return 'seconds since 1970';
  return type instanceof z.core.$ZodNumberFormat ? 'whole number' : 'number';
};

/** The link to an object's own table, or the fields of a small object without one. */
const objectWords = (type: z.core.$ZodObject): string => {
  const title = z.globalRegistry.get(type)?.title;
  if (title !== undefined) return `[${title}](${linkTo(title)})`;
  const fields = Object.entries<Schema>(type._zod.def.shape).map(
    ([name, field]) => `${code(name)} (${typeWords(name, field)})`,
  );
  return `object of ${fields.join(' and ')}`;
};

const plural = (words: string): string =>
  words.replace(/^(text|instant|number|whole number|object)$/, '$1s').replace(/^\[word\]/, '[words]');

/** What every row has; its page says so once. */
const ofEveryRow = ['pk', 'sk', 'kind'];

/** The fields of a schema, except those that another table lists. */
export const fieldTable = (schema: z.core.$ZodObject, listed: z.core.$ZodLooseShape = {}): string => {
  const rows = Object.entries<Schema>(schema._zod.def.shape)
    .filter(([name, field]) => listed[name] !== field && !ofEveryRow.includes(name))
    .map(fieldRow);
  const hasOrigin = rows.some(({ origin }) => origin !== '');
  return markdownTable(
    ['Field', 'Type', 'Meaning', ...(hasOrigin ? ['From'] : [])],
    rows.map(({ name, type, meaning, origin }) => [name, type, meaning, ...(hasOrigin ? [origin] : [])]),
  );
};

/** The names of the fields that a schema shares with another. */
export const sharedFields = (schema: z.core.$ZodObject, other: z.core.$ZodObject): string => {
  const [mine, others]: readonly z.core.$ZodLooseShape[] = [schema._zod.def.shape, other._zod.def.shape];
  const all = Object.keys(others ?? {}).filter((name) => !ofEveryRow.includes(name));
  const shared = all.filter((name) => mine?.[name] === others?.[name]);
  return shared.length === all.length ? 'every field' : shared.map(code).join(', ');
};

const fieldRow = ([name, field]: readonly [string, Schema]) => {
  const { description = '', origin, personal } = metadataOf(field);
  return {
    name: `${code(name)}${field instanceof z.core.$ZodOptional ? '?' : ''}`,
    type: `${typeWords(name, field)}${personal === true ? ', personal' : ''}`,
    meaning: description,
    origin: typeof origin === 'string' ? code(origin) : '',
  };
};

/** The metadata of a field, including that of the schema within an `optional`. */
const metadataOf = (field: Schema): z.core.GlobalMeta => ({
  ...(field instanceof z.core.$ZodOptional || field instanceof z.core.$ZodReadonly
    ? metadataOf(field._zod.def.innerType)
    : undefined),
  ...z.globalRegistry.get(field),
});

/** A closed set of words, and the fields that use it. */
interface WordSet {
  readonly fields: string;
  readonly words: readonly string[];
}

/** Every closed set of words in the contract. */
const wordSets = (): readonly WordSet[] => {
  const fields = [...Object.values(eventSchemas), ...Object.values(storedRows)].flatMap((schema) => wordFields(schema));
  const sets = new Map(fields.map(({ words }) => [words.join(), words]));
  const isAmbiguous = (name: string): boolean =>
    new Set(fields.filter((field) => field.name === name).map(({ words }) => words.join())).size > 1;

  return [...sets].map(([set, words]) => {
    const users = fields.filter((field) => field.words.join() === set);
    const names = users.map(({ name, of }) => (isAmbiguous(name) ? `${code(name)} (${of})` : code(name)));
    return { fields: [...new Set(names)].join(', '), words };
  });
};

const vocabularies: readonly Vocabulary<string>[] = [...Object.values(callVocabularies), agentStates];

/** Words of Callfeed that stand beside those of a vocabulary: the words of the service, and what they mean. */
const wordsBeside: Readonly<Record<string, readonly [string, ...Meaning]>> = {
  unknown: ['any other word', 'Nothing.', 'It may mean the same as any of these words, or something new.'],
  [loggedOut]: [
    'none: the agent is no longer in the list',
    'Not free: logged out.',
    'Why, and whether the agent will be back.',
  ],
};

/** The vocabulary whose words a set has, with or without words beside them. */
const vocabularyOf = ({ words }: WordSet): Vocabulary<string> | undefined =>
  vocabularies.find((vocabulary) => {
    const others = words.filter((word) => !Object.hasOwn(wordsBeside, word));
    return others.join() === vocabulary.words.join();
  });

const wordHead = ['Word', 'Words of the service', 'It says', 'It does not say'];

/** The words that come from the telephony service: a table for each vocabulary, with what each word means. */
export const serviceWordTables = (): string =>
  wordSets()
    .flatMap((set) => {
      const vocabulary = vocabularyOf(set);
      if (vocabulary === undefined) return [];
      const { documented = '', byWord = {} } = wordMeanings.get(vocabulary) ?? {};
      const rows = set.words.map((word) => [
        code(word),
        ...(wordsBeside[word] ?? [(vocabulary.spellings[word] ?? []).map(code).join(', '), ...(byWord[word] ?? [])]),
      ]);
      return [`${set.fields}: ${documented}`, markdownTable(wordHead, rows)];
    })
    .join('\n\n');

/** The closed sets of words that are Callfeed’s own, with the fields that use them. */
export const ownWordTable = (): string =>
  markdownTable(
    ['Fields', 'Words'],
    wordSets()
      .filter((set) => vocabularyOf(set) === undefined)
      .map(({ fields, words }) => [fields, words.map(code).join(', ')]),
  );

/** A field with a closed set of words. */
interface WordField {
  readonly name: string;
  readonly of: string;
  readonly words: readonly string[];
}

const wordFields = (schema: Schema, name = '', of = ''): readonly WordField[] => {
  const type = unwrapped(schema);
  if (type instanceof z.core.$ZodEnum) return [{ name, of, words: [...type._zod.values].map(String) }];
  if (type instanceof z.core.$ZodArray) return wordFields(type._zod.def.element, name, of);
  if (!(type instanceof z.core.$ZodObject)) return [];
  const title = z.globalRegistry.get(type)?.title ?? of;
  return Object.entries<Schema>(type._zod.def.shape).flatMap(([field, inner]) => wordFields(inner, field, title));
};

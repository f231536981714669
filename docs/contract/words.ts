import * as z from 'zod';
import { eventSchemas } from '../../lib/contract/events.ts';
import { unwrapped } from '../../lib/storage/field.ts';
import { loggedOut, type Vocabulary } from '../../lib/telephony/vocabularies.ts';
import { titleOf } from './field-tables.ts';
import { code } from './markdown.ts';
import { storedRows } from './schemas.ts';
import { wordMeanings } from './word-meanings.ts';

/** A field with a closed set of words, and the schema that it is in. */
interface WordField {
  readonly name: string;
  readonly of: string;
  readonly words: readonly string[];
}

/** The fields that hold words, at any depth of a schema. */
const wordFields = (declared: z.core.$ZodType, name = '', of = ''): readonly WordField[] => {
  const schema = unwrapped(declared);
  if (schema instanceof z.core.$ZodArray) return wordFields(schema._zod.def.element, name, of);
  if (schema instanceof z.core.$ZodEnum) return [{ name, of, words: [...schema._zod.values].map(String) }];
  if (!(schema instanceof z.core.$ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema._zod.def.shape).flatMap(([field, inner]) =>
    wordFields(inner, field, titleOf(schema) || of),
  );
};

const allWordFields = (): readonly WordField[] =>
  [...Object.values(eventSchemas), ...Object.values(storedRows)].flatMap((schema) => wordFields(schema));

/** Words of ours that stand beside the words of a vocabulary. */
const beside = new Set<string>(['unknown', loggedOut]);

const isOf =
  ({ words }: Vocabulary<string>) =>
  (field: WordField): boolean =>
    field.words.filter((word) => !beside.has(word)).join() === words.join();

/** Letter case, blanks, hyphens and underscores make no difference. */
const folded = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, '');

const listOf = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

/** The words that come from the telephony service: a list for each vocabulary, with what each word means. */
export const serviceWordLists = (): string =>
  [...wordMeanings]
    .flatMap(([vocabulary, { documented, byWord }]) => [
      `${listOf(
        allWordFields()
          .filter(isOf(vocabulary))
          .map(({ name }) => code(name)),
      )}: ${documented}`,
      vocabulary.words
        .map((word) => {
          const sent = (vocabulary.spellings[word] ?? []).filter((one) => folded(one) !== folded(word)).map(code);
          return `- ${code(word)}${sent.length === 0 ? '' : `, sent as ${sent.join(', ')}`}: ${byWord[word]}`;
        })
        .join('\n'),
    ])
    .join('\n\n');

/** The closed sets of words that are Callfeed’s own, with the fields that use them. */
export const ownWordList = (): string => {
  const own = allWordFields().filter(
    (field) => ![...wordMeanings.keys()].some((vocabulary) => isOf(vocabulary)(field)),
  );
  const bySet = Map.groupBy(own, ({ words }) => words.map(code).join(', '));
  return [...bySet]
    .map(([words, fields]) => {
      const [names, schemas] = [fields.map(({ name }) => code(name)), fields.map(({ of }) => of)].map(listOf);
      return `- ${names} (${schemas}): ${words}`;
    })
    .join('\n');
};

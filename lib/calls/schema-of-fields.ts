import * as z from 'zod/mini';
import { field, instant, Note, nonEmpty, nonEmptyList, seconds, word, words } from '../storage/field.ts';
import type { Fields } from '../telephony/field-kinds.ts';
import type { Vocabulary } from '../telephony/vocabularies.ts';

const schemas = {
  text: nonEmpty,
  number: nonEmpty,
  id: nonEmpty,
  chain: nonEmptyList,
  'text-chain': nonEmptyList,
  urls: nonEmptyList,
  duration: seconds,
  time: instant,
  others: z.record(z.string(), nonEmpty),
  notes: z.readonly(z.array(Note).check(z.minLength(1))),
} as const;

const wordsAsSent = {
  word: {
    schema: z.optional(nonEmpty),
    description: 'The word as sent, where it is unknown or has a parameter.',
  },
  words: {
    schema: z.optional(nonEmptyList),
    description: 'The words as sent, where any is unknown or has a parameter.',
  },
} as const;

const e164 = z.optional(z.string().check(z.regex(/^\+[1-9]\d{5,14}$/)));

type WithVocabulary<Kind, Word extends string> = { readonly kind: Kind; readonly vocabulary: Vocabulary<Word> };

type SchemaOf<Declared> =
  Declared extends WithVocabulary<'word', infer Word>
    ? z.ZodMiniOptional<ReturnType<typeof word<Word>>>
    : Declared extends WithVocabulary<'words', infer Word>
      ? z.ZodMiniOptional<ReturnType<typeof words<Word>>>
      : Declared extends { readonly kind: infer Kind extends keyof typeof schemas }
        ? z.ZodMiniOptional<(typeof schemas)[Kind]>
        : typeof nonEmpty;

type ShapeOf<Declared extends Fields> = { readonly [Fact in keyof Declared]: SchemaOf<Declared[Fact]> } & {
  readonly [Fact in keyof Declared as Declared[Fact] extends { readonly vocabulary: object }
    ? `${Fact & string}AsSent`
    : never]: (typeof wordsAsSent)[Declared[Fact]['kind'] & keyof typeof wordsAsSent]['schema'];
} & {
  readonly [Fact in keyof Declared as Declared[Fact] extends { readonly kind: 'number' }
    ? `${Fact & string}E164`
    : never]: typeof e164;
};

/**
 * Makes the schemas of declared facts. A fact with a vocabulary also gets `<fact>AsSent`, a telephone number also
 * `<fact>E164`.
 */
export function shapeOf<Declared extends Fields>(declared: Declared): ShapeOf<Declared>;
export function shapeOf(declared: Fields) {
  return Object.fromEntries(Object.entries(declared).flatMap(([fact, about]) => schemasOf(fact, about)));
}

const schemasOf = (
  fact: string,
  { kind, vocabulary, description, spelling, origin = spelling, erase }: Fields[string],
): readonly (readonly [string, z.core.$ZodType])[] => {
  const from = origin === undefined ? {} : { origin };
  const isPersonal = erase !== undefined && erase !== 'agent-id';
  const about = { ...from, ...(isPersonal && { personal: true as const }) };
  const ofFact = (schema: z.core.$ZodType) => [fact, field(schema, description, about)] as const;
  const asSent = (sent: (typeof wordsAsSent)['word' | 'words']) =>
    [`${fact}AsSent`, field(sent.schema, sent.description, { ...from, personal: true })] as const;

  const allWords = vocabulary?.words ?? [];
  if (kind === 'word') return [ofFact(z.optional(word(allWords))), asSent(wordsAsSent.word)];
  if (kind === 'words') return [ofFact(z.optional(words(allWords))), asSent(wordsAsSent.words)];
  if (kind === 'number') {
    const meaning = 'The same in E.164, where the text says it.';
    return [ofFact(z.optional(schemas.number)), [`${fact}E164`, field(e164, meaning, about)]];
  }
  // Only the time zone is required: every record is read in one, whether it was sent or not.
  return [ofFact(hasSchema(kind) ? z.optional(schemas[kind]) : nonEmpty)];
};

const hasSchema = (kind: string): kind is keyof typeof schemas => kind in schemas;

import * as z from 'zod/mini';
import { field, instant, Note, nonEmpty, nonEmptyList, seconds, word, words } from '../storage/field.ts';
import { callFacts, participantFacts } from '../telephony/call-fields.ts';
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
  word: [z.optional(nonEmpty), 'The word as sent, where it is unknown or has a parameter.'],
  words: [z.optional(nonEmptyList), 'The words as sent, where any is unknown or has a parameter.'],
} as const;

const e164 = z.optional(z.string().check(z.regex(/^\+[1-9]\d{5,14}$/)));

type Words<Kind, Word extends string> = { readonly kind: Kind; readonly vocabulary: Vocabulary<Word> };

type SchemaOf<Declared> =
  Declared extends Words<'word', infer Word>
    ? z.ZodMiniOptional<ReturnType<typeof word<Word>>>
    : Declared extends Words<'words', infer Word>
      ? z.ZodMiniOptional<ReturnType<typeof words<Word>>>
      : Declared extends { readonly kind: infer Kind extends keyof typeof schemas }
        ? z.ZodMiniOptional<(typeof schemas)[Kind]>
        : typeof nonEmpty;

type ShapeOf<Declared extends Fields> = { readonly [Fact in keyof Declared]: SchemaOf<Declared[Fact]> } & {
  readonly [Fact in keyof Declared as Declared[Fact] extends { readonly vocabulary: object }
    ? `${Fact & string}AsSent`
    : never]: (typeof wordsAsSent)[Declared[Fact]['kind'] & keyof typeof wordsAsSent][0];
} & {
  readonly [Fact in keyof Declared as Declared[Fact] extends { readonly kind: 'number' }
    ? `${Fact & string}E164`
    : never]: typeof e164;
};

function shapeOf<Declared extends Fields>(declared: Declared): ShapeOf<Declared>;
function shapeOf(declared: Fields) {
  return Object.fromEntries(Object.entries(declared).flatMap(([fact, about]) => schemasOf(fact, about)));
}

const schemasOf = (
  fact: string,
  { kind, vocabulary, description, spelling, origin = spelling, erase }: Fields[string],
): readonly (readonly [string, z.core.$ZodType])[] => {
  const from = origin === undefined ? {} : { origin };
  const isPersonal = erase !== undefined && erase !== 'agent-id';
  const about = { ...from, ...(isPersonal && { personal: true as const }) };
  const own = (schema: z.core.$ZodType) => [fact, field(schema, description, about)] as const;
  const asSent = ([texts, meaning]: (typeof wordsAsSent)['word' | 'words']) =>
    [`${fact}AsSent`, field(texts, meaning, { ...from, personal: true })] as const;

  const allWords = vocabulary?.words ?? [];
  if (kind === 'word') return [own(z.optional(word(allWords))), asSent(wordsAsSent.word)];
  if (kind === 'words') return [own(z.optional(words(allWords))), asSent(wordsAsSent.words)];
  if (kind === 'number') {
    const meaning = 'The same in E.164, where the text says it.';
    return [own(z.optional(schemas.number)), [`${fact}E164`, field(e164, meaning, about)]];
  }
  return [own(isOptional(kind) ? z.optional(schemas[kind]) : nonEmpty)];
};

const isOptional = (kind: string): kind is keyof typeof schemas => kind in schemas;

export const CallFacts = z.strictObject(shapeOf(callFacts)).register(z.globalRegistry, { title: 'Call facts' });
export type CallFacts = z.infer<typeof CallFacts>;

/** One leg of a call that has several: what the summaries with its UCID say. */
export const CallLeg = z
  .extend(CallFacts, { ucid: field(nonEmpty, 'The id of the leg.', { origin: 'UCID' }) })
  .register(z.globalRegistry, { title: 'Call leg' });
export type CallLeg = z.infer<typeof CallLeg>;

/** The facts of a participant in a call (AdvancedCallBacks). The meaning of most fields is not documented. */
export const ParticipantFacts = z
  .strictObject(shapeOf(participantFacts))
  .register(z.globalRegistry, { title: 'Participant facts' });
export type ParticipantFacts = z.infer<typeof ParticipantFacts>;

import * as z from 'zod';

/** What the contract says of a field beyond its type. */
export interface FieldMeta {
  /** The field of the telephony service's payload that the value comes from. */
  readonly origin?: string;
  /**
   * Whether the value may identify a person: never logged, left out of events if a deployment says so, and a subscriber
   * handles it as such. So are names, numbers, recordings and all text that was neither understood nor set up by somebody
   * for many calls, such as a campaign. Ids are not, since without them nothing could be told apart.
   */
  readonly personal?: true;
}

/** Describes a field of the contract; the description reaches JSON Schemas, registry and contract page alike. */
export const field = <Schema extends z.ZodType>(schema: Schema, description: string, about: FieldMeta = {}): Schema =>
  schema.meta({ description, ...about });

/** Text that says something: blanks are absent, never empty. */
export const text = z.string().min(1);

/** Several texts, never none: an empty list is absent. */
export const texts = z.array(text).min(1).readonly();

/** An instant in UTC: ISO 8601 with milliseconds, so that text order is time order. */
export const instant = z.iso.datetime({ precision: 3 });

/** A length of time in seconds. */
export const seconds = z.number().nonnegative();

/** A word of a closed vocabulary, or `unknown` with the word as sent in the field beside it. */
export const word = <const Word extends string>(words: readonly Word[]) => z.enum([...words, 'unknown']);

/** Several of them: one for each agent or attempt of the call, in the order sent. */
export const words = <const Word extends string>(list: readonly Word[]) => z.array(word(list)).min(1).readonly();

/** Why a value deserves a second look. None of them is a reason to refuse a call. */
const noteReasons = [
  'over-long',
  'unparsable-duration',
  'unparsable-time',
  'ambiguous-local-time',
  'skipped-local-time',
  'end-before-start',
  'fallback-identity',
  'not-a-scalar',
] as const;

/** Something odd about a field, with the value as sent where the field itself does not hold it. */
export const Note = z
  .strictObject({
    field: field(text, 'The field, by its name in this record.'),
    reason: field(z.enum(noteReasons), 'What is odd about it.'),
    asSent: field(text.optional(), 'The value as sent, where the record holds it nowhere else.', { personal: true }),
  })
  .meta({ title: 'Note' });
export type Note = z.infer<typeof Note>;

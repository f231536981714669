import * as z from 'zod';

/** What the contract says of a field beyond its type. */
export interface About {
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
export const field = <Schema extends z.ZodType>(schema: Schema, description: string, about: About = {}): Schema =>
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

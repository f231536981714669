import { type Json, textOfJson } from '../core/json.ts';
import { compare, nonBlank } from '../core/text.ts';

/** The fields of a posted object, by the names under which they were sent. */
export type Fields = readonly (readonly [name: string, value: Json])[];

/** The documented and the other fields of a post, every value as text. */
export interface Folded<Field extends string> {
  readonly fields: ReadonlyMap<Field, string>;
  readonly extra: Readonly<Record<string, string>>;
  /** Documented fields that held a list or an object; their text is JSON. */
  readonly nested: ReadonlySet<Field>;
}

/**
 * Maps the fields of a posted object to their documented spelling, and omits blanks. Where two spellings of a field
 * have different values, the first one counts and the other goes to `extra`, so that no value is lost.
 */
export const foldKeys = <Field extends string>(posted: Fields, known: ReadonlyMap<string, Field>): Folded<Field> => {
  const fields = new Map<Field, string>();
  const extra = new Map<string, string>();
  const nested = new Set<Field>();
  const uniqueName = uniqueNames();

  for (const [key, value] of posted) {
    // A lone surrogate is no valid text for a database; it becomes the replacement character, as in any UTF-8 encoding.
    const text = nonBlank(textOfJson(value)?.toWellFormed());
    if (text === undefined || isKeyField(key)) continue;

    const field = known.get(key.toLowerCase());
    if (field === undefined || (fields.has(field) && fields.get(field) !== text)) {
      const [name, storedText] = storable(key.toWellFormed(), text);
      extra.set(uniqueName(name), storedText);
      continue;
    }
    fields.set(field, text);
    if (isNested(value)) nested.add(field);
  }
  return { fields, extra: Object.fromEntries([...extra].sort(([a], [b]) => compare(a, b))), nested };
};

/**
 * Documented fields by lower-case spelling: in practice only the letter case varies (`dId`, `Did`, `DID`, `DId`,
 * `did`).
 */
export const spellings = <Field extends string>(fields: readonly Field[]): ReadonlyMap<string, Field> =>
  new Map(fields.map((field) => [field.toLowerCase(), field]));

/** Whether a field holds the account key, in any spelling. Such a field is used for authentication and never stored. */
export const isKeyField = (key: string): boolean => key.length < 8 && /^api[_-]?key$/i.test(key);

/** Numbers the repeats of a name: names can become equal when they are redacted or made storable. No value is lost. */
export const uniqueNames = () => {
  const uses = new Map<string, number>();
  return (name: string): string => {
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    return use === 1 ? name : `${name} (${use})`;
  };
};

const maxNameLength = 255;

/** DynamoDB accepts no empty attribute name, and none over 64 KB: a long name becomes the beginning of its value. */
const storable = (key: string, text: string): readonly [name: string, text: string] =>
  key.length <= maxNameLength ? [key || '(empty)', text] : ['(long name)', `${key}: ${text}`];

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null;

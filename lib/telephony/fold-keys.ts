import { textOfJson } from '../core/canonical-json.ts';
import type { Json } from '../core/parse-json.ts';
import { compare, nonBlank } from '../core/text.ts';

/** Two names can become one when they are made fit to be kept; then the later is numbered, so that no value is lost. */
export const uniqueNames = () => {
  const uses = new Map<string, number>();
  return (name: string): string => {
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    return use === 1 ? name : `${name} (${use})`;
  };
};

/** What a post says under the documented fields, and what it says besides; every value as the text that was sent. */
export interface Folded<Field extends string> {
  readonly fields: ReadonlyMap<Field, string>;
  readonly extra: Readonly<Record<string, string>>;
  /** Documented fields that held a list or an object, kept as JSON text. */
  readonly nested: ReadonlySet<Field>;
}

/** The fields of a posted object, by the names under which they were sent. */
export type Fields = readonly (readonly [name: string, value: Json])[];

/** The account key under any spelling: it is checked elsewhere and kept nowhere. */
export const isKeyField = (key: string): boolean => key.length < 8 && /^api[_-]?key$/i.test(key);

/** DynamoDB takes no empty attribute name. */
const emptyKey = '(empty)';

/** Nor one of 64 KB: a name that long is kept as the beginning of its value. */
const longKey = '(long name)';
const maxNameLength = 255;

/** Documented fields by lower-case spelling: practice varies letter case only (`dId`, `Did`, `DID`, `DId`, `did`). */
export const spellings = <Field extends string>(fields: readonly Field[]): ReadonlyMap<string, Field> =>
  new Map(fields.map((field) => [field.toLowerCase(), field]));

/**
 * Brings the fields of a posted object to the documented spelling. Blanks are left out; where two spellings of a field
 * disagree, the first stands and the other is kept in `extra`, so that no value is lost.
 */
export const foldKeys = <Field extends string>(posted: Fields, known: ReadonlyMap<string, Field>): Folded<Field> => {
  const fields = new Map<Field, string>();
  const extra = new Map<string, string>();
  const nested = new Set<Field>();
  const nameOf = uniqueNames();

  for (const [key, value] of posted) {
    const text = nonBlank(textOfJson(value)?.toWellFormed());
    if (text === undefined || isKeyField(key)) continue;

    const field = known.get(key.toLowerCase());
    if (field === undefined || (fields.has(field) && fields.get(field) !== text)) {
      const [name, kept] = namedAs(wellFormed(key), text);
      extra.set(nameOf(name), kept);
      continue;
    }
    fields.set(field, text);
    if (isNested(value)) nested.add(field);
  }
  return { fields, extra: Object.fromEntries([...extra].sort(([a], [b]) => compare(a, b))), nested };
};

const namedAs = (key: string, text: string): readonly [name: string, text: string] =>
  key.length <= maxNameLength ? [key || emptyKey, text] : [longKey, `${key}: ${text}`];

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null;

/** A lone surrogate is no text for a database: it becomes the replacement character, as it would on the wire. */
const wellFormed = (text: string): string => text.toWellFormed();

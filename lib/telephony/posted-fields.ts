import { compare } from '../core/collections.ts';
import { type Json, textOfJson } from '../core/json.ts';

export type PostedFields = readonly (readonly [name: string, value: Json])[];

export interface FieldTexts<Field extends string> {
  readonly fields: ReadonlyMap<Field, string>;
  readonly extra: Readonly<Record<string, string>>;
  /** The fields that held a list or an object; their text is JSON. */
  readonly nested: ReadonlySet<Field>;
}

/** Of two spellings with different values the first counts; the other goes to `extra`, so no value is lost. */
export const fieldTexts = <Field extends string>(
  posted: PostedFields,
  fieldByName: ReadonlyMap<string, Field>,
): FieldTexts<Field> => {
  const fields = new Map<Field, string>();
  const extra = new Map<string, string>();
  const nested = new Set<Field>();
  const uniqueName = uniqueNames();

  for (const [key, value] of posted) {
    // A lone surrogate is no valid text for a database; it becomes the replacement character, as in any UTF-8 encoding.
    const text = nonBlank(textOfJson(value)?.toWellFormed());
    if (text === undefined || isKeyField(key)) continue;

    const field = fieldByName.get(key.toLowerCase());
    if (field === undefined || (fields.has(field) && fields.get(field) !== text)) {
      const [name, storedText] = storable(key.toWellFormed(), text);
      extra.set(uniqueName(name), storedText);
      continue;
    }
    fields.set(field, text);
    if (typeof value === 'object') nested.add(field);
  }
  return { fields, extra: Object.fromEntries([...extra].sort(([a], [b]) => compare(a, b))), nested };
};

/** By lower-case spelling: the service varies only the letter case (`dId`, `Did`, `DID`). */
export const spellings = <Field extends string>(fields: readonly Field[]): ReadonlyMap<string, Field> =>
  new Map(fields.map((field) => [field.toLowerCase(), field]));

/** Whether a field holds the account key, in any spelling. Such a field is used for authentication and never stored. */
export const isKeyField = (key: string): boolean => /^api[_-]?key$/i.test(key);

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

const blanks = new Set(['', 'none', 'null', '-']);

/** Undefined for a missing value: the service writes `""`, `None`, `null` or `-`, in any letter case. */
export const nonBlank = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim();
  return trimmed === undefined || (trimmed.length <= 4 && blanks.has(trimmed.toLowerCase())) ? undefined : trimmed;
};

/**
 * The text as an id. Undefined if it identifies nothing: it is blank, a placeholder that programs write without an id, or
 * rounded. Otherwise all calls with the id `0`, or with one that was rounded to the same number, would be one call.
 */
export const idOf = (text: string | undefined): string | undefined => exactId(nonBlank(text)) ?? undefined;

/** Whether a text was an id before a program rounded it: `1.2345678901235E+19` has 14 digits of 20. */
export const isRoundedId = (text: string | undefined): boolean => exactId(nonBlank(text)) === null;

/** The digits of an id that a program or a spreadsheet wrote as a number, if it lost none; null if it lost some. */
const exactId = (id = ''): string | null | undefined => {
  const [, whole = id] = withZeros.exec(id) ?? [];
  const [, first, fraction = '', exponent] = withExponent.exec(whole) ?? [];
  if (first === undefined) return whole === '' || placeholderId.test(whole) ? undefined : whole;

  const places = Number(exponent);
  // What is left of the fraction would make it no whole number, and so no id that a program wrote.
  if (!onlyZeros.test(fraction.slice(places))) return whole;
  return fraction.length < places ? null : `${first}${fraction.slice(0, places)}`;
};

/** A whole number with a fraction of zeros, and one in the notation of science: with a point or, in some countries, a comma. */
const withZeros = /^([-+]?\d+)[.,]0+$/;
const withExponent = /^([1-9])(?:[.,](\d+))?e\+?0*(\d{1,2})$/i;
const onlyZeros = /^0*$/;

const placeholderId = /^(?:[-+]?0+|-1|n\/?a|nan|nil|unknown|undefined)$/i;

/**
 * The values of a field that a transfer or conference joined with arrows, without blanks; undefined if none is left. For
 * ids, words and steps, which contain no arrow: it separates with and without blanks around it.
 * The service does not align the chains of a call, so a position in one field means nothing in another.
 * @example splitChain(' -> 1001->1002') // ['1001', '1002']
 */
export const splitChain = (text: string): readonly string[] | undefined => nonBlankParts(text.split('->'));

/**
 * The values of a field of text that people write. An arrow may be a part of such a text, so an arrow separates only with blanks,
 * or an end of the text, on both sides. @example splitTextChain('Plan A->B -> Sold') // ['Plan A->B', 'Sold']
 */
export const splitTextChain = (text: string): readonly string[] | undefined => nonBlankParts(text.split(spacedArrow));

const spacedArrow = /(?:^|\s)->(?=\s|$)/;

const nonBlankParts = (parts: readonly string[]): readonly string[] | undefined => {
  const list = parts.map(nonBlank).filter((part) => part !== undefined);
  return list.length === 0 ? undefined : list;
};

import { canonicalJson } from './canonical-json.ts';
import type { Json } from './parse-json.ts';

/**
 * A value as text, a list or an object as JSON; undefined for null. Not `String`: of an object that has a field
 * `toString` it makes an error.
 */
export const textOfJson = (value: Json): string | undefined => {
  if (value === null) return undefined;
  return typeof value === 'object' ? canonicalJson(value) : String(value);
};

/** The texts of a value: those of a list's entries, each on its own. */
export const textsOfJson = (value: Json): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((entry: Json) => textOfJson(entry) ?? []);

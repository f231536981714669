import type { Json } from './parse-json.ts';
import { compare } from './text.ts';

/** JSON with sorted keys and without undefined: equal content gives equal text, whatever the order of its keys. */
export const canonicalJson = (value: unknown): string => JSON.stringify(isSorted(value) ? value : sorted(value));

/** Facts are built with sorted keys, so hashing them usually needs no sorted copy. */
const isSorted = (value: unknown): boolean => {
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isSorted);
  const keys = Object.keys(value);
  return keys.every((key, index) => key >= (keys[index - 1] ?? '')) && Object.values(value).every(isSorted);
};

const sorted = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
};

/**
 * A value as text: a list or an object as JSON, null as undefined.
 * `String` would throw on an object that has a field named `toString`.
 */
export const textOfJson = (value: Json): string | undefined => {
  if (value === null) return undefined;
  return typeof value === 'object' ? canonicalJson(value) : String(value);
};

/** The texts of a value: one for each entry of a list, otherwise one; none for null. */
export const textsOfJson = (value: Json): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((entry: Json) => textOfJson(entry) ?? []);

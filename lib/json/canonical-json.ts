import { hash } from 'node:crypto';
import { compare } from '../text/compare.ts';

/** JSON with sorted keys and no undefined: equal content gives equal text, in whatever order it was built. */
export const canonicalJson = (value: unknown): string => JSON.stringify(isSorted(value) ? value : sorted(value));

/** Facts are built in order, so that they need no copy to be named. */
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

/** A short name for content: the first 128 bits of its SHA-256, in hexadecimal. */
export const contentHash = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex').slice(0, 32);

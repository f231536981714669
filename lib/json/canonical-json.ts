import { createHash } from 'node:crypto';
import { compare } from '../text/compare.ts';

/** JSON with sorted keys and no undefined: equal content gives equal text, in whatever order it was built. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

const sorted = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
};

/** A short name for content: the first 128 bits of its SHA-256, in hexadecimal. */
export const contentHash = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);

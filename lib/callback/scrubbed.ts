import type { Json, JsonObject } from '../json/parse-json.ts';
import { type Fields, isKeyField } from './fold-keys.ts';
import { mask } from './mask-keys.ts';
import { uniqueNames } from './unique-names.ts';

/**
 * The fields of a record without any account's key: the key's own field is gone, and a key that strayed into another
 * value (a comment, the query of a recording's URL) is masked. Nearly always there is none, which one look at all names
 * and values tells.
 */
export const scrubbed = (record: JsonObject, masked: (text: string) => string): Fields => {
  const kept: (readonly [string, Json])[] = [];
  let all = '';
  for (const [key, value] of Object.entries(record)) {
    if (isKeyField(key)) continue;
    kept.push([key, value]);
    all += `${key}\n${typeof value === 'string' ? value : JSON.stringify(value)}\n`;
  }
  if (masked(all) === all) return kept;
  const nameOf = uniqueNames();
  return kept.map(([key, value]) => [nameOf(masked(key)), scrub(value, masked)]);
};

const scrub = (value: Json, masked: (text: string) => string): Json => {
  if (typeof value === 'string') return masked(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => scrub(entry, masked));
  const nameOf = uniqueNames();
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [nameOf(masked(key)), isKeyField(key) ? mask : scrub(entry, masked)]),
  );
};

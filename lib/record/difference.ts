import { canonicalJson } from '../json/canonical-json.ts';
import type { Facts } from './delivery.ts';

/** How one set of facts differs from another: its value of each field that differs, null where it has none. */
export const differenceFrom = (base: Facts, facts: Facts): Facts =>
  Object.fromEntries(changedFields(base, facts).map((field) => [field, facts[field] ?? null]));

/** The facts that a difference describes: the inverse of `differenceFrom`. */
export const withDifference = (base: Facts, difference: Facts): Facts =>
  Object.fromEntries(Object.entries({ ...base, ...difference }).filter(([, value]) => value !== null));

/** The names of the fields that differ, in alphabetical order. */
export const changedFields = (before: Facts, after: Facts): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]))
    .sort();

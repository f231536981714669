import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Facts } from '../../../lib/record/delivery.ts';
import type { Ending } from '../ending.ts';

/**
 * Of a row that a fault may well change: when something came, and was written, how often, and over how many states. The
 * times of receipt have a check of their own, and so have the revisions.
 */
const byFault = new Set([
  ...['version', 'revision', 'recordedAt', 'firstReceivedAt', 'lastReceivedAt', 'receivedAt', 'expiresAt'],
  ...['since', 'loggedInSince', 'changedAt', 'stretchFrom'],
]);

/** Rows without what a fault may change and without the account's name, as text, in an order. */
export const plainRows = ({ name }: Ending, rows: readonly Facts[]): readonly string[] =>
  rows.map((row) => canonicalJson(without(row)).replaceAll(name, 'ACCOUNT')).sort();

const without = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !byFault.has(field))
      .map(([field, inner]) => [field, without(inner)]),
  );
};

/** What one list has and another lacks, shortened. */
export const missing = (wanted: readonly string[], there: readonly string[]): readonly string[] => {
  const left = [...there];
  return wanted.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
};

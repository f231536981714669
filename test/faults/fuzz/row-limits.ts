import type { Facts } from '../../../lib/core/collections.ts';

const maxDepth = 32;
const maxNameBytes = 65_535;

/** What in a value DynamoDB would reject. Sizes and keys are checked by the tables in memory. */
const problemIn = (value: unknown, depth = 0): string | undefined => {
  if (depth > maxDepth) return 'a value deeper than 32 levels';
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a lone surrogate';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'a number that is not finite';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name === '' || !name.isWellFormed() || Buffer.byteLength(name) > maxNameBytes) return 'an invalid name';
    const problem = problemIn(inner, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** What in these rows the real DynamoDB would have rejected. */
export const notStorable = (rows: readonly Facts[]): readonly string[] =>
  rows.flatMap((row) => {
    const problem = problemIn(row);
    return problem === undefined ? [] : [`A row has ${problem}`];
  });

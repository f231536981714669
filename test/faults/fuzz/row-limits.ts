import { marshall } from '@aws-sdk/util-dynamodb';
import type { Facts } from '../../../lib/core/objects.ts';
import type { Table } from '../../../lib/schema/tables.ts';
import {
  isKey,
  itemBytes,
  maxItemBytes,
  maxPartitionKeyBytes,
  maxSortKeyBytes,
} from '../../support/dynamodb-limits.ts';
import { worldTables } from '../world/memory-world.ts';

const maxDepth = 32;

const keysOf = (row: Facts, { key, indexes }: Table): boolean =>
  isKey(row[key.partition], maxPartitionKeyBytes) &&
  (key.sort === undefined || isKey(row[key.sort], maxSortKeyBytes)) &&
  indexes.every(
    ({ key: { partition, sort } }) =>
      (row[partition] === undefined || isKey(row[partition], maxPartitionKeyBytes)) &&
      (row[sort] === undefined || isKey(row[sort], maxSortKeyBytes)),
  );

/** What DynamoDB would not take within a row: names that are empty, texts that are none, numbers without end, depths. */
const oddWithin = (value: unknown, depth = 0): string | undefined => {
  if (depth > maxDepth) return 'a value too deep';
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a lone surrogate';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'no number';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name === '' || !name.isWellFormed() || Buffer.byteLength(name) > 65_535) return 'a name that is none';
    const odd = oddWithin(inner, depth + 1);
    if (odd !== undefined) return odd;
  }
  return undefined;
};

/** What of these rows the real DynamoDB would have refused. */
export const beyondLimits = (table: keyof typeof worldTables, rows: readonly Facts[]): readonly string[] =>
  rows.flatMap((row) => {
    const odd = oddWithin(row);
    return [
      ...(keysOf(row, worldTables[table]) ? [] : [`A row of ${table} has a key that is none`]),
      ...(odd === undefined ? [] : [`A row of ${table} has ${odd}`]),
      ...(itemBytes(marshall(row, { removeUndefinedValues: true })) > maxItemBytes
        ? [`A row of ${table} is larger than 400 KB`]
        : []),
    ];
  });

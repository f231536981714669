import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** The largest row, and the longest value of each part of a key. */
export const maxItemBytes = 400 * 1024;
export const maxPartitionKeyBytes = 2048;
export const maxSortKeyBytes = 1024;

/** Whether a value can be a part of a key. */
export const isKey = (value: unknown, maxBytes: number): boolean =>
  typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= maxBytes;

/** How large a row is by DynamoDB's rules: names and values, a byte for each inner value and three for what holds them. */
export const itemBytes = (item: Readonly<Record<string, AttributeValue>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

/** Whether DynamoDB can hold every number of an item: `NaN` is none, and `1e126` too great. */
export const hasOnlyNumbers = (item: Readonly<Record<string, AttributeValue>>): boolean =>
  Object.values(item).every(isNumberIfAny);

const isNumberIfAny = ({ N, L, M }: AttributeValue): boolean =>
  (N === undefined || Math.abs(Number(N)) < 1e126) && (L ?? Object.values(M ?? {})).every(isNumberIfAny);

const valueBytes = ({ S, N, L, M }: AttributeValue): number => {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replace(/[^0-9]/g, '').length / 2) + 2;
  if (L !== undefined) return L.reduce((sum, inner) => sum + 1 + valueBytes(inner), 3);
  if (M !== undefined) return 3 + Object.keys(M).length + itemBytes(M);
  return 1;
};

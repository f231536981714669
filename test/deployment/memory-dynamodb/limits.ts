import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Row, RowKey } from '../../../lib/storage/rows.ts';
import { agentsTable, callsTable } from '../../../lib/storage/tables.ts';

/** The write of a row, or its removal if `row` is undefined. */
export interface RowWrite extends RowKey {
  readonly row: Row | undefined;
}

/** The largest row, and the longest value of each part of a key. */
export const maxItemBytes = 400 * 1024;
export const maxPartitionKeyBytes = 2048;
export const maxSortKeyBytes = 1024;

const maxTransactionBytes = 4 * 1024 * 1024;
const maxTransactionRows = 100;

const indexKeys = [agentsTable, callsTable].flatMap(({ indexes }) =>
  indexes.flatMap(({ key }) => [key.partition, key.sort]),
);

/** Names a row among all. */
export const nameOf = ({ pk, sk }: RowKey) => JSON.stringify([pk, sk]);

/** The order of DynamoDB: by bytes, which differs from JavaScript's beyond the basic plane. */
export const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Throws the error by which DynamoDB rejects a request that it can never serve. */
export const rejectIf = (isRejected: boolean, why: string) => {
  if (isRejected) throw Object.assign(new Error(why), { name: 'ValidationException' });
};

/** Whether an error is one that `rejectIf` throws. */
export const isRejection = (error: unknown): boolean => error instanceof Error && error.name === 'ValidationException';

/** The row as it comes back from DynamoDB, a copy; throws if it is too large. */
export const asStored = (row: Row): Row => {
  const item = marshall(row, { removeUndefinedValues: true });
  rejectIf(itemBytes(item) > maxItemBytes, 'A row is larger than 400 KB');
  return unmarshall(item);
};

/** Rejects keys that are invalid, and a row that is named twice. */
export const checkKeys = (changes: readonly RowWrite[]) => {
  rejectIf(
    !changes.every(({ pk, sk }) => isKey(pk, maxPartitionKeyBytes) && isKey(sk, maxSortKeyBytes)),
    'A key is empty or too long',
  );
  rejectIf(new Set(changes.map(nameOf)).size < changes.length, 'A key occurs twice');
  const indexed = changes.flatMap(({ row = {} }) => indexKeys.map((key) => row[key] ?? 'none'));
  rejectIf(!indexed.every((key) => isKey(key, maxSortKeyBytes)), 'A key of an index is invalid');
};

/** Rejects what is too much for one transaction. */
export const checkTransaction = (changes: readonly RowWrite[]) => {
  const bytes = changes.reduce((sum, { row = {} }) => sum + itemBytes(marshall(row)), 0);
  rejectIf(changes.length > maxTransactionRows, 'More than 100 rows are written together');
  rejectIf(bytes > maxTransactionBytes, 'More than 4 MB are written together');
};

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

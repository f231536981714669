import { canonicalJson } from '../../lib/core/json.ts';
import type { KeyedRow, Row, RowKey, VersionedRows } from '../../lib/storage/rows.ts';
import {
  asStored,
  byBytes,
  checkKeys,
  checkTransaction,
  isRejection,
  nameOf,
  type RowWrite,
} from '../deployment/memory-dynamodb/limits.ts';

/** The write of a row. Throws if the row is too large for DynamoDB. */
export const putOf = (row: KeyedRow): RowWrite => ({ pk: row.pk, sk: row.sk, row: asStored(row) });

/** The removal of a row. */
export const removalOf = ({ pk, sk }: RowKey): RowWrite => ({ pk, sk, row: undefined });

/** Rows hold what JSON holds, and to copy them so is quicker than `structuredClone`. */
export const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** The writes of a transaction, or undefined where DynamoDB would reject it. */
const transactionOf = (puts: readonly KeyedRow[], removes: readonly RowKey[]): readonly RowWrite[] | undefined => {
  try {
    const writes = [...puts.map(putOf), ...removes.map(removalOf)];
    checkKeys(writes);
    checkTransaction(writes);
    return writes;
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw error;
  }
};

/** Versioned rows in memory, within the limits of DynamoDB. `onChange` sees each change of a row, as the stream would. */
export const memoryVersionedRows = (
  onChange: (before: Row | undefined, after: Row | undefined) => void = () => undefined,
) => {
  const stored = new Map<string, { readonly key: RowKey; readonly row: Row }>();

  const apply = (write: RowWrite) => {
    const { pk, sk, row: after } = write;
    const before = stored.get(nameOf(write))?.row;
    if (after === undefined) stored.delete(nameOf(write));
    else stored.set(nameOf(write), { key: { pk, sk }, row: after });
    if (canonicalJson(before ?? null) !== canonicalJson(after ?? null)) onChange(before, after);
  };

  const rows: VersionedRows = {
    async putNextVersion(row, { puts, removes }, signal) {
      signal.throwIfAborted();
      const writes = transactionOf([row, ...puts], removes);
      if (writes === undefined) return { kind: 'rejected' };

      const before = stored.get(nameOf(row))?.row;
      const isNext = row.version === 1 ? before === undefined : before?.['version'] === row.version - 1;
      if (!isNext) return { kind: 'conflict', row: before && copyOf(before) };
      writes.forEach(apply);
      return { kind: 'written' };
    },
  };

  return {
    ...rows,
    apply,
    /** The rows whose key matches, by partition and sort key. */
    select: (matches: (key: RowKey) => boolean = () => true): readonly Row[] =>
      copyOf(
        [...stored.values()]
          .filter(({ key }) => matches(key))
          .sort((a, b) => byBytes(a.key.pk, b.key.pk) || byBytes(a.key.sk, b.key.sk))
          .map(({ row }) => row),
      ),
  };
};

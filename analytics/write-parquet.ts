import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { dayPartition } from '../lib/analytics/columns.ts';
import type { AnalyticsRow } from '../lib/analytics/row-of.ts';
import { mapValues } from '../lib/core/collections.ts';
import { declaredColumns, quoted } from './duckdb.ts';

/**
 * Adds rows to a folder as Parquet, one file for each table and day, in the folders that S3 has too. A file appears under its
 * name once it is whole.
 */
export const writeParquet = async (
  connection: DuckDBConnection,
  folder: string,
  rows: readonly AnalyticsRow[],
): Promise<void> => {
  const groups = Map.groupBy(rows, ({ table, day }) => join(table, `${dayPartition.name}=${day}`));
  const incoming = join(folder, '.incoming');
  await mkdir(incoming, { recursive: true });
  for (const [partition, some] of groups) {
    const name = randomUUID();
    const [json, parquet] = [join(incoming, `${name}.json`), join(incoming, `${name}.parquet`)];
    await writeFile(json, some.map(({ row }) => `${JSON.stringify(row)}\n`).join(''));
    await connection.run(`COPY (${jsonQuery(json, some)}) TO ${quoted(parquet)} (FORMAT parquet)`);
    await rm(json);
    await mkdir(join(folder, partition), { recursive: true });
    await rename(parquet, join(folder, partition, `${name}.parquet`));
  }
};

const jsonQuery = (file: string, [first]: readonly AnalyticsRow[]): string => {
  const columns = mapValues(first === undefined ? {} : declaredColumns(first.table), quoted);
  const types = Object.entries(columns).map(([name, type]) => `${name}: ${type}`);
  return `SELECT * FROM read_json(${quoted(file)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
};

import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { keysOf, mapValues } from '../../lib/core/collections.ts';
import type { ColumnType } from './column.ts';
import type { SqlFile } from './sql-files.ts';
import { type AnalyticsRow, dayPartition, type TableName, tables } from './tables.ts';
import { views } from './views.ts';

/** Thrown where the package is not installed that reads and writes Parquet. Nothing else needs its 70 MB. */
export class DuckDbMissing extends Error {
  override readonly name = 'DuckDbMissing';
}

/** Opens DuckDB in memory, with the functions of Athena's dialect that it knows by other names. */
export const openDuckDb = async (): Promise<DuckDBConnection> => {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'; ${athenaFunctions}`);
  return connection;
};

const loadDuckDb = async () => {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    throw new DuckDbMissing('Analytics on this machine need DuckDB: npm install @duckdb/node-api@1.5.6-r.1', { cause });
  }
};

const athenaFunctions = `
CREATE MACRO cardinality(list) AS len(list);
CREATE MACRO sequence(first, last) AS generate_series(first, last), (first, last, step) AS generate_series(first, last, step);
CREATE MACRO at_timezone(instant, zone) AS timezone(zone, instant);
`;

/** Creates the tables over the files of a folder, and the views over them. A file of an older declaration lacks columns. */
export const createViews = async (
  connection: DuckDBConnection,
  folder: string,
  all: readonly SqlFile[] = views,
): Promise<void> => {
  for (const table of keysOf(tables)) await connection.run(`CREATE VIEW ${table} AS ${tableQuery(folder, table)}`);
  for (const { name, sql } of all) await connection.run(`CREATE VIEW ${name} AS ${sql}`);
};

const tableQuery = (folder: string, table: TableName): string => {
  const columns = Object.entries({ ...declaredColumns(table), [dayPartition.name]: duckDbTypes[dayPartition.type] });
  const none = `SELECT ${columns.map(([name, type]) => `CAST(NULL AS ${type}) AS ${name}`).join(', ')} WHERE false`;
  const files = join(folder, table, '*', '*.parquet');
  if (globSync(files).length === 0) return none;
  const readFiles = `read_parquet(${quoted(files)}, union_by_name = true, hive_partitioning = true, hive_types = {day: VARCHAR})`;
  return `${none} UNION ALL BY NAME SELECT * FROM ${readFiles}`;
};

/** Adds one file of Parquet for each table and day, in S3's folders. It appears under its name once it is whole. */
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
    const json = join(incoming, `${name}.json`);
    const parquet = join(incoming, `${name}.parquet`);
    try {
      await writeFile(json, some.map(({ row }) => `${JSON.stringify(row)}\n`).join(''));
      await connection.run(`COPY (${jsonQuery(json, some)}) TO ${quoted(parquet)} (FORMAT parquet)`);
      await mkdir(join(folder, partition), { recursive: true });
      await rename(parquet, join(folder, partition, `${name}.parquet`));
    } finally {
      for (const file of [json, parquet]) await rm(file, { force: true });
    }
  }
};

const jsonQuery = (file: string, [first]: readonly AnalyticsRow[]): string => {
  const columns = mapValues(first === undefined ? {} : declaredColumns(first.table), quoted);
  const types = Object.entries(columns).map(([name, type]) => `${name}: ${type}`);
  return `SELECT * FROM read_json(${quoted(file)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
};

const declaredColumns = (table: TableName): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(tables[table].columns).map(([name, { type }]) => [name, duckDbTypes[type]]));

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const duckDbTypes: Readonly<Record<ColumnType, string>> = {
  string: 'VARCHAR',
  int: 'INTEGER',
  double: 'DOUBLE',
  timestamp: 'TIMESTAMP',
  'array<string>': 'VARCHAR[]',
  'array<boolean>': 'BOOLEAN[]',
  'array<double>': 'DOUBLE[]',
};

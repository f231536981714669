import { existsSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { createViews, DuckDbMissing, openDuckDb } from '../../functions/adapters/duckdb.ts';
import { printable } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { type Answer, type AnswerValue, numberOf } from './answer.ts';

/** Asks the Parquet files of a folder. */
export const askFolder = async (folder: string, sql: string): Promise<Answer> => {
  if (!existsSync(folder))
    throw new Problem(
      `There is no folder ${printable(folder)}. A sandbox makes it: npm start -- --analytics ${printable(folder)}`,
      2,
    );
  const connection = await opened();
  try {
    await createViews(connection, folder);
    return await answerOf(connection, sql);
  } finally {
    connection.closeSync();
  }
};

const opened = (): Promise<DuckDBConnection> =>
  openDuckDb().catch((error: unknown) => {
    throw error instanceof DuckDbMissing ? new Problem(`${error.message}.`) : error;
  });

/** DuckDB's problems quote the question, and no row of the files. */
const answerOf = async (connection: DuckDBConnection, sql: string): Promise<Answer> => {
  const reader = await connection.runAndReadAll(sql).catch((error: unknown) => {
    throw new Problem(`DuckDB rejected the question: ${printable(error instanceof Error ? error.message : '', true)}`);
  });
  const types = reader.columnTypes().map(String);
  const rows = reader.getRowsJson().map((row) => row.map((value, column) => valueFrom(value, types[column])));
  return { columns: reader.columnNames(), rows };
};

/** Whole numbers of 64 bits and more come as text. */
const valueFrom = (value: unknown, type = ''): AnswerValue => {
  if (typeof value === 'string') return /^(?:U?BIGINT|U?HUGEINT)$/.test(type) ? numberOf(value) : value;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((entry) => valueFrom(entry, type.replace(/\[\]$/, '')));
  return value === null || value === undefined ? null : JSON.stringify(value);
};

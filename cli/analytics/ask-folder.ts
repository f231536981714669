import { existsSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { createViews, DuckDbMissing, openDuckDb } from '../../functions/transform-events/duckdb.ts';
import { commandText } from '../../lib/core/command-text.ts';
import { Problem } from '../frame/problem.ts';
import { printable } from '../frame/terminal.ts';
import { type AnswerValue, exactNumber, type QueryAnswer } from './query-answer.ts';

export const askFolder = async (folder: string, sql: string): Promise<QueryAnswer> => {
  if (!existsSync(folder))
    throw new Problem(
      `There is no folder ${printable(folder)}. A sandbox makes it: ${commandText(['npm', 'start', '--', '--analytics', folder])}`,
      2,
    );
  const connection = await openDuckDb().catch((error: unknown) => {
    throw error instanceof DuckDbMissing ? new Problem(`${error.message}.`) : error;
  });
  try {
    await createViews(connection, folder);
    return await answerOf(connection, sql);
  } finally {
    connection.closeSync();
  }
};

/** DuckDB's problems quote the question, and no row of the files. */
const answerOf = async (connection: DuckDBConnection, sql: string): Promise<QueryAnswer> => {
  const reader = await connection.runAndReadAll(sql).catch((error: unknown) => {
    throw new Problem(`DuckDB rejected the question: ${printable(error instanceof Error ? error.message : '', true)}`);
  });
  const types = reader.columnTypes().map(String);
  const rows = reader.getRowsJson().map((row) => row.map((value, column) => duckDbValue(value, types[column])));
  return { columns: reader.columnNames(), rows };
};

/** Whole numbers of 64 bits and more, and decimals, come as text. */
const duckDbValue = (value: unknown, type = ''): AnswerValue => {
  if (typeof value === 'string')
    return /^(?:U?BIGINT|U?HUGEINT|DECIMAL\(.+\))$/.test(type) ? exactNumber(value) : value;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((entry) => duckDbValue(entry, type.replace(/\[\]$/, '')));
  return value === null || value === undefined ? null : JSON.stringify(value);
};

import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDuckDb, quoted } from '../../functions/adapters/duckdb.ts';
import { type TableName, tableColumns } from '../../lib/analytics/columns.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { writeEvents } from '../../test/analytics/simulated-day.ts';
import { simulatedHours } from '../../test/deployment/simulated-centre.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

/** The days that the rows are spread over, each with a file. */
const days = 90;

/** The first of them and the last, or a day after it as rows move by some hours. */
export const firstDay = '2026-11-20';
export const lastDay = '2027-02-19';

/** How large a table became. */
export interface TableSize {
  readonly table: TableName;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes so many rows to each table: those of a simulated hour with all its revisions, again and again, each time in another hour
 * of another day and with other calls.
 */
export const writeManyRows = async (folder: string, rows: number): Promise<readonly TableSize[]> => {
  const hour = temporaryFolder('analytics-hour');
  const events: unknown[] = [];
  for await (const some of simulatedHours({ hours: 1, seed: 5, gapMs: 6_000, agents: 60 })) events.push(...some);
  await writeEvents(hour.path, events, 1);

  const connection = await openDuckDb();
  const read = (from: string, table: TableName) =>
    `read_parquet(${quoted(join(from, table, '*', '*.parquet'))}, hive_partitioning = true, hive_types = {day: VARCHAR}, union_by_name = true)`;
  const count = async (from: string, table: TableName): Promise<number> => {
    const reader = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${read(from, table)}`);
    return Number(reader.getRows()[0]?.[0]);
  };
  const tables = keysOf(tableColumns);
  for (const table of tables) {
    const copies = Math.ceil(rows / (await count(hour.path, table)));
    const columns = Object.entries(tableColumns[table]).map(([name, { type }]) => copiedColumn(name, type));
    await connection.run(
      `COPY (SELECT ${columns.join(', ')}, strftime(day::DATE + CAST(copy % ${days} AS INTEGER), '%Y-%m-%d') AS day
       FROM ${read(hour.path, table)} CROSS JOIN range(${copies}) AS copies (copy))
       TO ${quoted(join(folder, table))} (FORMAT parquet, PARTITION_BY (day))`,
    );
  }
  const sizes: TableSize[] = [];
  for (const table of tables) {
    const files = globSync(join(folder, table, '*', '*.parquet'));
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    sizes.push({ table, rows: await count(folder, table), files: files.length, bytes });
  }
  connection.closeSync();
  hour.remove();
  return sizes;
};

/** A value of a copy: another hour of another day, and other ids. */
const copiedColumn = (name: string, type: string): string => {
  if (type === 'timestamp')
    return `${name} + INTERVAL (copy % ${days}) DAY + INTERVAL (copy // ${days} % 10) HOUR AS ${name}`;
  if (name === 'local_day')
    return `strftime(local_day::DATE + CAST(copy % ${days} AS INTEGER), '%Y-%m-%d') AS local_day`;
  if (name === 'event_id') return `md5(event_id || copy) AS event_id`;
  return name === 'call_id' || name === 'linked_call_id' ? `${name} || copy AS ${name}` : name;
};

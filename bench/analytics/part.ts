import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { openDuckDb, quoted } from '../../functions/adapters/duckdb.ts';
import { questions } from '../../functions/adapters/sql-files.ts';
import { type TableName, tableColumns } from '../../lib/analytics/columns.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { median } from '../../test/support/statistics.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { figure, type Part } from '../part.ts';
import { firstDay, lastDay, type TableSize, writeManyRows } from './million-rows.ts';

const rowsOfTable = 1_000_000;
const megabyte = 1e6;

/** Athena’s price in most regions: dollars for a terabyte, and 10 MB at least for a question. */
const price = (bytes: number): number => (Math.max(bytes, 10 * megabyte) / 1e12) * 5;

/** A step of DuckDB's plan: a reader of files has the columns that it reads. */
interface Step {
  readonly extra_info?: Readonly<Record<string, unknown>> | undefined;
  readonly children?: readonly Step[] | undefined;
}
const Step: z.ZodType<Step> = z.object({
  extra_info: z.record(z.string(), z.unknown()).optional(),
  get children() {
    return z.array(Step).optional();
  },
});
const Measured = z.object({
  ...{ rows: z.number(), seconds: z.number(), cpuSeconds: z.number(), peakMb: z.number() },
  plan: Step,
});

/** What a question took. */
interface Result extends Omit<z.infer<typeof Measured>, 'plan'> {
  readonly name: string;
  /** The columns that it read, as stored. */
  readonly bytes: number;
}

/** Every reading of columns of a table in a plan. */
const readingsOf = ({
  extra_info: info = {},
  children = [],
}: Step): readonly (readonly [string, readonly unknown[]])[] => {
  const files = info['Filename(s)'];
  const columns = info['Projections'];
  const own = typeof files === 'string' ? [[files, [columns].flat()] as const] : [];
  return [...own, ...children.flatMap(readingsOf)];
};

/** The bytes of each column of each table as stored. */
const columnBytes = async (folder: string): Promise<ReadonlyMap<string, number>> => {
  const connection = await openDuckDb();
  const bytes = new Map<string, number>();
  for (const table of keysOf(tableColumns)) {
    const reader = await connection.runAndReadAll(
      `SELECT split_part(path_in_schema, ',', 1), sum(total_compressed_size)::DOUBLE
       FROM parquet_metadata(${quoted(join(folder, table, '*', '*.parquet'))}) GROUP BY 1`,
    );
    for (const [column, size] of reader.getRows()) bytes.set(`${table} ${String(column).trim()}`, Number(size));
  }
  connection.closeSync();
  return bytes;
};

const tableIn = (files: string): TableName | undefined => keysOf(tableColumns).find((table) => files.includes(table));

const scannedBytes = (plan: Step, sizes: ReadonlyMap<string, number>): number =>
  readingsOf(plan)
    .flatMap(([files, columns]) => columns.map((column) => sizes.get(`${tableIn(files)} ${column}`) ?? 0))
    .reduce((sum, bytes) => sum + bytes, 0);

/** How large a million rows of each table are, and what each question takes over all of them. */
export const analytics: Part = {
  name: 'analytics',
  what: 'size of a million rows of calls and of agents, and time, memory and price of each question over them',
  async run({ repetitions, onProgress }) {
    const folder = temporaryFolder('analytics-bench');
    onProgress('writing the rows');
    const tables = await writeManyRows(folder.path, rowsOfTable);
    const sizes = await columnBytes(folder.path);
    const child = fileURLToPath(new URL('child.ts', import.meta.url));
    const profile = join(folder.path, 'profile.json');
    const results: Result[] = [];
    for (const { name } of questions()) {
      onProgress(name);
      const runs: z.infer<typeof Measured>[] = [];
      for (let run = 0; run < repetitions; run += 1) {
        const args = [child, name, folder.path, firstDay, lastDay, profile];
        const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
        runs.push(Measured.parse(JSON.parse(stdout)));
      }
      const [first] = runs;
      if (first === undefined) continue;
      results.push({
        name,
        rows: first.rows,
        seconds: median(runs.map(({ seconds }) => seconds)),
        cpuSeconds: median(runs.map(({ cpuSeconds }) => cpuSeconds)),
        peakMb: median(runs.map(({ peakMb }) => peakMb)),
        bytes: scannedBytes(first.plan, sizes),
      });
    }
    folder.remove();
    return {
      tables: [
        { title: 'A million rows of each table, 90 days', table: tableSizes(tables) },
        {
          title: 'Each question over all of them',
          table: {
            head: ['question', 'rows', 'seconds', 'of a processor', 'MB of memory', 'MB of columns', 'in Athena'],
            rows: results.map(({ name, rows, seconds, cpuSeconds, peakMb, bytes }) => [
              ...[name, figure(rows), seconds.toFixed(1), cpuSeconds.toFixed(1), figure(Math.round(peakMb))],
              ...[(bytes / megabyte).toFixed(1), `$${price(bytes).toFixed(5)}`],
            ]),
          },
        },
      ],
      data: { tables, results },
      failures: [],
    };
  },
};

const tableSizes = (tables: readonly TableSize[]) => ({
  head: ['table', 'rows', 'files', 'MB', 'bytes a row'],
  rows: tables.map(({ table, rows, files, bytes }) => [
    ...[table, figure(rows), figure(files), (bytes / megabyte).toFixed(1), (bytes / rows).toFixed(0)],
  ]),
});

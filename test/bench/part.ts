import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';

export interface PartOptions {
  /** How often everything is timed; the medians count. */
  readonly repetitions: number;
  /** Called with lines about the progress of the part. */
  readonly onProgress: (line: string) => void;
}

export interface TitledTable {
  readonly title: string;
  readonly table: Table;
}

export interface PartReport {
  readonly tables: readonly TitledTable[];
  /** All measurements, for programs. */
  readonly data: unknown;
  /** One sentence for each missed limit: which, and by how much. */
  readonly failures: readonly string[];
}

/** A part of the benchmark: one question about speed or cost. */
export interface Part {
  readonly name: string;
  readonly what: string;
  /** Rejects only if the measurement fails. A missed limit is in the report. */
  readonly run: (options: PartOptions) => Promise<PartReport>;
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly platform: string;
}

export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() || 'unknown processor',
  cores: availableParallelism(),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
});

export interface PartRun {
  readonly name: string;
  readonly seconds: number;
  readonly report: PartReport;
}

export interface Run {
  readonly machine: Machine;
  readonly repetitions: number;
  readonly ran: readonly PartRun[];
}

const machineLine = ({ machine, repetitions }: Run): string =>
  `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.platform}; ${repetitions} repetitions.`;

const tablesOf = ({ report }: PartRun, titled: (title: string) => string, table: (table: Table) => string): string =>
  report.tables.map((each) => [titled(each.title), '', table(each.table)].join('\n')).join('\n\n');

const missedLimits = ({ ran }: Run): readonly string[] =>
  ran.flatMap(({ name, report }) => report.failures.map((failure) => `Missed, ${name}: ${failure}`));

const plain = (run: Run): string =>
  [
    machineLine(run),
    ...run.ran.map((ran) => tablesOf(ran, (title) => `${title}:`, plainTable)),
    ...missedLimits(run),
  ].join('\n\n');

const markdown = (run: Run): string =>
  [
    machineLine(run),
    ...run.ran.map((ran) => `### ${ran.name}\n\n${tablesOf(ran, (title) => `${title}:`, markdownTable)}`),
    ...missedLimits(run),
  ].join('\n\n');

/** The formats of a run. Missed limits are at the end, where they are seen. */
export const formatters = { plain, markdown, json: (run: Run): string => JSON.stringify(run, undefined, 2) } as const;

/** A table of texts: the first column names the rows, the others are figures. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The table for a terminal, its columns aligned. */
export const plainTable = ({ head, rows }: Table): string => {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [lineOf(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(lineOf)].join('\n');
};

export const markdownTable = ({ head, rows }: Table): string => {
  const lineOf = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const rule = `|${head.map((_, column) => (column === 0 ? '---' : '---:')).join('|')}|`;
  return [lineOf(head), rule, ...rows.map(lineOf)].join('\n');
};

/** A number with separators for thousands and at most one decimal. */
export const figure = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** Dollars: with cents below a hundred, without above. */
export const dollarFigure = (dollars: number): string => {
  const digits = dollars < 100 ? 2 : 0;
  return dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
};

/** Runs something with a folder that is removed afterwards, at the latest when this process ends. */
export const withTemporaryFolder = async <Result>(act: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  try {
    return await act(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
};

/** Runs something with a DynamoDB Local of its own, which is stopped afterwards. */
export const withDynamodb = async <Result>(act: (endpoint: string) => Promise<Result>): Promise<Result> => {
  const { endpoint, stop } = await startDynamodb({ port: 0 });
  try {
    return await act(endpoint);
  } finally {
    await stop();
  }
};

import { availableParallelism, cpus } from 'node:os';
import { startDynamodb } from '../sandbox/dynamodb/start-dynamodb.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

export interface TitledTable {
  readonly title: string;
  readonly table: Table;
}

export interface PartReport {
  readonly tables: readonly TitledTable[];
  readonly data: unknown;
  /** One sentence for each missed limit: which, and by how much. */
  readonly failures: readonly string[];
}

export interface BenchOptions {
  /** How often everything is timed; the medians count. */
  readonly repetitions: number;
  /** The memory of every function, in MB: each is measured. By default each function has what the stack deploys. */
  readonly memory?: readonly number[];
}

/** A part of the benchmark: one question about speed or cost. */
export interface Part {
  readonly name: string;
  /** In a few words, for the help text. */
  readonly what: string;
  /** Rejects only if it cannot run (no Java, a port in use). What it found is in the report. */
  readonly run: (options: BenchOptions & { readonly onProgress: (line: string) => void }) => Promise<PartReport>;
}

export const machine = () => ({
  cpu: cpus()[0]?.model.trim() || 'unknown processor',
  cores: availableParallelism(),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
});

/** The parts that have run, with how long each took. */
export interface Run {
  readonly machine: ReturnType<typeof machine>;
  readonly repetitions: number;
  readonly ran: readonly (Pick<Part, 'name' | 'what'> & { readonly seconds: number; readonly report: PartReport })[];
}

/** The figures of docs/performance.md. Missed limits are at the end, where they are seen. */
export const markdownOf = ({ machine, repetitions, ran }: Run): string =>
  [
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.platform}; ${repetitions} repetitions.`,
    ...ran.flatMap(({ name, report }) => [
      `### ${name}`,
      ...report.tables.map(({ title, table }) => `${title}:\n\n${markdownTable(table)}`),
    ]),
    ...ran.flatMap(({ name, report }) => report.failures.map((failure) => `Missed, ${name}: ${failure}`)),
  ].join('\n\n');

/** A table of texts: the first column names the rows, the others are figures. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const markdownTable = ({ head, rows }: Table): string => {
  const lineOf = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const rule = `|${head.map((_, column) => (column === 0 ? '---' : '---:')).join('|')}|`;
  return [lineOf(head), rule, ...rows.map(lineOf)].join('\n');
};

export const figure = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** Dollars: with cents below a hundred, without above. */
export const dollarFigure = (dollars: number): string => {
  const digits = dollars < 100 ? 2 : 0;
  return dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
};

/** Runs something with a folder that is removed afterwards, at the latest when this process ends. */
export const withTemporaryFolder = async <Result>(act: (folder: string) => Promise<Result>): Promise<Result> => {
  const { path, remove } = temporaryFolder('bench');
  try {
    return await act(path);
  } finally {
    remove();
  }
};

/** Runs something with a DynamoDB Local of its own, which is stopped afterwards. */
export const withDynamodb = async <Result>(act: (endpoint: string) => Promise<Result>): Promise<Result> => {
  const { endpoint, stop } = await startDynamodb();
  try {
    return await act(endpoint);
  } finally {
    await stop();
  }
};

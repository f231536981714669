import { availableParallelism, cpus } from 'node:os';
import { markdownTable, plainTable, type Table } from './table.ts';

/** How a part of the benchmark is run. */
export interface PartOptions {
  /** How often everything that is timed is timed again; medians count. */
  readonly repetitions: number;
  /** Told, a line at a time, how far the part has come; nothing of it is a result. */
  readonly onProgress: (line: string) => void;
}

/** A table and what it shows. */
export interface TitledTable {
  readonly title: string;
  readonly table: Table;
}

/** What a part measured. */
export interface PartReport {
  readonly tables: readonly TitledTable[];
  /** Everything that was measured, for programs. */
  readonly data: unknown;
  /** The bars that were missed, each in a sentence: which, and by how much. */
  readonly failures: readonly string[];
}

/** One question about speed or cost, answered in one run. */
export interface Part {
  readonly name: string;
  /** In a few words, for the help text. */
  readonly what: string;
  /** Rejects only where it could not be measured; a bar that was missed is in the report. */
  readonly run: (options: PartOptions) => Promise<PartReport>;
}

/** What was measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly platform: string;
}

/** This one. */
export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() || 'unknown processor',
  cores: availableParallelism(),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
});

/** What a part measured, and how long it took. */
export interface PartRun {
  readonly name: string;
  readonly seconds: number;
  readonly report: PartReport;
}

/** A run: on which machine, how often everything was timed, and what came of it. */
export interface Run {
  readonly machine: Machine;
  readonly repetitions: number;
  readonly ran: readonly PartRun[];
}

const machineLine = ({ machine, repetitions }: Run): string =>
  `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.platform}; ${repetitions} repetitions.`;

const tablesOf = ({ report }: PartRun, titled: (title: string) => string, table: (table: Table) => string): string =>
  report.tables.map((each) => [titled(each.title), '', table(each.table)].join('\n')).join('\n\n');

const missedBars = ({ ran }: Run): readonly string[] =>
  ran.flatMap(({ name, report }) => report.failures.map((failure) => `Missed, ${name}: ${failure}`));

const plain = (run: Run): string =>
  [
    machineLine(run),
    ...run.ran.map((ran) => tablesOf(ran, (title) => `${title}:`, plainTable)),
    ...missedBars(run),
  ].join('\n\n');

const markdown = (run: Run): string =>
  [
    machineLine(run),
    ...run.ran.map((ran) => `### ${ran.name}\n\n${tablesOf(ran, (title) => `${title}:`, markdownTable)}`),
    ...missedBars(run),
  ].join('\n\n');

/** How a run is written: what was missed at the end, where it is seen. */
export const formatters = { plain, markdown, json: (run: Run): string => JSON.stringify(run, undefined, 2) } as const;

import type { Table } from './costs/table.ts';

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

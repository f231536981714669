export interface PartOptions {
  /** The same seed tries the same things in the same order. */
  readonly seed: number;
  /** `quick` takes seconds and is part of `npm test`; `full` is run by command. */
  readonly size: 'quick' | 'full';
  /** Receives a line of progress now and then. Results are only in the report. */
  readonly onProgress: (line: string) => void;
}

export interface Figure {
  readonly what: string;
  readonly value: number;
  /** Such as `ms`, `MB` or `1/s`; none for a count. */
  readonly unit?: string;
}

/** What a part found. The guarantees held if there is no failure. */
export interface PartReport {
  readonly figures: readonly Figure[];
  /** Each broken guarantee in a sentence or two: which one, after what, and how to reproduce it. */
  readonly failures: readonly string[];
}

export interface Part {
  readonly name: string;
  readonly what: string;
  /** Rejects only if it cannot run (no Java, a port in use). Broken guarantees are in the report. */
  readonly run: (options: PartOptions) => Promise<PartReport>;
}

export interface PartRun {
  readonly name: string;
  readonly what: string;
  readonly seconds: number;
  readonly report: PartReport;
}

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });

const shown = ({ value, unit }: Figure): string => `${numbers.format(value)}${unit === undefined ? '' : ` ${unit}`}`;

const tableOf = ({ name, what, seconds, report: { figures, failures } }: PartRun): string => {
  const rows = [
    ...figures.map((figure) => [figure.what, shown(figure)]),
    ['duration', `${Math.round(seconds)} s`],
    ['guarantees', failures.length === 0 ? 'held' : `broken: ${failures.length}`],
  ];
  return [`### ${name}: ${what}`, '', '| | |', '|---|--:|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
};

/** The figures of parts as tables for docs/reliability.md, and at the end the failures, where they are noticed. */
export const markdownOf = (runs: readonly PartRun[]): string =>
  [
    ...runs.map(tableOf),
    ...runs.flatMap(({ name, report }) => report.failures.map((failure) => `${name}: ${failure}`)),
  ].join('\n\n');

import Table from 'cli-table3';
import type { Figure, PartReport } from './part.ts';

/** What a part found, and how long it took. */
export interface PartRun {
  readonly name: string;
  readonly what: string;
  readonly seconds: number;
  readonly report: PartReport;
}

/** What was run, so that it can be run again. */
export interface Run {
  readonly seed: number;
  readonly size: 'quick' | 'full';
  readonly ran: readonly PartRun[];
}

const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });

const readable = ({ value, unit }: Figure): string => `${grouped.format(value)}${unit === undefined ? '' : ` ${unit}`}`;

const verdictOf = ({ report }: PartRun): string =>
  report.failures.length === 0 ? 'held' : `broken: ${report.failures.length}`;

const rowsOf = (ran: PartRun): readonly (readonly [string, string])[] => [
  ...ran.report.figures.map((figure): [string, string] => [figure.what, readable(figure)]),
  ['duration', `${Math.round(ran.seconds)} s`],
  ['guarantees', verdictOf(ran)],
];

const plain = ({ ran }: Run): string => {
  const table = new Table({
    head: ['part', 'what', 'figure'],
    colAligns: ['left', 'left', 'right'],
    style: { head: [], border: [], compact: true },
  });
  for (const part of ran) {
    const rows = rowsOf(part);
    table.push([
      { content: part.name, rowSpan: rows.length + 1, vAlign: 'top' },
      { content: part.what, colSpan: 2 },
    ]);
    for (const [what, figure] of rows) table.push([what, { content: figure, hAlign: 'right' }]);
  }
  return table.toString();
};

const markdown = ({ ran }: Run): string =>
  ran
    .map((part) =>
      [
        `### ${part.name}: ${part.what}`,
        '',
        '| | |',
        '|---|--:|',
        ...rowsOf(part).map(([what, figure]) => `| ${what} | ${figure} |`),
      ].join('\n'),
    )
    .join('\n\n');

const failuresIn = ({ ran }: Run): readonly string[] =>
  ran.flatMap(({ name, report }) => report.failures.map((failure) => `${name}: ${failure}`));

/** How a run is written: failures at the end, where they are seen. */
export const reportFormats: Readonly<Record<'plain' | 'markdown' | 'json', (run: Run) => string>> = {
  plain: (run) => [plain(run), ...failuresIn(run)].join('\n\n'),
  markdown: (run) => [markdown(run), ...failuresIn(run)].join('\n\n'),
  json: (run) => JSON.stringify(run, undefined, 2),
};
